import { expect, onTestFinished, test } from 'vitest'
import { Library } from '../../../src/reading/library.ts'
import { writtenOf } from '../../../src/reading/people/written-texts.ts'
import {
  comment,
  HOST,
  issue,
  KETTLE,
  PULL,
  pullRequest,
  repository,
  review,
} from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'

const ADA = `${HOST}/ada`
const databases = shareDatabases(
  {
    repositories: [repository(KETTLE)],
    issues: [issue(`${KETTLE}/issues/1`, { user: ADA, created_at: '2024-05-01T00:00:00Z' })],
    pull_requests: [pullRequest(PULL, { user: `${HOST}/bob` })],
    pull_request_reviews: [review(31, { user: ADA, submitted_at: '2024-06-02T01:00:00+02:00' })],
  },
  {
    issue_comments: [
      comment(`${KETTLE}/issues/1`, 1, { user: ADA, created_at: '2024-06-01T23:30:00Z' }),
      comment(`${KETTLE}/issues/1`, 2, { user: ADA, created_at: 'yesterday' }),
    ],
  },
)

function written() {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return writtenOf(library)
}

test('The texts of a person are counted in all databases', () => {
  const counts = { issues: 1, pulls: 0, discussions: 0, comments: 2, reviews: 1 }
  expect(written().counts(ADA)).toEqual(counts)
})

test('The newest texts come first, whatever the offset of their times, and those without a time last', () => {
  const newest = written().newest(ADA, undefined, { offset: 0, limit: 10 })
  expect(newest.map(({ list }) => list)).toEqual(['comments', 'reviews', 'issues', 'comments'])
})

test('Texts are counted by months in UTC', () => {
  expect(written().months(ADA)).toEqual([
    ['2024-05', 1, 0, 0],
    ['2024-06', 0, 1, 1],
  ])
})
