import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { hasRelation } from '../../database/schema/schema.ts'
import {
  MOST_SOURCES,
  SEARCH_INDEX,
  searchTriggers,
  TEXT_SOURCES,
  type TextSource,
} from '../../database/schema/search-tables.ts'
import { createTexts, indexRows, staleSources } from '../../search/update-search-index.ts'
import type { DatabaseFault } from './database-fault.ts'

/**
 * Compares the index of searches with the records: indexes the texts again, in a temporary table on disk, and reads the words of
 * both in their order. Texts that the next search will index are left out. Finds one fault at most.
 */
export function* examineSearch(database: Database): Generator<DatabaseFault> {
  if (!hasRelation(database, 'search_changes')) return
  const message = differenceIn(database)
  if (message !== undefined) yield { code: 'search-damaged', where: 'search_index', message }
}

function differenceIn(database: Database): string | undefined {
  try {
    const tables = knownTables(database)
    return tables.find((each) => typeof each === 'string') ?? compare(database, tables as number[])
  } catch (error) {
    // FTS5 reports its own tables like pages.
    if (error instanceof ArchiveError && error.code === 'database-damaged') return error.message
    throw error
  }
}

/** The ids of the tables that are indexed, or what is wrong with one of them. */
function knownTables(database: Database): (number | string)[] {
  const triggers = new Map(
    database
      .prepare<[], [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      .raw()
      .all(),
  )
  const rows = database.prepare<[], [number, string]>('SELECT id, name FROM search_tables').raw()
  return rows.all().map(([id, name]) => {
    const source: TextSource | undefined = TEXT_SOURCES[id]
    if (source?.table !== name) return `search_tables: ${id} is not ${JSON.stringify(name)}`
    const sqlOf = (trigger: string) => triggers.get(/"([^"]+)"/.exec(trigger)?.[1] ?? '')
    const isThere = searchTriggers(name, id).every((trigger) => sqlOf(trigger) === trigger)
    return isThere ? id : `a trigger that notes changes of ${name} is missing`
  })
}

/** Where the index first differs from one of the same tables that is made anew. */
function compare(database: Database, tables: readonly number[]): string | undefined {
  const stale = staleSources(database)
  const current = tables.filter((id) => !stale.includes(id))
  // Names of the temporary schema come first.
  database.exec(SEARCH_INDEX.replace('TABLE ', 'TABLE temp.'))
  try {
    createTexts(database)
    for (const id of current) for (const _ of indexRows(database, id));
    if (tables.length === current.length && hasSameBytes(database)) return undefined
    for (const schema of ['main', 'temp']) {
      database.exec(
        `CREATE VIRTUAL TABLE temp.${schema}_words USING fts5vocab('${schema}', 'search_index', 'instance')`,
      )
    }
    const skipped = tables.filter((id) => stale.includes(id)).join(', ')
    const isCompared = (id: string) =>
      `${id} % ${MOST_SOURCES} NOT IN (${skipped}) AND ${id} NOT IN (SELECT id FROM main.search_changes)`
    const rowids = (schema: string) =>
      `SELECT rowid FROM ${schema}.search_index WHERE ${isCompared('rowid')} ORDER BY rowid`
    const words = (schema: string) =>
      `SELECT doc, col, "offset", term FROM temp.${schema}_words WHERE ${isCompared('doc')}`
    return firstDifference(database, rowids) ?? firstDifference(database, words)
  } finally {
    for (const name of ['main_words', 'temp_words', 'search_index']) {
      database.exec(`DROP TABLE IF EXISTS temp.${name}`)
    }
  }
}

/** The tables that FTS5 keeps an index in. */
const FTS5_TABLES = ['data', 'idx', 'docsize', 'config']

/**
 * Whether FTS5 stored both alike, byte for byte, as it does if no record changed since the index was made. To read the words of both
 * takes several times as long as to make one.
 */
function hasSameBytes(database: Database): boolean {
  const rowsOf = (schema: string, name: string) => `SELECT * FROM ${schema}.search_index_${name}`
  const countOf = (schema: string, name: string) =>
    `(SELECT count(*) FROM ${schema}.search_index_${name})`
  return FTS5_TABLES.every((name) => {
    if (!hasRelation(database, `search_index_${name}`)) return false
    const [main, temp] = [rowsOf('main', name), rowsOf('temp', name)]
    const isSame = `${countOf('main', name)} = ${countOf('temp', name)} AND NOT EXISTS (${main} EXCEPT ${temp})`
    return database.prepare<[], number>(`SELECT ${isSame}`).pluck().get() === 1
  })
}

/** Reads the rows of both schemas at once, to the first that differ. Their first column is an id of the index. */
function firstDifference(
  database: Database,
  select: (schema: string) => string,
): string | undefined {
  const [found, expected] = ['main', 'temp'].map((schema) =>
    database.prepare<[], unknown[]>(select(schema)).raw().safeIntegers().iterate(),
  ) as [IterableIterator<unknown[]>, IterableIterator<unknown[]>]
  try {
    for (;;) {
      const one: unknown[] | undefined = found.next().value
      const other: unknown[] | undefined = expected.next().value
      if (one?.join('\0') === other?.join('\0')) {
        if (one === undefined) return undefined
        continue
      }
      const id = BigInt((other ?? one)?.[0] as bigint)
      const source = TEXT_SOURCES[Number(id % BigInt(MOST_SOURCES))]
      return `it does not have the words of ${source?.table ?? 'a table'}, first at rowid ${id / BigInt(MOST_SOURCES)}`
    }
  } finally {
    found.return?.()
    expected.return?.()
  }
}
