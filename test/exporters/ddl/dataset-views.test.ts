import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { viewsOf } from '../../../src/exporters/dataset/dataset-schema.ts'
import { datasetTables, datasetViews } from '../../../src/exporters/ddl/dataset-views.ts'
import { dbtSources } from '../../../src/exporters/ddl/dbt-sources.ts'
import { ENGINE_NAMES } from '../../../src/exporters/ddl/engine.ts'
import { exportData, removePartition } from '../../../src/exporters/export-data.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded, sourceOf } from '../../support/load.ts'
import { run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** The statement that makes a view or table of this name. */
const statementOf = (sql: string, name: string): string =>
  sql
    .split(/\n\n/)
    .find((statement) => new RegExp(`["\`]${name}["\`] (AS|\\()`, 'i').test(statement)) ?? ''

describe.each(ENGINE_NAMES)('The views for %s', (engine) => {
  const sql = datasetViews(engine, '/lake', ['issues', 'gadgets', 'latest_things', 'threads'])

  test('read the files of a table that has some, and declare every column', () => {
    const issues = statementOf(sql, 'issues')
    expect(issues).toContain('kind=issues/')
    for (const column of ['url', 'labels', 'number', '_extra', '_archive', '_record']) {
      expect(issues).toMatch(new RegExp(`["\`]${column}["\`]`, 'i'))
    }
  })

  test('have no rows where a table has no files', () => {
    expect(statementOf(sql, 'teams')).toMatch(/WHERE 1 = 0|FROM null\(|^CREATE OR REPLACE TABLE/)
    expect(sql).not.toContain('kind=teams')
  })

  test('join kinds as the database does, and find the newest row of each URL', () => {
    for (const name of ['threads', 'timeline', 'people', 'latest_issues', 'latest_gadgets']) {
      expect(statementOf(sql, name), name).not.toBe('')
    }
    expect(statementOf(sql, 'latest_files')).toBe('')
  })

  test('never give a kind that is unknown the name of another view', () => {
    for (const name of ['threads', 'latest_things']) {
      expect(statementOf(sql, `${name}_records`)).toContain(`kind=${name}/`)
    }
    expect(sql.match(/["`]threads["`] AS/gi)).toHaveLength(1)
  })

  test('are the same whatever order the tables are named in', () => {
    expect(datasetViews(engine, '/lake', ['threads', 'latest_things', 'issues', 'gadgets'])).toBe(
      sql,
    )
  })
})

test('A path is a text in SQL, and no pattern', () => {
  const folder = "/a'b\\c[d]*\ne"
  const first = (engine: 'duckdb' | 'clickhouse') =>
    statementOf(datasetViews(engine, folder, ['issues']), 'issues')
  expect(first('duckdb')).toContain("'/a''b\\c[[]d][*]\ne/kind=issues/archive=*/data.parquet'")
  expect(first('clickhouse')).toContain("'/a\\'b\\\\c[d]*\ne/kind=issues/archive=*/data.parquet'")
  expect(datasetViews('spark', folder, []).split('\n')[0]).toContain('\\ne')
})

test('dbt is told every table and view, with what their columns mean', () => {
  const text = dbtSources(['issues', 'gadgets', 'threads'])
  const { version, sources } = parse(text)
  const [{ name, tables }] = sources
  expect([version, name]).toEqual([2, 'marc'])
  const views = datasetViews('bigquery', '/lake', ['issues', 'gadgets', 'threads'])
  const made = [...views.matchAll(/^CREATE OR REPLACE (?:VIEW|EXTERNAL TABLE) `?(\w+)/gm)]
    .map(([, made]) => made)
    .filter((made) => made !== 'archive_manifests')
  expect(tables.map((table: Named) => table.name).sort()).toEqual(made.sort())
  const issues = tables.find((table: Named) => table.name === 'issues')
  expect(issues.columns.map((column: Named) => column.name)).toContain('closed_at')
  const described = tables.flatMap(({ description, columns }: Named) => [
    description,
    ...(columns ?? []).map((column) => column.description),
  ])
  expect(described.every((description: string) => /\w/.test(description))).toBe(true)
  // dbt renders templates in descriptions.
  expect(text.match(/\{\{|\{%/g)).toHaveLength(1)
})

interface Named {
  readonly name: string
  readonly description: string
  readonly columns?: readonly Named[]
}

describe('A dataset', () => {
  const archive = smallArchive({ 'issues_000001.json': [issue(1, 'One')] })
  const file = (folder: string, name: string) => join(folder, '_marc', name)
  const read = (folder: string, name: string) => readFileSync(file(folder, name), 'utf8')

  test('has views for each engine and the types of all columns', async () => {
    const folder = await folderOf()
    await exportData((await loaded(archive)).database, folder, { as: 'a' })
    for (const engine of ENGINE_NAMES) {
      expect(read(folder, `${engine}.sql`)).toBe(viewsOf(folder, engine))
    }
    const { tables } = JSON.parse(read(folder, 'schema.json'))
    expect(Object.keys(tables)).toEqual(datasetTables([]).map(({ name }) => name))
    expect(tables.issues[0]).toMatchObject({ name: 'url', type: { is: 'text' }, since: 1 })
  })

  test('gets new views with the first file of a kind, and only then', THOROUGH, async () => {
    const folder = await folderOf()
    const { database } = await loaded(archive)
    await exportData(database, folder, { as: 'a' })
    const before = statSync(file(folder, 'duckdb.sql')).mtimeMs
    await exportData(database, folder, { as: 'b' })
    expect(statSync(file(folder, 'duckdb.sql')).mtimeMs).toBe(before)
    const more = smallArchive({ 'gadgets_000001.json': [{ type: 'gadget', url: 'a' }] })
    await exportData(sourceOf(more), folder, { as: 'c' })
    expect(read(folder, 'duckdb.sql')).toContain('kind=gadgets')
    await removePartition(folder, 'c')
    expect(read(folder, 'duckdb.sql')).not.toContain('kind=gadgets')
  })

  test('that was moved prints its views anew', THOROUGH, async () => {
    const folder = await folderOf()
    const moved = `${folder}-moved`
    await exportData((await loaded(archive)).database, folder, { as: 'a' })
    renameSync(folder, moved)
    const { code, stdout } = await run(['export', '--parquet', moved, '--ddl'])
    expect([code, stdout]).toEqual([0, viewsOf(moved, 'duckdb')])
    const spark = await run(['export', '--parquet', moved, '--ddl', '--engine', 'spark'])
    expect(spark.stdout).toBe(viewsOf(moved, 'spark'))
  })

  test('is not made to print its views or to remove from it', async () => {
    const folder = join(await folderOf(), 'none')
    for (const option of ['--ddl', '--remove=a']) {
      const { code, stderr } = await run(['export', '--parquet', folder, option])
      expect([code, stderr]).toEqual([3, expect.stringContaining('has no folder _marc')])
    }
    expect(existsSync(folder)).toBe(false)
  })
})

test('Columns of version 1 stay, with their types and their order', () => {
  const path = join(import.meta.dirname, 'columns-of-version-1.json')
  const first: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(path, 'utf8'))
  const now = new Map(datasetTables([]).map(({ name, columns }) => [name, columns]))
  for (const [table, columns] of Object.entries(first)) {
    const kept = (now.get(table) ?? []).filter(({ name }) => Object.hasOwn(columns, name))
    expect(kept.map(({ name, type }) => [name, type])).toEqual(Object.entries(columns))
  }
})
