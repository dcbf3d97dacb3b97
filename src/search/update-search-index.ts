import { setImmediate } from 'node:timers/promises'
import { openTarget } from '../database/load-target.ts'
import { type Database, fromSqlite, openDatabase } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { createStatement } from '../database/relation.ts'
import { hasRelation } from '../database/schema.ts'
import {
  MOST_SOURCES,
  ROWIDS,
  SEARCH_INDEX,
  SEARCH_TABLES,
  searchTriggers,
  TEXT_SOURCES,
} from '../database/search-tables.ts'
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
  const before = openDatabase(path)
  const isCurrent = staleSources(before).length === 0 && !hasChanges(before)
  before.close()
  if (isCurrent) return false
  const target = openTarget(path)
  try {
    await update(target.database, options)
    target.commit()
    return true
  } catch (error) {
    target.abandon()
    if (options.signal?.aborted) throw new ArchiveError('interrupted', 'interrupted', {}, error)
    throw fromSqlite(error, path)
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
  return [...TEXT_SOURCES.keys()].filter((id) => {
    const { table } = TEXT_SOURCES[id] as (typeof TEXT_SOURCES)[number]
    if (!hasRelation(database, table)) return false
    if (!known.has(id)) return true
    return known.get(id) !== lastRowid(database, table) && !isChanged(id)
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
  applyChanges(database)
  const stale = staleSources(database)
  const total = stale.map((id) => charactersOf(database, id)).reduce((sum, part) => sum + part, 0)
  for (const id of stale) {
    for (const _ of indexTable(database, id)) {
      options.progress?.(texts.characters(), total)
      await setImmediate()
      options.signal?.throwIfAborted()
    }
  }
  const note = database.prepare('UPDATE search_tables SET last_rowid = ? WHERE id = ?')
  for (const [id, { table }] of TEXT_SOURCES.entries()) {
    if (hasRelation(database, table)) note.run(lastRowid(database, table), id)
  }
}

/** Offers the SQL function `searchable`, which makes ready what is to be indexed, and counts. */
function openTexts(database: Database) {
  let characters = 0
  database.function('searchable', (text) => {
    if (typeof text !== 'string') return null
    characters += text.length
    return splitUnspaced(text)
  })
  return { characters: () => characters }
}

function charactersOf(database: Database, id: number): number {
  const { table, title, body } = TEXT_SOURCES[id] as (typeof TEXT_SOURCES)[number]
  const lengths = [title, body].map((text) => `coalesce(sum(length(${text})), 0)`)
  const sum = database.prepare(`SELECT ${lengths.join(' + ')} FROM ${table} AS o`)
  return sum.pluck().get() as number
}

/** The statement that indexes rows of a table; `from` goes on behind FROM. */
function insertStatement(id: number, from = ''): string {
  const { table, title, body } = TEXT_SOURCES[id] as (typeof TEXT_SOURCES)[number]
  return `
    INSERT INTO search_index (rowid, title, body)
    SELECT o.rowid * ${MOST_SOURCES} + ${id}, searchable(${title}), searchable(${body})
    FROM ${quoteName(table)} AS o ${from}`
}

const hasText = (id: number) => {
  const { title, body } = TEXT_SOURCES[id] as (typeof TEXT_SOURCES)[number]
  return `(${title} <> '' OR ${body} <> '') AND o.rowid ${ROWIDS}`
}

/** Takes out what changed, and puts in what it is now. */
function applyChanges(database: Database): void {
  if (!hasChanges(database)) return
  database.exec('DELETE FROM search_index WHERE rowid IN (SELECT id FROM search_changes)')
  for (const [id, { table }] of TEXT_SOURCES.entries()) {
    if (!hasRelation(database, table)) continue
    database.exec(`
      ${insertStatement(id)} JOIN search_changes AS c ON o.rowid = c.id / ${MOST_SOURCES}
      WHERE c.id % ${MOST_SOURCES} = ${id} AND ${hasText(id)}`)
  }
  database.exec('DELETE FROM search_changes')
}

// Each statement makes the index write what it has gathered, and merge it later: few are better.
const STEP = 20_000

/** Indexes all rows of a table; stops now and then. */
function* indexTable(database: Database, id: number): Generator<void> {
  const { table } = TEXT_SOURCES[id] as (typeof TEXT_SOURCES)[number]
  const { changes } = database
    .prepare('INSERT OR IGNORE INTO search_tables VALUES (?, ?, NULL)')
    .run(id, table)
  if (changes === 0) {
    database.exec(`DELETE FROM search_index WHERE rowid % ${MOST_SOURCES} = ${id}`)
  }
  const findEnd = database
    .prepare<[number], number | null>(
      `SELECT max(rowid) FROM (SELECT rowid FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${STEP})`,
    )
    .pluck()
  const insert = database.prepare(
    `${insertStatement(id)} WHERE o.rowid > ? AND o.rowid <= ? AND ${hasText(id)}`,
  )
  let last = 0
  for (let end = findEnd.get(last); end != null; end = findEnd.get(end)) {
    insert.run(last, end)
    last = end
    yield
  }
  database.exec(searchTriggers(table, id))
}
