import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../src/base/errors.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { createRecordStatistics } from '../../../src/records/statistics/collect-statistics.ts'

/** The statistics of these record files. */
function survey(files: Record<string, JsonObject[]>) {
  const problems: Problem[] = []
  const survey = createRecordStatistics((problem) => problems.push(problem))
  for (const [stem, records] of Object.entries(files)) {
    const entry = `${stem}_000001.json`
    survey.addRecordFile(stem)
    survey.add(
      stem,
      records.map((record, i) => ({ record, entry, index: i + 1 })),
    )
  }
  survey.finish()
  return { kinds: survey.kinds, repositories: survey.repositories, problems }
}

const repository = 'https://H/o/r'

describe('A survey of records', () => {
  test('counts files and records by kind', () => {
    const { kinds } = survey({ issues: [{ url: 'a' }, { url: 'b' }], gadgets: [{ url: 'g' }] })
    expect(kinds).toEqual({
      issues: { records: 2, files: 1, known: true },
      gadgets: { records: 1, files: 1, known: false },
    })
  })

  test('counts a record by its type, and its file by its name', () => {
    const { kinds, problems } = survey({ Old_issues: [{ type: 'issue', url: 'a' }] })
    expect(kinds).toEqual({
      Old_issues: { records: 0, files: 1, known: false },
      issues: { records: 1, files: 0, known: true },
    })
    expect(problems).toEqual([expect.objectContaining({ code: 'record-type' })])
  })

  test('finds the earliest and latest date of each kind', () => {
    const dates = ['2020-05-01', '2019-12-31', '2021-01-01']
    const issues = [...dates.map((created_at) => ({ url: created_at, created_at })), { url: 'x' }]
    expect(survey({ issues }).kinds.issues).toMatchObject({
      first: '2019-12-31',
      last: '2021-01-01',
    })
  })

  test('counts records by repository and kind', () => {
    const { repositories } = survey({
      repositories: [{ url: repository }, { url: 'https://H/o/empty' }],
      issues: [{ url: 'a', repository }],
      issue_comments: [
        { url: 'b', issue: `${repository}/issues/1` },
        { url: 'c', pull_request: `${repository}/pull/2` },
      ],
      users: [{ url: 'https://H/ada' }],
    })
    expect(repositories).toEqual({
      'o/r': { repositories: 1, issues: 1, issue_comments: 2 },
      'o/empty': { repositories: 1 },
    })
  })

  test('reports records without a url and kinds that are not known, each once', () => {
    const { problems } = survey({ issues: [{}, { url: 5 }], gadgets: [{ url: 'g' }] })
    expect(problems.map(({ code, place }) => [code, place])).toEqual([
      ['record-without-url', { entry: 'issues_000001.json', record: 1 }],
      ['kind-unknown', { entry: 'gadgets_000001.json', record: 1 }],
    ])
  })

  test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    'takes %s for a name like any other',
    (name) => {
      const { kinds, repositories } = survey({ [name]: [{ url: 'a', repository }] })
      expect(kinds[name]).toEqual({ records: 1, files: 1, known: false })
      expect(repositories).toEqual({ 'o/r': { [name]: 1 } })
    },
  )

  test('takes __proto__/__proto__ for a repository like any other', () => {
    const { repositories } = survey({ issues: [{ url: 'a', repository: 'https://H/__proto__/x' }] })
    expect(Object.keys(repositories)).toEqual(['__proto__/x'])
  })
})
