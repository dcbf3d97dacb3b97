import { rmSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { throwIfInterrupted } from '../../base/errors.ts'
import { formatTime } from '../../base/format-time.ts'
import { compareTexts } from '../../base/text.ts'
import { partialOf } from '../../files/partial-file.ts'
import { publishFile } from '../../files/write-file.ts'
import { newestRecord } from '../archive-dates.ts'
import { openConnection } from '../connection.ts'
import type { Database } from '../database.ts'
import { refuseLargeCells } from '../large-cells.ts'
import { openDatabase } from '../open-database.ts'
import { quoteName, quoteText } from '../quote.ts'
import { recordTables } from '../rows/read-record.ts'
import { AUDIT_LOG } from '../schema/audit-log.ts'
import { PEOPLE_TABLES } from '../schema/facts/people.ts'
import { KIND_OF_ENTRY, kindTable, SHARED } from '../schema/kind-table.ts'
import { createStatement, type Relation } from '../schema/relation.ts'
import {
  addIndexes,
  completeIndexes,
  completeTables,
  completeViews,
  createSchema,
  RELATIONS,
} from '../schema/schema.ts'
import { unknownKind } from '../schema/unknown-kind.ts'
import { refuseStandIns } from '../secure-connection.ts'
import { type SourceOfArchive, writeSources } from './write-sources.ts'

/** A database that is merged with others. */
export interface MergedPart {
  /** The path of the database. */
  readonly path: string
  /** The name of the source in the column `_source`. */
  readonly source: string
}

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
  const ordered = oldestFirst(parts)
  const partial = partialOf(path)
  const database = openConnection(partial, { name: path })
  try {
    database.pragma('synchronous = OFF')
    database.pragma('page_size = 16384')
    database.pragma('cache_size = -16384')
    database.pragma('journal_mode = OFF')
    createSchema(database)
    const tables = LOOKED_UP.map((name) => KNOWN.get(name) as Relation)
    for (const { name, indexes = [] } of tables) {
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

/** Tables whose rows have an id of their own. */
const NUMBERED = ['archives', 'entries', 'files'] as const
type Numbered = (typeof NUMBERED)[number]
type Ids = Readonly<Record<Numbered, bigint>>

interface OrderedPart extends MergedPart {
  /** The highest ids in the older databases, together. */
  readonly before: Ids
}

const TABLES = RELATIONS.filter(({ type }) => type === 'table')
const KNOWN = new Map(TABLES.map((table) => [table.name, table]))

/** Tables of contents, of what only a build needs, and of what does not hold for several databases. */
const LEFT_OUT = new Set(['chunks', 'file_chunks', 'tar_headers', 'row_checksums', 'event_types'])

/** Indexes by which rows are looked up while databases are merged. */
const FIRST = /_by_url$|^files_by_(?:path|repository)$/
const LOOKED_UP = TABLES.filter(({ indexes = [] }) =>
  indexes.some(({ name }) => FIRST.test(name)),
).map(({ name }) => name)

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
      .map((id) => ({ archive: id + before.archives, source }))
    for (const name of tablesOf(database)) addTable(database, name, before)
    database.exec('COMMIT')
    return sources
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK')
    database.exec('DETACH part')
  }
}

/** The tables to copy. That of the files is the last: which repositories are there already follows from it. */
function tablesOf(database: Database): string[] {
  const names = new Set([...KNOWN.keys(), ...recordTables(database, 'part'), AUDIT_LOG])
  const there = database
    .prepare<[], string>(
      "SELECT name FROM part.sqlite_schema WHERE type = 'table' AND name <> 'files'",
    )
    .pluck()
    .all()
  return [...there.filter((name) => names.has(name) && !LEFT_OUT.has(name)), 'files']
}

function addTable(database: Database, name: string, before: Ids): void {
  const theirs = storedColumns(database, 'part', name)
  if (!KNOWN.has(name)) makeTable(database, name, theirs)
  const ours = new Set(storedColumns(database, 'main', name))
  const columns = theirs.filter((column) => ours.has(column))
  const values = columns.map((column) => {
    if (name === 'files' && column === 'stored') return '0'
    const ids = idsIn(name, column)
    return ids ? `o.${quoteName(column)} + ${before[ids]}` : `o.${quoteName(column)}`
  })
  const where = replacing(name).map(
    ({ table, on }) => `NOT EXISTS (SELECT 1 FROM main.${quoteName(table)} AS n WHERE ${on})`,
  )
  database.exec(`INSERT OR IGNORE INTO main.${quoteName(name)} (${columns.map(quoteName).join(', ')})
SELECT ${values.join(', ')} FROM part.${quoteName(name)} AS o${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''}`)
}

/** Makes the table of an unknown kind, or of the audit log. */
function makeTable(database: Database, name: string, columns: readonly string[]): void {
  const has = database.prepare("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
  if (has.get(name) === undefined) {
    if (name === AUDIT_LOG) {
      database.exec(
        `CREATE TABLE main.${quoteName(name)} (${columns.map((column) => `${quoteName(column)} TEXT`).join(', ')})`,
      )
    } else {
      const table = kindTable(name, unknownKind(name))
      database.exec(createStatement(table, { whole: true }))
      addIndexes(database, table)
    }
  }
  const ours = new Set(storedColumns(database, 'main', name))
  for (const column of columns) {
    if (!ours.has(column)) {
      database.exec(`ALTER TABLE main.${quoteName(name)} ADD COLUMN ${quoteName(column)} TEXT`)
    }
  }
}

/** The columns that are not generated, in their order. */
const storedColumns = (database: Database, schema: string, table: string): string[] =>
  database
    .prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?) ORDER BY cid')
    .pluck()
    .all(table, schema)

/** The table to whose ids a column belongs; undefined for any other column. */
function idsIn(table: string, column: string): Numbered | undefined {
  const own = NUMBERED.find((name) => name === table)
  if (own && column === 'id') return own
  if (column === '_archive') return 'archives'
  const found = KNOWN.get(table)?.columns.find(({ name }) => name === column)
  if (!found?.type.startsWith('INTEGER')) return undefined
  return NUMBERED.find((name) => found.refersTo?.includes(name))
}

interface Rule {
  readonly table: string
  /** Whether a row `n` of that table takes the place of a row `o`. */
  readonly on: string
}

const SAME_URL = 'n.url = o.url'
const kindOf = (alias: string) => KIND_OF_ENTRY.replaceAll('"_entry"', `${alias}."_entry"`)

/** A repository comes from one database as a whole. */
const BY_REPOSITORY: Rule = { table: 'files', on: 'n.repository = o.repository' }

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  // One URL is one person.
  ...Object.fromEntries(
    PEOPLE_TABLES.map((name) => [name, PEOPLE_TABLES.map((table) => ({ table, on: SAME_URL }))]),
  ),
  [SHARED]: [{ table: SHARED, on: `${SAME_URL} AND ${kindOf('n')} = ${kindOf('o')}` }],
  files: [
    BY_REPOSITORY,
    { table: 'files', on: 'n.path = o.path AND n.repository IS NULL AND o.repository IS NULL' },
  ],
  refs: [BY_REPOSITORY],
  git_packs: [BY_REPOSITORY],
  commits: [BY_REPOSITORY],
  commits_files: [BY_REPOSITORY],
}

/** The rows of newer databases that take the place of a row of a table, as in a load: by URL. */
function replacing(name: string): readonly Rule[] {
  const isOther =
    name === AUDIT_LOG || KNOWN.get(name)?.columns.every((column) => column.name !== 'url')
  return RULES[name] ?? (isOther ? [] : [{ table: name, on: SAME_URL }])
}

/**
 * Sorts databases by when they were exported, as a load does that keeps the newest records: by the times of their record
 * files, or by their newest record if that is later or the times are equal. Of the same age the name decides.
 */
function oldestFirst(parts: readonly MergedPart[]): OrderedPart[] {
  const dated = parts
    .map((part) => ({ part, ...factsOf(part.path) }))
    .sort(
      (a, b) =>
        compareTexts(a.age, b.age) ||
        compareTexts(a.newest, b.newest) ||
        compareTexts(a.part.source, b.part.source),
    )
  const before = { archives: 0n, entries: 0n, files: 0n }
  return dated.map(({ part, ids }) => {
    const ordered = { ...part, before: { ...before } }
    for (const name of NUMBERED) before[name] += ids[name]
    return ordered
  })
}

/** The age of a database, and its highest ids. Opening it rolls back a load that was killed. */
function factsOf(path: string): { age: string; newest: string; ids: Ids } {
  const database = openDatabase(path)
  try {
    refuseLargeCells(database)
    const number = (sql: string) =>
      database.prepare<[], bigint | null>(sql).pluck().safeIntegers().get() ?? 0n
    const exported = database
      .prepare<[], string | null>('SELECT max(exported_at) FROM archives')
      .pluck()
      .get()
    const newest = newestRecord(database)
    const made = newest === 0 ? '' : formatTime(newest)
    return {
      age: exported && exported > made ? exported : made,
      newest: made,
      ids: {
        archives: number('SELECT max(id) FROM archives'),
        entries: number('SELECT max(id) FROM entries'),
        files: number('SELECT max(id) FROM files'),
      },
    }
  } finally {
    database.close()
  }
}
