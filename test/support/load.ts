/** Loads small archives into databases that go away with the test. */

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import type { SqlValue } from '../../src/database/schema/row-layout.ts'
import type { LoadOptions, LoadSummary } from '../../src/load/load-archive.ts'
import { type FileContent, type Files, tarOf } from './build-tar.ts'
import { folderOf } from './folder.ts'
import { loadOnce } from './load-once.ts'
import { inPiecesOf } from './pieces.ts'

/** A database, open for reading and writing, and how it came to be. */
export interface Loaded {
  database: Database
  path: string
  summary: LoadSummary
  /** The reported problems; places do not name the archive. */
  problems: Problem[]
}

/** The least that is an archive: no records and no files. */
export const BARE: Files = { 'schema.json': { version: '1.0.1' } }

/** A database with these archives, each its files by path: `loaded({ 'issues_000001.json': [{ … }] })`. */
export async function loaded(
  archives: Files | Buffer | readonly (Files | Buffer)[],
  options: LoadOptions = {},
): Promise<Loaded> {
  const path = join(await folderOf(), 'it.db')
  const bytes = (Array.isArray(archives) ? archives : [archives]).map(bytesOf)
  const { summary, problems } = await loadOnce(bytes, path, options)
  const inside = problems.map(({ place: { archive, ...place }, ...rest }) => ({ ...rest, place }))
  return { database: opened(path), path, summary, problems: inside }
}

/** An archive of these files, not compressed as that takes time, or one that is made already, as bytes. */
export const sourceOf = (files: Files | Buffer) => ({
  name: 'it.tar.gz',
  bytes: inPiecesOf(bytesOf(files)),
})

const bytesOf = (files: Files | Buffer) => (Buffer.isBuffer(files) ? files : tarOf(files))

/** The database at this path, open for reading and writing until the test is done. */
export function opened(path: string): Database {
  const database = openDatabase(path, { readonly: false })
  onTestFinished(() => void database.close())
  return database
}

/** A copy of the database at this path, open for reading and writing until the test is done. */
export async function copyOf(path: string): Promise<Database> {
  const copy = join(await folderOf(), 'copy.db')
  copyFileSync(path, copy)
  return opened(copy)
}

/** All rows of a query, each as an array of its values. */
export const rowsOf = (database: Database, sql: string, ...values: unknown[]): SqlValue[][] =>
  database
    .prepare(sql)
    .raw()
    .all(...values) as SqlValue[][]

/** The first column of each row. */
export const columnOf = (database: Database, sql: string, ...values: unknown[]): SqlValue[] =>
  rowsOf(database, sql, ...values).map(([value]) => value as SqlValue)

/** A file of records, which may be no records at all. */
export const recordFile = (stem: string, ...records: unknown[]): Record<string, FileContent> => ({
  [`${stem}_000001.json`]: records,
})
