import { setImmediate } from 'node:timers/promises'
import { aFunction, aSignal, checkOptions } from '../check-arguments.ts'
import { openLoadTransaction } from '../database/load-transaction.ts'
import { type Database, openDatabase } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { createStatement } from '../database/schema/relation.ts'
import { hasRelation } from '../database/schema/schema.ts'
import {
  MOST_SOURCES,
  ROWIDS,
  SEARCH_INDEX,
  SEARCH_TABLES,
  searchTriggers,
  TEXT_SOURCES,
  type TextSource,
} from '../database/schema/search-tables.ts'
import { ArchiveError } from '../errors.ts'
import { splitUnspaced } from './split-unspaced.ts'

export interface UpdateOptions {
  /** Is told now and then how far it is: characters of text, and all of them. */
  progress?: ((done: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Makes the index that `searchDatabase` needs in the database at `path`, or brings it up to date, in one
 * transaction. Answers whether there was anything to do. Throws `ArchiveError`, `database-busy` for one.
 */
export async function updateSearchIndex(
  path: string,
  options: UpdateOptions = {},
): Promise<boolean> {
  checkOptions(options, { progress: aFunction, signal: aSignal })
  const before = openDatabase(path)
  const isCurrent = staleSources(before).length === 0 && !hasChanges(before)
  before.close()
  if (isCurrent) return false
  const target = openLoadTransaction(path)
  try {
    await update(target.database, options)
    target.commit()
    return true
  } catch (error) {
    target.abandon()
    if (options.signal?.aborted) throw new ArchiveError('interrupted', 'interrupted', {}, error)
    throw error
  }
}

const hasIndex = (database: Database) => hasRelation(database, 'search_changes')

const hasChanges = (database: Database): boolean =>
  database.prepare('SELECT 1 FROM search_changes LIMIT 1').get() !== undefined

/** The tables, by their ids, that are not in the index, or whose rows are not those that it knows. */
function staleSources(database: Database): number[] {
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

/** One connection's own transaction spans the waits in between, in which others may stop the work. */
async function update(database: Database, options: UpdateOptions): Promise<void> {
  if (!hasIndex(database)) {
    database.exec(SEARCH_INDEX)
    for (const table of SEARCH_TABLES.slice(1)) database.exec(createStatement(table))
  }
  const texts = openTexts(database)
  // Which tables are stale, the changes tell as long as they are there.
  const stale = staleSources(database)
  const sources = sourcesOf(database)
  const total =
    sum(stale.map((id) => charactersOf(database, id))) +
    sum(sources.map((id) => charactersOf(database, id, changesOf(id))))
  const work = [applyChanges(database, sources), ...stale.map((id) => indexTable(database, id))]
  for (const steps of work) {
    for (const _ of steps) {
      options.progress?.(texts.characters(), total)
      await setImmediate()
      options.signal?.throwIfAborted()
    }
  }
  const note = database.prepare('UPDATE search_tables SET last_rowid = ? WHERE id = ?')
  for (const id of sources) note.run(lastRowid(database, tableOf(id)), id)
}

const sum = (parts: readonly number[]): number => parts.reduce((all, part) => all + part, 0)

const tableOf = (id: number): string => (TEXT_SOURCES[id] as TextSource).table

/** The sources whose tables are there. */
const sourcesOf = (database: Database): number[] =>
  [...TEXT_SOURCES.keys()].filter((id) => hasRelation(database, tableOf(id)))

/** Offers the SQL function `searchable`, which makes ready what is to be indexed, and counts. */
function openTexts(database: Database) {
  let characters = 0
  database.function('searchable', (text: unknown) => {
    if (typeof text !== 'string') return null
    characters += text.length
    return splitUnspaced(text)
  })
  return { characters: () => characters }
}

/** Characters of all texts of a table, or of some; `from` goes on behind FROM. */
function charactersOf(database: Database, id: number, from = ''): number {
  const { table, title, body } = TEXT_SOURCES[id] as TextSource
  const lengths = [title, body].map((text) => `coalesce(sum(length(${text})), 0)`)
  const characters = database.prepare(`SELECT ${lengths.join(' + ')} FROM ${table} AS o ${from}`)
  return characters.pluck().get() as number
}

/** The rows of a table that changed. */
const changesOf = (id: number) => `
  JOIN search_changes AS c ON o.rowid = c.id / ${MOST_SOURCES} AND c.id % ${MOST_SOURCES} = ${id}`

/** The statement that indexes rows of a table; `from` goes on behind FROM. */
function insertStatement(id: number, from = ''): string {
  const { table, title, body } = TEXT_SOURCES[id] as TextSource
  return `
    INSERT INTO search_index (rowid, title, body)
    SELECT o.rowid * ${MOST_SOURCES} + ${id}, searchable(${title}), searchable(${body})
    FROM ${quoteName(table)} AS o ${from}`
}

const hasText = (id: number) => {
  const { title, body } = TEXT_SOURCES[id] as TextSource
  return `(${title} <> '' OR ${body} <> '') AND o.rowid ${ROWIDS}`
}

// Each statement makes the index write what it has gathered, and merge it later: few are better.
const STEP = 20_000

/** Takes out what changed, and puts in what it is now; stops now and then. */
function* applyChanges(database: Database, sources: readonly number[]): Generator<void> {
  const findEnd = database
    .prepare<[], bigint | null>(
      `SELECT max(id) FROM (SELECT id FROM search_changes ORDER BY id LIMIT ${STEP})`,
    )
    .pluck()
    // Beyond 2⁵³ a number would be another row than the last one, and this would not end.
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

/** Indexes all rows of a table; stops now and then. */
function* indexTable(database: Database, id: number): Generator<void> {
  const { table } = TEXT_SOURCES[id] as TextSource
  const { changes } = database
    .prepare('INSERT OR IGNORE INTO search_tables VALUES (?, ?, NULL)')
    .run(id, table)
  if (changes === 0) {
    database.exec(`DELETE FROM search_index WHERE rowid % ${MOST_SOURCES} = ${id}`)
  }
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
  database.exec(searchTriggers(table, id))
}
