import { expect, test } from 'vitest'
import { answerQuery, checkPath, findTexts, STATEMENT_LIMITS } from '../../src/tasks/run-task.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { ISSUE, issue, KETTLE, repository } from '../support/rest-world.ts'
import { THOROUGH } from '../support/thorough.ts'
import { sharePages } from '../support/web.ts'

const pages = sharePages([
  { repositories: [repository(KETTLE)], issues: [issue(ISSUE, { title: 'Cold tea' })] },
])
const path = () => pages.paths[0] as string
const query = (sql: string, limits = STATEMENT_LIMITS) => answerQuery(path(), sql, {}, limits)

const answer = expect.objectContaining({ columns: ['a'], rows: [[1]] })

test(
  'A search runs in the child process, and is killed when it takes too long',
  THOROUGH,
  async () => {
    const search = (words: string, limits = STATEMENT_LIMITS) =>
      findTexts(path(), words, { limit: 1 }, limits)
    await updateIndexAt(path())
    expect(await search('tea')).toEqual([expect.objectContaining({ kind: expect.any(String) })])
    await expect(search('tea OR')).rejects.toMatchObject({ code: 'search-invalid' })
    await expect(search('tea', { ...STATEMENT_LIMITS, seconds: 0.001 })).rejects.toMatchObject({
      code: 'query-timeout',
    })
  },
)

test('A child process answers, refuses what is no statement, and checks', async () => {
  expect(await query('SELECT 1 AS a')).toEqual(answer)
  await expect(query('SELEC')).rejects.toMatchObject({ code: 'query-invalid' })
  expect(await checkPath(path())).toMatchObject({ findings: expect.any(Array) })
})

test.each(['PRAGMA database_list', 'SELECT hex(file) FROM main."PRAGMA_DATABASE_LIST"'])(
  'Nothing that is served tells in which folder the database is: %s',
  async (sql) => {
    await expect(query(sql)).rejects.toMatchObject({
      code: 'query-invalid',
      message: 'no statement may name database_list here',
    })
  },
)

test('query-busy: of twenty questions at once, two are refused', THOROUGH, async () => {
  const asked = Array.from({ length: 20 }, () => query('SELECT 1 AS a'))
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(
    Array(2).fill({ status: 'rejected', reason: expect.objectContaining({ code: 'query-busy' }) }),
  )
})

test(
  'A child process is killed when it takes too long, and another one takes over',
  THOROUGH,
  async () => {
    const forever =
      'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r'
    await expect(query(forever, { ...STATEMENT_LIMITS, seconds: 0.1 })).rejects.toMatchObject({
      code: 'query-timeout',
    })
    expect(await query('SELECT 1 AS a')).toEqual(answer)
  },
)
