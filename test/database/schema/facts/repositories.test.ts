import { describe, expect, test } from 'vitest'
import { columnOf, rowsOf } from '../../../support/load.ts'
import { sharedTablesWith } from '../../../support/tables.ts'

const kettle = 'https://H/forge/kettle'
const issue = (number: number, more: object = {}) => ({
  url: `${kettle}/issues/${number}`,
  repository: kettle,
  ...more,
})
const pull = (number: number, more: object = {}) => ({
  url: `${kettle}/pull/${number}`,
  repository: kettle,
  ...more,
})

describe('The view repository_facts', () => {
  test('counts what is open: what is merged is closed, and two threads with one number are two', () => {
    const database = sharedTablesWith({
      repositories: [{ url: kettle, private: false }],
      issues: [issue(1), issue(2, { closed_at: '1' })],
      pull_requests: [pull(1), pull(3, { merged_at: '1' }), pull(4, { closed_at: '1' })],
    })
    const sql = `SELECT issues, open_issues, pull_requests, open_pull_requests FROM repository_facts WHERE url = ?`
    expect(rowsOf(database, sql, kettle)).toEqual([[2, 1, 3, 1]])
  })

  test('has repositories without a record, which are private', () => {
    const database = sharedTablesWith({
      repositories: [{ url: kettle, private: false }, { url: 'https://H/forge/odd' }],
      milestones: [{ url: 'm', repository: 'https://H/forge/unknown' }],
    })
    const sql = 'SELECT url, has_record, is_private, milestones FROM repository_facts ORDER BY url'
    expect(rowsOf(database, sql)).toEqual([
      [kettle, 1, 0, 0],
      ['https://H/forge/odd', 1, 1, 0],
      ['https://H/forge/unknown', 0, 1, 1],
    ])
  })
})

describe('The view milestone_facts', () => {
  test('counts open and closed threads, of which what is merged is closed', () => {
    const milestone = `${kettle}/milestones/1`
    const database = sharedTablesWith({
      milestones: [{ url: milestone, repository: kettle, due_on: '2024-05-06T00:00:00' }],
      issues: [issue(1, { milestone }), issue(2, { milestone, closed_at: '1' })],
      pull_requests: [pull(1, { milestone, merged_at: '1' })],
    })
    const sql = 'SELECT state, due_at, open_threads, closed_threads FROM milestone_facts'
    expect(rowsOf(database, sql)).toEqual([['open', '2024-05-06T00:00:00Z', 1, 2]])
  })
})

describe('The view label_facts', () => {
  test('counts each thread once, also for a label without a record', () => {
    const database = sharedTablesWith({
      issues: [issue(1, { labels: ['a', 'a'] }), issue(2, { labels: ['a'], closed_at: '1' })],
      pull_requests: [pull(1, { labels: ['a', 'b'] })],
    })
    expect(rowsOf(database, 'SELECT url, threads, open_threads FROM label_facts')).toEqual([
      ['a', 3, 2],
      ['b', 1, 1],
    ])
  })
})

describe('The view release_facts', () => {
  const release = (tag: string, published_at: string | null, more: object = {}) => ({
    url: `${kettle}/releases/tag/${tag}`,
    repository: kettle,
    tag_name: tag,
    published_at,
    state: 'published',
    prerelease: false,
    created_at: '2024-05-06T00:00:00Z',
    ...more,
  })

  test('knows the latest: the newest that is neither a draft nor a prerelease', () => {
    const database = sharedTablesWith({
      releases: [
        release('v1', '2024-05-07T00:00:00Z'),
        release('v2', '2024-05-08T01:00:00+02:00'),
        release('v3', '2024-05-09T00:00:00Z', { prerelease: true }),
        release('v4', null, { state: 'draft', created_at: '2024-05-10T00:00:00Z' }),
      ],
    })
    const sql =
      'SELECT tag_name, is_draft, is_prerelease, is_latest FROM release_facts ORDER BY at DESC'
    expect(rowsOf(database, sql)).toEqual([
      ['v4', 1, 0, 0],
      ['v3', 0, 1, 0],
      ['v2', 0, 0, 1],
      ['v1', 0, 0, 0],
    ])
  })

  test('counts files by their URLs', () => {
    const release_assets = [{ url: 'a' }, { url: 'a' }, { url: 'b' }, 'odd']
    const database = sharedTablesWith({ releases: [release('v1', null, { release_assets })] })
    expect(columnOf(database, 'SELECT files FROM release_facts')).toEqual([2])
  })
})
