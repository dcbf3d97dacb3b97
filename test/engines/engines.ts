/** The engines that tests ask about exports. `npm run engines` installs them; without it their tests are skipped. */

import { createRequire } from 'node:module'
import { describeWhere } from '../support/describe-where.ts'

const require = createRequire(import.meta.url)

/** A row by the names of its columns. */
export type Row = Record<string, unknown>

export interface Sql {
  /** The rows that a query answers, as JSON has them. */
  ask(sql: string): Promise<Row[]>
  /** Runs statements. */
  run(sql: string): Promise<void>
  close(): Promise<void>
}

/** Whether a package is here. */
function isInstalled(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch (error) {
    // It is here, for import only.
    if ((error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return true
    return false
  }
}

/** Describes tests that need an engine, or skips them. */
export function describeWith(name: string, packages: readonly string[], tests: () => void): void {
  const missing = packages.filter((each) => !isInstalled(each))
  const sentence = missing.length > 0 ? `no ${missing.join(', ')} here; npm run engines` : undefined
  describeWhere(name, 'MARC_ENGINES', sentence, tests)
}

interface DuckDb {
  DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        run(sql: string): Promise<unknown>
        runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Row[] }>
        closeSync(): void
      }>
      closeSync(): void
    }>
  }
}

/** DuckDB in this process. */
export async function openDuckDb(path = ':memory:'): Promise<Sql> {
  const { DuckDBInstance } = require('@duckdb/node-api') as DuckDb
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  return {
    ask: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
    run: async (sql) => void (await connection.run(sql)),
    async close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

interface ChDb {
  Session: new (path: string) => { query(sql: string, format?: string): string; cleanup(): void }
}

/** ClickHouse in this process, with its data in a folder. */
export function openClickHouse(folder: string): Sql {
  const { Session } = require('chdb') as ChDb
  const session = new Session(folder)
  return {
    ask: async (sql) => {
      const answer = session.query(
        `${sql} SETTINGS output_format_json_quote_64bit_integers = 1`,
        'JSONEachRow',
      )
      return answer
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row)
    },
    async run(sql) {
      for (const statement of statementsOf(sql)) session.query(statement)
    },
    async close() {},
  }
}

/** The statements of a script. No text in it ends a line with a semicolon. */
export const statementsOf = (sql: string): string[] =>
  sql
    .split(/;\n/)
    .map((statement) => statement.replace(/^--.*\n/gm, '').trim())
    .filter(Boolean)

interface Frame {
  select(...columns: string[]): Frame
  toRecords(): Row[]
}

/** Columns of a Parquet file by way of a data frame of Polars. It has columns of JSON as bytes only. */
export function readWithPolars(path: string, columns: readonly string[]): Row[] {
  const polars = require('nodejs-polars') as { readParquet(path: string): Frame }
  return polars
    .readParquet(path)
    .select(...columns)
    .toRecords()
}
