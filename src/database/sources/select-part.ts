import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import type { Database } from '../database.ts'
import { quoteName } from '../quote.ts'
import { recordTables } from '../rows/read-record.ts'
import { AUDIT_LOG } from '../schema/audit-log.ts'
import { KIND_OF_ENTRY, kindTable, SHARED } from '../schema/kind-table.ts'
import { createStatement } from '../schema/relation.ts'
import { addIndexes, RELATIONS } from '../schema/schema.ts'
import { unknownKind } from '../schema/unknown-kind.ts'
import { NUMBERED, type Numbered, type OrderedPart } from './order-databases.ts'

export const TABLES = RELATIONS.filter(({ type }) => type === 'table')
const KNOWN = new Map(TABLES.map((table) => [table.name, table]))

/** Tables of contents, of what only a build needs, and of what does not hold for several databases. */
const LEFT_OUT = new Set(['chunks', 'file_chunks', 'tar_headers', 'row_checksums', 'event_types'])

/** The tables of an attached database whose rows are those of several. That of the files, which tell the repositories, is the last. */
export function tablesOf(database: Database, schema: string): string[] {
  const names = new Set([...KNOWN.keys(), ...recordTables(database, schema), AUDIT_LOG])
  const there = database
    .prepare<[], string>(
      `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name <> 'files'`,
    )
    .pluck()
    .all()
  return [...there.filter((name) => names.has(name) && !LEFT_OUT.has(name)), 'files']
}

/** Makes the table of an unknown kind, or of the audit log, with the columns that an attached database has. */
export function makeTable(database: Database, name: string, schema: string): void {
  if (KNOWN.has(name)) return
  const columns = storedColumns(database, schema, name)
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
export const storedColumns = (database: Database, schema: string, table: string): string[] =>
  database
    .prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?) ORDER BY cid')
    .pluck()
    .all(table, schema)

/** A database of those whose rows take the place of others, with the tables that it has. */
export interface NewerPart {
  readonly schema: string
  readonly tables: ReadonlySet<string>
}

/** The archives that newer databases have as well, and the stored columns of a table. */
export interface Repeated {
  readonly archives: readonly bigint[]
  readonly columns: readonly string[]
}

/** The archives of an attached database that newer ones have as well. */
export const repeatedArchives = (
  database: Database,
  schema: string,
  newer: readonly string[],
): bigint[] =>
  newer.flatMap((other) =>
    database
      .prepare<[], bigint>(
        `SELECT id FROM ${schema}.archives WHERE sha256 IN (SELECT sha256 FROM ${other}.archives)`,
      )
      .pluck()
      .safeIntegers()
      .all(),
  )

/**
 * Whether newer databases replace a row `o` of a table, in SQL; undefined if they replace none. What has no url is replaced with its
 * archive.
 */
export function isReplaced(
  table: string,
  newer: readonly NewerPart[],
  repeated: Repeated,
): string | undefined {
  const byRow = newer.flatMap(({ schema, tables }) =>
    replacing(table)
      .filter((rule) => tables.has(rule.table))
      .map(
        ({ table, on }) => `EXISTS (SELECT 1 FROM ${schema}.${quoteName(table)} AS n WHERE ${on})`,
      ),
  )
  const found = [...byRow, ...byArchive(repeated)]
  return found.length > 0 ? found.join(' OR ') : undefined
}

/** The value of a column of a row `o` among several databases: ids go on from those of the older ones. */
export function columnValue(table: string, column: string, before: OrderedPart['before']): string {
  if (table === 'files' && column === 'stored') return '0'
  const value = `o.${quoteName(column)}`
  const ids = idsIn(table, column)
  // With the type of a column, as SQLite looks at before it uses an index.
  return ids && before[ids] !== '0' ? `CAST(${value} + ${before[ids]} AS INTEGER)` : value
}

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
  archives: [{ table: 'archives', on: 'n.sha256 = o.sha256' }],
  files: [
    BY_REPOSITORY,
    { table: 'files', on: 'n.path = o.path AND n.repository IS NULL AND o.repository IS NULL' },
  ],
  refs: [BY_REPOSITORY],
  git_packs: [BY_REPOSITORY],
  commits: [BY_REPOSITORY],
  commits_files: [BY_REPOSITORY],
}

/** Whether a row without a url is of an archive that newer databases have as well; nothing for a table without archives. */
function byArchive({ archives, columns }: Repeated): string[] {
  const archive = ['_archive', 'archive'].find((name) => columns.includes(name))
  if (archives.length === 0 || !archive) return []
  const isNameless = columns.includes('url') ? 'o.url IS NULL AND ' : ''
  return [`(${isNameless}o.${archive} IN (${archives.join(', ')}))`]
}

/** The rows of newer databases that take the place of a row of a table, as in a load: by URL. */
function replacing(name: string): readonly Rule[] {
  const isOther =
    name === AUDIT_LOG || KNOWN.get(name)?.columns.every((column) => column.name !== 'url')
  return RULES[name] ?? (isOther ? [] : [{ table: name, on: SAME_URL }])
}
