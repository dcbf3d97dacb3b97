import { expect, test } from 'vitest'
import { CHECK_LIMITS, runTask, STATEMENT_LIMITS } from '../../../src/web/serve/run-task.ts'
import { sharePages } from '../../support/web.ts'

const pages = sharePages([{}])
const query = (sql: string) =>
  ({ task: 'query', path: pages.paths[0] as string, sql, parameters: {} }) as const

test('A child process answers, is killed when it takes too long, and another one takes over', async () => {
  const forever =
    'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r'
  const answer = expect.objectContaining({ columns: ['a'], rows: [[1]] })
  expect(await runTask(query('SELECT 1 AS a'), STATEMENT_LIMITS)).toEqual({ answer })
  await expect(
    runTask(query(forever), { ...STATEMENT_LIMITS, seconds: 0.1 }),
  ).rejects.toMatchObject({
    code: 'query-timeout',
  })
  await expect(runTask(query('SELEC'), STATEMENT_LIMITS)).rejects.toMatchObject({
    code: 'query-invalid',
  })
  const order = { task: 'check', path: pages.paths[0] as string } as const
  expect(await runTask(order, CHECK_LIMITS)).toMatchObject({
    report: { findings: expect.any(Array) },
  })
})
