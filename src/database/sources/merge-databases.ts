import { rmSync } from 'node:fs'
import { nextTurn } from '../../base/next-turn.ts'
import { partialOf } from '../../files/partial-file.ts'
import { publishFile } from '../../files/write-file.ts'
import { openConnection } from '../connection.ts'
import type { Database } from '../database.ts'
import { refuseLargeCells } from '../large-cells.ts'
import { quoteText } from '../quote.ts'
import {
  addIndexes,
  completeIndexes,
  completeTables,
  completeViews,
  createSchema,
} from '../schema/schema.ts'
import { refuseStandIns } from '../secure-connection.ts'
import { copyTable, sourcesOf } from './copy-table.ts'
import { type MergedPart, type OrderedPart, oldestFirst } from './order-databases.ts'
import { repeatedArchives, TABLES, tablesOf } from './select-part.ts'
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
      await nextTurn(signal)
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

function addPart(database: Database, part: OrderedPart): SourceOfArchive[] {
  const { path, before } = part
  database.exec(`ATTACH ${quoteText(path)} AS part`)
  try {
    refuseStandIns(database, 'part', path)
    database.exec('BEGIN')
    const archives = repeatedArchives(database, 'part', ['main'])
    for (const table of tablesOf(database, 'part')) {
      copyTable(database, table, { schema: 'part', before, archives })
    }
    database.exec('COMMIT')
    return sourcesOf(database, { ...part, schema: 'part' })
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK')
    database.exec('DETACH part')
  }
}
