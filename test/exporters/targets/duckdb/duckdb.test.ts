import { expect, test } from 'vitest'
import { openDuckDbTarget } from '../../../../src/exporters/targets/duckdb/duckdb.ts'
import { addColumn, createSchema } from '../../../../src/exporters/targets/duckdb/schema.ts'

/** What DuckDB makes of it is tested with DuckDB: npm run engines:test. */

test('A file has tables with typed columns, and views of joined kinds', () => {
  const sql = createSchema()
  expect(sql).toMatch(/CREATE TABLE IF NOT EXISTS "issues" \([^;]*"labels" VARCHAR\[\]/)
  expect(sql).toContain('COMMENT ON COLUMN "issues"."title" IS ')
  for (const view of ['archives', 'threads', 'timeline', 'people', 'latest_users']) {
    expect(sql).toContain(`CREATE OR REPLACE VIEW "${view}"`)
  }
  expect(sql).not.toContain('latest_files')
})

test('A column of a newer version is added to a table', () => {
  const column = { name: 'a"b', type: { is: 'time' }, description: '' } as const
  expect(addColumn('issues', column)).toBe('ALTER TABLE "issues" ADD COLUMN "a""b" TIMESTAMPTZ')
})

test('package-missing: a DuckDB file needs its package', () => {
  expect(() => openDuckDbTarget('it.duckdb', {})).toThrow(
    expect.objectContaining({ code: 'package-missing', value: '@duckdb/node-api' }),
  )
})
