import { expect, onTestFinished, test } from 'vitest'
import { Library } from '../../src/reading/library.ts'
import { readRepositoryFacts } from '../../src/reading/repository-facts.ts'
import { HOST, issue, KETTLE, pullRequest, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'

const LOST = `${HOST}/forge/lost`
const databases = shareDatabases({
  repositories: [repository(KETTLE)],
  issues: [issue(`${KETTLE}/issues/1`), issue(`${LOST}/issues/1`)],
  pull_requests: [
    pullRequest(`${KETTLE}/pull/1`, { merged_at: '2024-05-06T00:00:00Z', closed_at: null }),
  ],
})

test.each([
  [KETTLE, { issues: 1, openIssues: 1, pullRequests: 1, openPullRequests: 0, milestones: 0 }],
  [LOST, { issues: 1, openIssues: 1, pullRequests: 0, openPullRequests: 0, releases: 0 }],
])('The repository %s has %j, with a record or without', (url, counts) => {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  const [store] = library.stores
  expect(store && readRepositoryFacts(store, url)).toMatchObject(counts)
})
