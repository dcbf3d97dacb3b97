import type { Database } from './database.ts'
import { quoteName } from './quote.ts'
import { AUDIT_LOG, AUDIT_LOG_FILE } from './schema/audit-log.ts'
import { createStatement, type Relation, type RelationColumn } from './schema/relation.ts'

/** No column of the file begins with an underscore, so that a table that begins with these is ours. */
const OWN: readonly RelationColumn[] = [
  {
    name: '_archive',
    type: 'INTEGER NOT NULL',
    description: 'The archive.',
    refersTo: ['archives'],
  },
  {
    name: '_record_number',
    type: 'INTEGER NOT NULL',
    description: 'Number of the line in the file, from 1, without the header.',
  },
]

/** Columns that a file adds, and those of a table of many files, at most; and characters of their names. */
export const MOST_COLUMNS = 200
const MOST_IN_ALL = 1000
const LONGEST_NAME = 60

/** Stores an audit log, line by line. */
export interface AuditLogStore {
  /** Begins a file with the names of its columns. Replaces an earlier file of the same archive. */
  begin(header: readonly string[]): void
  /** Adds a line. Cells beyond the header are left out, missing ones are NULL. */
  add(cells: readonly string[]): void
  /** Leaves the lines of files that the database still has. */
  finish(): void
}

/**
 * Opens a store for the audit log of an archive. The table is made for the first one, and gets the columns that a later one
 * has in addition. Stores nothing if another table has its name.
 */
export function openAuditLogStore(database: Database, archive: number): AuditLogStore {
  let insert: ((cells: readonly string[]) => void) | undefined
  return {
    begin(header) {
      insert = undefined
      const names = columnNames(header)
      const known = columnsOf(database)
      if (known.length > 0 && !isOurs(known)) return
      if (known.length === 0) database.exec(createStatement(relationOf(names)))
      else addColumns(database, known, names)
      database.prepare(`DELETE FROM ${AUDIT_LOG} WHERE _archive = ?`).run(archive)
      insert = openInsert(database, archive, names)
    },
    add: (cells) => insert?.(cells),
    finish() {
      if (!isOurs(columnsOf(database))) return
      database.exec(`DELETE FROM ${AUDIT_LOG}
        WHERE _archive NOT IN (SELECT archive FROM files WHERE path = '${AUDIT_LOG_FILE}')`)
    },
  }
}

/** Inserts the cells that the table has columns for. */
function openInsert(database: Database, archive: number, names: readonly string[]) {
  const there = foldedSet(columnsOf(database))
  const places = names.flatMap((name, i) => (there.has(name.toLowerCase()) ? [i] : []))
  const all = [...OWN.map(({ name }) => name), ...places.map((i) => names[i] as string)]
  const statement = database.prepare(
    `INSERT INTO ${AUDIT_LOG} (${all.map(quoteName).join(', ')})
     VALUES (${all.map(() => '?').join(', ')})`,
  )
  let lines = 0
  return (cells: readonly string[]) =>
    void statement.run(archive, ++lines, ...places.map((i) => cells[i] ?? null))
}

/** The table of the audit log, if the database has one. */
export function describeAuditLog(database: Database): Relation | undefined {
  const columns = columnsOf(database)
  return isOurs(columns) ? relationOf(columns.slice(OWN.length)) : undefined
}

const relationOf = (names: readonly string[]): Relation => ({
  name: AUDIT_LOG,
  type: 'table',
  summary: `The lines of ${AUDIT_LOG_FILE} in exports of accounts. A build writes the file as it was.`,
  columns: [
    ...OWN,
    ...names.map((name) => ({ name, type: 'TEXT', description: `As in ${AUDIT_LOG_FILE}.` })),
  ],
})

/** The columns of the table or view with that name, in upper or lower case. */
const columnsOf = (database: Database): string[] =>
  database
    .prepare<[string], string>(
      `SELECT c.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
       WHERE lower(t.name) = ? AND t.type IN ('table', 'view')`,
    )
    .pluck()
    .all(AUDIT_LOG)

const isOurs = (columns: readonly string[]): boolean =>
  OWN.every(({ name }, i) => columns[i] === name)

/** Adds the columns that the table lacks, as long as it has not too many. */
function addColumns(database: Database, known: readonly string[], names: readonly string[]): void {
  const there = foldedSet(known)
  const fresh = names.filter((name) => !there.has(name.toLowerCase()))
  for (const name of fresh.slice(0, Math.max(0, MOST_IN_ALL - known.length))) {
    database.exec(`ALTER TABLE ${AUDIT_LOG} ADD COLUMN ${quoteName(name)} TEXT`)
  }
}

/** SQLite ignores case in names. */
const foldedSet = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.toLowerCase()))

/** Names of columns that SQL can say without quotes, each once: `actor_ip` of `actor_ip`, `timestamp` of `@timestamp`. */
function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>()
  return header.slice(0, MOST_COLUMNS).map((text) => {
    const words = text.slice(0, 10 * LONGEST_NAME).match(/[A-Za-z0-9]+/g) ?? []
    const plain = words.join('_').slice(0, LONGEST_NAME) || 'column'
    const name = /^\d/.test(plain) ? `column_${plain}` : plain
    let free = name
    for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name}_${i}`
    taken.add(free.toLowerCase())
    return free
  })
}
