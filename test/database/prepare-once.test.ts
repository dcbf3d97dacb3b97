import { expect, test } from 'vitest'
import { openConnection } from '../../src/database/connection.ts'
import { prepareOnce } from '../../src/database/prepare-once.ts'

test('A statement is prepared once for each connection, and knows tables that change', () => {
  const [one, other] = [openConnection(':memory:'), openConnection(':memory:')]
  one.exec('CREATE TABLE t (a INTEGER)')
  const sql = 'SELECT count(*) AS n FROM sqlite_schema'
  const statement = prepareOnce<[], { n: number }>(one, sql)
  expect(prepareOnce(one, sql)).toBe(statement)
  expect(statement.get()).toEqual({ n: 1 })
  one.exec('CREATE TABLE u (a INTEGER)')
  expect(statement.get()).toEqual({ n: 2 })
  expect(prepareOnce<[], { n: number }>(other, sql).get()).toEqual({ n: 0 })
  one.close()
  other.close()
})
