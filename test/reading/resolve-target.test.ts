import { describe, expect, test } from 'vitest'
import { resolveTarget } from '../../src/reading/resolve-target.ts'
import { tablesWith } from '../support/tables.ts'
import { everyDay } from '../support/thorough.ts'

const HOST = 'https://host.example'
const TOOLS = `${HOST}/acme/tools`
const ISSUE = `${TOOLS}/issues/1`
const PULL = `${TOOLS}/pull/2`
const ada = { type: 'user', url: `${HOST}/ada`, login: 'ada' }
const issue = (number: number) => ({
  type: 'issue',
  url: `${TOOLS}/issues/${number}`,
  repository: TOOLS,
  title: 'It boils',
})
const pull = { type: 'pull_request', url: PULL, repository: TOOLS, title: 'Cooler' }

describe('A record is found by', () => {
  const WORLD = {
    repositories: [{ type: 'repository', url: TOOLS, name: 'tools' }],
    issues: [issue(1), issue(2)],
    pull_requests: [pull],
    pull_request_review_comments: [
      { type: 'pull_request_review_comment', url: `${PULL}/files#r7`, pull_request: PULL },
    ],
    users: [ada],
    releases: [
      { type: 'release', url: `${TOOLS}/releases/tag/v1`, repository: TOOLS, tag_name: 'v1' },
    ],
  }
  const urls = (named: string, tables: Record<string, object[]> = WORLD) =>
    resolveTarget(tablesWith(tables), named).map(({ url }) => url)

  everyDay(2)([
    ['acme/tools#1', ISSUE],
    ['ACME/Tools#1', ISSUE],
    [ISSUE, ISSUE],
    ['acme/tools', TOOLS],
    ['acme/tools@v1', `${TOOLS}/releases/tag/v1`],
    ['ada', ada.url],
    ['@Ada', ada.url],
  ])('%s', (named, url) => {
    expect(urls(named)).toEqual([url])
  })

  everyDay(2)([
    [`${PULL}/files?w=1`, PULL],
    [`${PULL}#discussion_r7`, `${PULL}/files#r7`],
    [`${ISSUE.replace('issues', 'pull')}/`, ISSUE],
    [`${TOOLS}.git`, TOOLS],
  ])('the address %s of a browser', (address, url) => {
    expect(urls(address)).toEqual([url])
  })

  test('its number, without a record of the repository', () => {
    expect(urls('acme/tools#1', { issues: [issue(1)] })).toEqual([ISSUE])
  })

  test('a name that records of two hosts have, in the order of their URLs', () => {
    const repositories = ['https://b.example/acme/tools', 'https://a.example/acme/tools']
    const tables = {
      repositories: repositories.map((url) => ({ type: 'repository', url, name: 'tools' })),
      issues: repositories.map((repository) => ({
        ...issue(1),
        url: `${repository}/issues/1`,
        repository,
      })),
    }
    const inOrder = repositories.toReversed()
    expect(urls('acme/tools', tables)).toEqual(inOrder)
    expect(urls('acme/tools#1', tables)).toEqual(inOrder.map((url) => `${url}/issues/1`))
  })

  test('a number that an issue and a pull request have', () => {
    expect(urls('acme/tools#2')).toEqual([`${TOOLS}/issues/2`, PULL])
  })

  everyDay(2)([
    'acme/tools#9',
    'acme/pots#1',
    'https://host.example/x',
    'acme/tools@v9',
    'eve',
    '#',
    '',
  ])('nothing else: %j', (named) => {
    expect(() => urls(named)).toThrow(expect.objectContaining({ code: 'record-not-found' }))
  })
})
