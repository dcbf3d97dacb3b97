import { expect, onTestFinished, test, vi } from 'vitest'
import { Library } from '../../../src/reading/library.ts'
import { findWritten, writtenBy } from '../../../src/reading/people/written-texts.ts'
import { findWrittenTexts } from '../../../src/tasks/run-task.ts'
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
import { THOROUGH } from '../../support/thorough.ts'

const ADA = `${HOST}/ada`
/** Wrote more than 4,000 texts, in all months of some years, in the order of no time. */
const CY = `${HOST}/cy`
const monthOf = (i: number) => `${2015 + (i % 7)}-${String(1 + (i % 12)).padStart(2, '0')}`
const ofCy = Array.from({ length: 4_010 }, (_, i) =>
  comment(`${KETTLE}/issues/1`, 10 + i, { user: CY, created_at: `${monthOf(i)}-03T00:00:00Z` }),
)
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
      ...ofCy,
    ],
  },
)

function open() {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return library
}

const written = () => writtenBy(open(), ADA)

test('The texts of a person are counted in all databases', () => {
  const counts = { issues: 1, pulls: 0, discussions: 0, comments: 2, reviews: 1 }
  expect(written().counts).toEqual(counts)
})

test('The newest texts come first, whatever the offset of their times, and those without a time last', () => {
  const newest = written().newest(undefined, { offset: 0, limit: 10 })
  expect(newest.map(({ list }) => list)).toEqual(['comments', 'reviews', 'issues', 'comments'])
})

test('Texts are counted by months in UTC', () => {
  expect(written().months).toEqual([
    ['2024-05', 1, 0, 0],
    ['2024-06', 0, 1, 1],
  ])
})

test('Months are counted in their order, whatever the order of the texts', () => {
  const { months } = writtenBy(open(), CY)
  const names = [...new Set(ofCy.map((_, i) => monthOf(i)))].sort()
  const comments = (month: string) => ofCy.filter((_, i) => monthOf(i) === month).length
  expect(months).toEqual(names.map((month) => [month, 0, comments(month), 0]))
})

test(
  'Few texts are looked for at once, and many in another process, which finds the same',
  THOROUGH,
  async () => {
    const library = open()
    const find = vi.fn(findWrittenTexts)
    expect((await findWritten(library, ADA, find)).counts).toEqual(written().counts)
    expect(find).not.toHaveBeenCalled()

    const many = await findWritten(library, CY, find)
    expect(find).toHaveBeenCalledExactlyOnceWith(databases.paths, CY)
    const here = writtenBy(open(), CY)
    expect(many).toMatchObject({ counts: here.counts, months: here.months })
    const range = { offset: 3_990, limit: 20 }
    expect(many.newest('comments', range)).toEqual(here.newest('comments', range))

    await findWritten(library, CY, find)
    expect(find).toHaveBeenCalledTimes(1)
  },
)
