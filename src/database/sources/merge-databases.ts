import { rmSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { throwIfInterrupted } from '../../base/errors.ts'
import { partialOf } from '../../files/partial-file.ts'
import { publishFile } from '../../files/write-file.ts'
import { openConnection } from '../connection.ts'
import type { Database } from '../database.ts'
import { refuseLargeCells } from '../large-cells.ts'
import { quoteName, quoteText } from '../quote.ts'
import {
  addIndexes,
  completeIndexes,
  completeTables,
  completeViews,
  createSchema,
  relationNames,
} from '../schema/schema.ts'
import { refuseStandIns } from '../secure-connection.ts'
import { type MergedPart, type OrderedPart, oldestFirst } from './order-databases.ts'
import {
  columnValue,
  isReplaced,
  makeTable,
  type Repeated,
  repeatedArchives,
  storedColumns,
  TABLES,
  tablesOf,
} from './select-part.ts'
import { type SourceOfArchive, writeSources } from './write-sources.ts'

export interface MergeOptions {
  signal?: AbortSignal | undefined
  /** Called after each database with how many were merged. */
  progress?: (done: number) => void
}

/**
 * Writes the records of several databases, and what they say of archives, files and Git data, to a new one. Contents of files
 * are left out. Of records with one URL, and of a repository, that of the newest database counts. Archives and files are numbered
 * as if the databases had been loaded one after the other, the oldest first.
 *
 * Throws as `openDatabase` does, and `interrupted`.
 */
export async function mergeDatabases(
  parts: readonly MergedPart[],
  path: string,
  { signal, progress }: MergeOptions = {},
): Promise<void> {
  const ordered = oldestFirst(parts, refuseLargeCells)
  const partial = partialOf(path)
  const database = openConnection(partial, { name: path })
  try {
    database.pragma('synchronous = OFF')
    database.pragma('page_size = 16384')
    database.pragma('cache_size = -16384')
    database.pragma('journal_mode = OFF')
    createSchema(database)
    for (const { name, indexes = [] } of LOOKED_UP) {
      addIndexes(database, { name, indexes: indexes.filter(({ name }) => FIRST.test(name)) })
    }
    const sources: SourceOfArchive[] = []
    // The newest first: what is there already is never replaced.
    for (const [i, part] of ordered.toReversed().entries()) {
      await turn()
      throwIfInterrupted(signal)
      sources.push(...addPart(database, part))
      progress?.(i + 1)
    }
    completeTables(database)
    completeIndexes(database)
    completeViews(database)
    writeSources(database, sources)
    database.close()
    publishFile(partial, path, { force: false })
  } finally {
    database.close()
    for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
  }
}

/** Indexes by which rows are looked up while databases are merged. */
const FIRST = /_by_url$|^files_by_(?:path|repository)$/
const LOOKED_UP = TABLES.filter(({ indexes = [] }) => indexes.some(({ name }) => FIRST.test(name)))

function addPart(database: Database, { path, source, before }: OrderedPart): SourceOfArchive[] {
  database.exec(`ATTACH ${quoteText(path)} AS part`)
  try {
    refuseStandIns(database, 'part', path)
    database.exec('BEGIN')
    const sources = database
      .prepare<[], bigint>('SELECT id FROM part.archives')
      .pluck()
      .safeIntegers()
      .all()
      .map((id) => ({ archive: id + BigInt(before.archives), source }))
    const archives = repeatedArchives(database, 'part', ['main'])
    for (const name of tablesOf(database, 'part')) addTable(database, name, { before, archives })
    database.exec('COMMIT')
    return sources
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK')
    database.exec('DETACH part')
  }
}

function addTable(
  database: Database,
  table: string,
  { before, archives }: Pick<OrderedPart, 'before'> & Pick<Repeated, 'archives'>,
): void {
  makeTable(database, table, 'part')
  const ours = new Set(storedColumns(database, 'main', table))
  const theirs = storedColumns(database, 'part', table)
  const columns = theirs.filter((column) => ours.has(column))
  const values = columns.map((column) => columnValue(table, column, before))
  const newer = [{ schema: 'main', tables: relationNames(database) }]
  const replaced = isReplaced(table, newer, { archives, columns: theirs })
  database.exec(`INSERT OR IGNORE INTO main.${quoteName(table)} (${columns.map(quoteName).join(', ')})
SELECT ${values.join(', ')} FROM part.${quoteName(table)} AS o${replaced === undefined ? '' : ` WHERE NOT (${replaced})`}`)
}
