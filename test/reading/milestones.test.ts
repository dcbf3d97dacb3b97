import { expect, onTestFinished, test } from 'vitest'
import { Library, type Repository } from '../../src/reading/library.ts'
import { listMilestones, readMilestone } from '../../src/reading/milestones.ts'
import { issue, KETTLE, pullRequest, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'
import { everyDay } from '../support/thorough.ts'

const urlOf = (number: number) => `${KETTLE}/milestones/${number}`
const milestone = (number: number, more: object = {}) => ({
  type: 'milestone',
  url: urlOf(number),
  repository: KETTLE,
  user: null,
  title: `M${number}`,
  description: null,
  state: 'open',
  due_on: null,
  closed_at: null,
  created_at: '2024-05-06T00:00:00Z',
  updated_at: '2024-05-06T00:00:00Z',
  ...more,
})
const merged = { merged_at: '2024-05-06T00:00:00Z', closed_at: null }
const databases = shareDatabases({
  repositories: [repository(KETTLE)],
  milestones: [
    milestone(1, { due_on: '2024-06-02T00:00:00Z' }),
    milestone(2, { state: 'closed' }),
    milestone(3, { due_on: '2024-06-01T23:00:00-02:00' }),
  ],
  issues: [issue(`${KETTLE}/issues/1`, { milestone: urlOf(1) }), issue(`${KETTLE}/issues/4`)],
  pull_requests: [
    pullRequest(`${KETTLE}/pull/1`, { milestone: urlOf(1), ...merged }),
    pullRequest(`${KETTLE}/pull/2`, { milestone: urlOf(3), ...merged }),
  ],
})

function kettle() {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return library.repository('forge/kettle') as Repository
}

test('A milestone counts what is merged as closed, and both threads with one number', () => {
  expect(readMilestone(kettle(), urlOf(1))).toMatchObject({
    number: 1,
    title: 'M1',
    state: 'open',
    openThreads: 1,
    closedThreads: 1,
    dueAt: '2024-06-02T00:00:00Z',
  })
})

test.each([
  ['number', 'desc', [3, 1, 2]],
  ['due_on', 'asc', [1, 3, 2]],
  ['due_on', 'desc', [3, 1, 2]],
  ['completeness', 'asc', [2, 1, 3]],
] as const)('Milestones by %s, %s, are %j', (sort, direction, numbers) => {
  const found = listMilestones(kettle(), { state: 'all', sort, direction })
  expect(found).toEqual(numbers.map(urlOf))
})

everyDay(3)([
  ['milestone_facts WHERE url = ?', urlOf(1)],
  ['milestone_facts WHERE repository = ?', KETTLE],
  ['repository_facts WHERE url = ?', KETTLE],
  ['release_facts WHERE repository = ?', KETTLE],
  ['permissions WHERE repository = ?', KETTLE],
  ['people WHERE url = ?', KETTLE],
])('%s reads its rows by their keys', (from, key) => {
  const plan = kettle().store.all<{ detail: string }>(
    `EXPLAIN QUERY PLAN SELECT * FROM ${from}`,
    key,
  )
  const scans = plan.filter(({ detail }) =>
    /^SCAN (?:issues|pull_requests|milestones|releases|repositories|users|o|r)\b(?!.*INDEX)/.test(
      detail,
    ),
  )
  expect(scans).toEqual([])
})
