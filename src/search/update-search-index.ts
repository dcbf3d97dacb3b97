import {
  aFunction,
  anOpenDatabase,
  aSignal,
  checkArguments,
  checkOptions,
} from '../base/check-arguments.ts'
import { orInterrupted, throwIfInterrupted } from '../base/errors.ts'
import { nextTurn } from '../base/next-turn.ts'
import { refuseLargeCells } from '../database/large-cells.ts'
import { openLoadTransaction } from '../database/load-transaction.ts'
import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { createStatement } from '../database/schema/relation.ts'
import { hasRelation } from '../database/schema/schema.ts'
import {
  isSearched,
  MOST_SOURCES,
  SEARCH_INDEX,
  SEARCH_TABLES,
  searchTriggers,
  TEXT_SOURCES,
  type TextSource,
} from '../database/schema/search-tables.ts'
import { splitUnspaced } from './grammar/words.ts'

/** Callbacks while texts are indexed. */
export interface UpdateOptions {
  /** Called from time to time with the number of characters indexed, and their total. */
  progress?: ((done: { characters: number; total: number }) => void) | undefined
  /** Stops indexing, with `interrupted`. Then the index is as it was before. */
  signal?: AbortSignal | undefined
}

/**
 * Creates or updates the index that `searchDatabase` needs, in one transaction of a connection of its own. `database` may
 * be read-only.
 *
 * @param database the database to index
 * @param options `progress`, `signal`
 * @returns whether the index was out of date
 * @throws `database-busy`, `database-read-only`, `database-full`, `database-damaged`, `interrupted` or
 *   `option-invalid`
 * @example
 * await updateSearchIndex(database)
 */
export async function updateSearchIndex(
  database: Database,
  options: UpdateOptions = {},
): Promise<boolean> {
  checkArguments({ database }, { database: anOpenDatabase })
  checkOptions(options, { progress: aFunction, signal: aSignal })
  throwIfInterrupted(options.signal)
  if (hasCurrentIndex(database)) return false
  refuseLargeCells(database)
  const target = openLoadTransaction(database.name)
  try {
    await update(target.database, options)
    target.commit()
    return true
  } catch (error) {
    target.abandon()
    throw orInterrupted(error, options.signal)
  }
}

/** Whether the index of a database is there and up to date. */
export const hasCurrentIndex = (database: Database): boolean =>
  staleSources(database).length === 0 && !hasChanges(database)

const hasIndex = (database: Database) => hasRelation(database, 'search_changes')

const hasChanges = (database: Database): boolean =>
  database.prepare('SELECT 1 FROM search_changes LIMIT 1').get() !== undefined

/** The ids of tables that are not indexed yet, or whose rows changed without a trigger. */
export function staleSources(database: Database): number[] {
  const known = new Map<number, number | null>()
  if (hasIndex(database)) {
    const rows = database.prepare('SELECT id, last_rowid FROM search_tables').raw().all()
    for (const [id, last] of rows as [number, number | null][]) known.set(id, last)
  }
  const isChanged = (id: number) =>
    database
      .prepare(`SELECT 1 FROM search_changes WHERE id % ${MOST_SOURCES} = ${id} LIMIT 1`)
      .get() !== undefined
  return sourcesOf(database).filter((id) => {
    if (!known.has(id)) return true
    return known.get(id) !== lastRowid(database, tableOf(id)) && !isChanged(id)
  })
}

const lastRowid = (database: Database, table: string): number | null =>
  database.prepare<[], number | null>(`SELECT max(rowid) FROM ${table}`).pluck().get() ?? null

/** Removes the index with its triggers, and makes it again, within the transaction that is open. */
export function remakeSearchIndex(database: Database): void {
  for (const [id, { table }] of TEXT_SOURCES.entries()) {
    for (const trigger of searchTriggers(table, id)) {
      const name = /"[^"]+"/.exec(trigger)?.[0]
      database.exec(`DROP TRIGGER IF EXISTS main.${name}`)
    }
  }
  for (const { name } of SEARCH_TABLES) database.exec(`DROP TABLE IF EXISTS main.${name}`)
  createTables(database)
  createTexts(database)
  const sources = sourcesOf(database)
  for (const id of sources) for (const _ of indexTable(database, id));
  noteLastRows(database, sources)
}

function createTables(database: Database): void {
  database.exec(SEARCH_INDEX)
  for (const table of SEARCH_TABLES.slice(1)) database.exec(createStatement(table))
}

function noteLastRows(database: Database, sources: readonly number[]): void {
  const note = database.prepare('UPDATE search_tables SET last_rowid = ? WHERE id = ?')
  for (const id of sources) note.run(lastRowid(database, tableOf(id)), id)
}

/** Pauses between steps, so that the signal is seen. The transaction belongs to this connection alone. */
async function update(database: Database, options: UpdateOptions): Promise<void> {
  if (!hasIndex(database)) createTables(database)
  const texts = createTexts(database)
  // Before the changes are applied: they decide which tables are stale.
  const stale = staleSources(database)
  const sources = sourcesOf(database)
  const total =
    sum(stale.map((id) => charactersOf(database, id))) +
    sum(sources.map((id) => charactersOf(database, id, changesOf(id))))
  const work = [applyChanges(database, sources), ...stale.map((id) => indexTable(database, id))]
  for (const steps of work) {
    for (const _ of steps) {
      options.progress?.({ characters: texts.characters(), total })
      await nextTurn(options.signal)
    }
  }
  noteLastRows(database, sources)
}

const sum = (parts: readonly number[]): number => parts.reduce((all, part) => all + part, 0)

const tableOf = (id: number): string => (TEXT_SOURCES[id] as TextSource).table

/** The sources whose tables exist. */
const sourcesOf = (database: Database): number[] =>
  [...TEXT_SOURCES.keys()].filter((id) => hasRelation(database, tableOf(id)))

/** Defines the SQL function `searchable`, which prepares a text for the index and counts its characters. */
export function createTexts(database: Database): { characters(): number } {
  let characters = 0
  database.function('searchable', (text: unknown) => {
    if (typeof text !== 'string') return null
    characters += text.length
    return splitUnspaced(text)
  })
  return { characters: () => characters }
}

/** The number of characters in the texts of a table; `from` continues the FROM clause. */
export function charactersOf(database: Database, id: number, from = ''): number {
  const { table, title, body } = TEXT_SOURCES[id] as TextSource
  const lengths = [title, body].map((text) => `coalesce(sum(length(${text})), 0)`)
  const characters = database.prepare(`SELECT ${lengths.join(' + ')} FROM ${table} AS o ${from}`)
  return characters.pluck().get() as number
}

/** Joins the changed rows of a table. */
const changesOf = (id: number) => `
  JOIN search_changes AS c ON o.rowid = c.id / ${MOST_SOURCES} AND c.id % ${MOST_SOURCES} = ${id}`

/** The statement that indexes rows of a table; `from` continues the FROM clause. */
function insertStatement(id: number, from = ''): string {
  const { table, title, body } = TEXT_SOURCES[id] as TextSource
  return `
    INSERT INTO search_index (rowid, title, body)
    SELECT o.rowid * ${MOST_SOURCES} + ${id}, searchable(${title}), searchable(${body})
    FROM ${quoteName(table)} AS o ${from}`
}

const hasText = (id: number) => isSearched(TEXT_SOURCES[id] as TextSource)

// After each statement FTS5 writes a segment, to be merged later: few large statements are faster.
const STEP = 20_000

/** Reindexes changed rows. Yields after each step. */
function* applyChanges(database: Database, sources: readonly number[]): Generator<void> {
  const findEnd = database
    .prepare<[], bigint | null>(
      `SELECT max(id) FROM (SELECT id FROM search_changes ORDER BY id LIMIT ${STEP})`,
    )
    .pluck()
    // Rounded to a double, a rowid beyond 2⁵³ would be another row, and the loop would not end.
    .safeIntegers()
  const remove = database.prepare(
    'DELETE FROM search_index WHERE rowid IN (SELECT id FROM search_changes WHERE id <= ?)',
  )
  const inserts = sources.map((id) =>
    database.prepare(`${insertStatement(id, changesOf(id))} WHERE c.id <= ? AND ${hasText(id)}`),
  )
  const done = database.prepare('DELETE FROM search_changes WHERE id <= ?')
  for (let end = findEnd.get(); end != null; end = findEnd.get()) {
    for (const statement of [remove, ...inserts, done]) statement.run(end)
    yield
  }
}

/** Indexes all rows of a table, and has its changes noted from then on. Yields after each step. */
function* indexTable(database: Database, id: number): Generator<void> {
  const { table } = TEXT_SOURCES[id] as TextSource
  const { changes } = database
    .prepare('INSERT OR IGNORE INTO search_tables VALUES (?, ?, NULL)')
    .run(id, table)
  if (changes === 0) {
    database.exec(`DELETE FROM search_index WHERE rowid % ${MOST_SOURCES} = ${id}`)
  }
  yield* indexRows(database, id)
  for (const trigger of searchTriggers(table, id)) {
    database.exec(trigger.replace('CREATE TRIGGER', 'CREATE TRIGGER IF NOT EXISTS'))
  }
}

/** Indexes all rows of a table. Yields after each step. */
export function* indexRows(database: Database, id: number): Generator<void> {
  const { table } = TEXT_SOURCES[id] as TextSource
  const findEnd = database
    .prepare<[bigint], bigint | null>(
      `SELECT max(rowid) FROM (SELECT rowid FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${STEP})`,
    )
    .pluck()
    .safeIntegers()
  const insert = database.prepare(
    `${insertStatement(id)} WHERE o.rowid > ? AND o.rowid <= ? AND ${hasText(id)}`,
  )
  let last = 0n
  for (let end = findEnd.get(last); end != null; end = findEnd.get(end)) {
    insert.run(last, end)
    last = end
    yield
  }
}
