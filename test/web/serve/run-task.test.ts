import { expect, test } from 'vitest'
import { CHECK_LIMITS, runTask, STATEMENT_LIMITS } from '../../../src/web/serve/run-task.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { sharePages } from '../../support/web.ts'

const pages = sharePages([{}])
const query = (sql: string) =>
  ({ task: 'query', path: pages.paths[0] as string, sql, parameters: {} }) as const

const answer = expect.objectContaining({ columns: ['a'], rows: [[1]] })

test('A child process answers, refuses what is no statement, and checks', async () => {
  expect(await runTask(query('SELECT 1 AS a'), STATEMENT_LIMITS)).toEqual({ answer })
  await expect(runTask(query('SELEC'), STATEMENT_LIMITS)).rejects.toMatchObject({
    code: 'query-invalid',
  })
  const order = { task: 'check', path: pages.paths[0] as string } as const
  expect(await runTask(order, CHECK_LIMITS)).toMatchObject({
    report: { findings: expect.any(Array) },
  })
})

test(
  'A child process is killed when it takes too long, and another one takes over',
  THOROUGH,
  async () => {
    const forever =
      'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r'
    await expect(
      runTask(query(forever), { ...STATEMENT_LIMITS, seconds: 0.1 }),
    ).rejects.toMatchObject({
      code: 'query-timeout',
    })
    expect(await runTask(query('SELECT 1 AS a'), STATEMENT_LIMITS)).toEqual({ answer })
  },
)
