import { rmSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { throwIfInterrupted } from '../../base/errors.ts'
import { partialOf } from '../../files/partial-file.ts'
import { publishFile } from '../../files/write-file.ts'
import { openConnection } from '../connection.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { quoteName, quoteText } from '../quote.ts'
import { createStatement } from '../schema/relation.ts'
import { completeTables, completeViews, createSchema, RELATIONS } from '../schema/schema.ts'
import { SOURCE_COLUMN, withSource } from '../schema/with-source.ts'
import { refuseStandIns } from '../secure-connection.ts'
import { parseSqliteError } from '../sqlite-messages.ts'
import { type MergedPart, NUMBERED, type OrderedPart, oldestFirst } from './order-databases.ts'
import {
  columnValue,
  isReplaced,
  makeTable,
  repeatedArchives,
  storedColumns,
  tablesOf,
} from './select-part.ts'
import { writeSources } from './write-sources.ts'

/**
 * Databases that are attached rather than merged. A connection can attach ten, but SQLite takes a statement apart for each: with ten,
 * some saved queries take 580 MB and seconds before they begin; with four, 130 MB.
 */
export const MOST_ATTACHED = 4

/**
 * Tables of `writeMergedSchema`, with names that no kind can have: the databases, the newest first, and the rows of each that
 * newer ones replace.
 */
const PARTS = quoteName('attached parts')
const REPLACED = quoteName('replaced rows')
const OWN_TABLES = `CREATE TABLE ${PARTS} (schema TEXT, path TEXT, source TEXT, before TEXT);
CREATE TABLE ${REPLACED} (part TEXT, "table" TEXT, "row" INTEGER, PRIMARY KEY (part, "table", "row")) WITHOUT ROWID`

/**
 * Writes a new database with the tables and views of several, and which rows newer ones replace: to look for these in each statement
 * would take longer, and SQLite accepts a limited number of subqueries. `attachDatabases` reads the rows where they are.
 *
 * Throws as `openDatabase` does, and `interrupted`.
 */
export async function writeMergedSchema(
  parts: readonly MergedPart[],
  path: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const newestFirst = oldestFirst(parts).reverse()
  const partial = partialOf(path)
  const database = openConnection(partial, { name: path })
  try {
    database.pragma('synchronous = OFF')
    createSchema(database)
    database.exec(OWN_TABLES)
    const insert = database.prepare(`INSERT INTO ${PARTS} VALUES (?, ?, ?, ?)`)
    const attached: AttachedPart[] = []
    for (const [i, part] of newestFirst.entries()) {
      await turn()
      throwIfInterrupted(signal)
      const schema = `part_${i + 1}`
      insert.run(schema, part.path, part.source, JSON.stringify(part.before))
      const { tables } = attach(database, { ...part, schema })
      const archives = repeatedArchives(
        database,
        schema,
        attached.map((newer) => newer.schema),
      )
      // As in a merge, a person with records of two kinds has the first of them.
      const done = new Set<string>()
      for (const table of tables) {
        makeTable(database, table, schema)
        const newer = [...attached, { schema, tables: done }]
        const columns = storedColumns(database, schema, table)
        noteReplaced(database, table, schema, isReplaced(table, newer, { archives, columns }))
        done.add(table)
      }
      attached.push({ ...part, schema, tables })
    }
    completeTables(database)
    completeViews(database)
    writeSources(database, [])
    database.close()
    publishFile(partial, path, { force: false })
  } finally {
    database.close()
    for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
  }
}

function noteReplaced(
  database: Database,
  table: string,
  schema: string,
  replaced: string | undefined,
): void {
  if (replaced === undefined) return
  database.exec(
    `INSERT INTO ${REPLACED} SELECT '${schema}', ${quoteText(table)}, o.rowid FROM ${schema}.${quoteName(table)} AS o WHERE ${replaced}`,
  )
}

interface NamedPart extends OrderedPart {
  /** Its name in the connection. */
  readonly schema: string
}

interface AttachedPart extends NamedPart {
  readonly tables: ReadonlySet<string>
}

function attach(database: Database, part: NamedPart): AttachedPart {
  database.exec(`ATTACH ${quoteText(part.path)} AS ${part.schema}`)
  refuseStandIns(database, part.schema, part.path)
  return { ...part, tables: new Set(tablesOf(database, part.schema)) }
}

/**
 * Opens several databases as one with the tables, views and rows that `mergeDatabases` gives them, but for the rowids: its tables
 * are temporary views over the tables of all. Statements that `isTooMuch` may fail.
 *
 * @param path what `writeMergedSchema` wrote, which names the databases: never a file of others
 * @throws as `openDatabase` does
 */
export function attachDatabases(path: string): Database {
  const database = openDatabase(path)
  try {
    const attached = readParts(database).map((part) => attach(database, part))
    const tables = new Set(attached.flatMap((part) => [...part.tables]))
    const views = RELATIONS.filter(({ type }) => type === 'view').map((view) =>
      createStatement(withSource(view)).replace('CREATE VIEW', 'CREATE TEMP VIEW'),
    )
    const statements = [...tables].map((table) => viewOverParts(database, table, attached))
    database.exec([...statements, ...views].join(';\n'))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const readParts = (database: Database): NamedPart[] =>
  database
    .prepare<[], Record<keyof NamedPart, string>>(`SELECT * FROM ${PARTS}`)
    .all()
    .map(({ before, ...part }) => ({ ...part, before: JSON.parse(before) }))

/** The view over a table of all databases. Each has all columns, with the same types: only then SQLite uses the indexes of each. */
function viewOverParts(
  database: Database,
  table: string,
  attached: readonly AttachedPart[],
): string {
  const columns = columnsOf(database, 'main', table)
  const hasReplaced = database.prepare(
    `SELECT 1 FROM ${REPLACED} WHERE part = ? AND "table" = ? LIMIT 1`,
  )
  // Tables with ids are in their order, as in a merge.
  const isNumbered = NUMBERED.some((name) => name === table)
  const selects = (isNumbered ? attached.toReversed() : attached).flatMap(
    ({ schema, tables, before, source }) => {
      if (!tables.has(table)) return []
      const theirs = new Set(columnsOf(database, schema, table).map(({ name }) => name))
      const values = columns.map(({ name, type }) => {
        if (name === SOURCE_COLUMN) return `CAST(${quoteText(source)} AS TEXT)`
        return theirs.has(name) ? columnValue(table, name, before) : `CAST(NULL AS ${type})`
      })
      const kept = `NOT EXISTS (SELECT 1 FROM main.${REPLACED} AS n
  WHERE n.part = '${schema}' AND n."table" = ${quoteText(table)} AND n."row" = o.rowid)`
      const where = hasReplaced.get(schema, table) === undefined ? '' : ` WHERE ${kept}`
      return [`SELECT ${values.join(', ')} FROM ${schema}.${quoteName(table)} AS o${where}`]
    },
  )
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  return `CREATE TEMP VIEW ${quoteName(table)} (${names}) AS\n${selects.join('\nUNION ALL ')}`
}

/** The columns of a table, generated ones as well, with the first words of their types. */
const columnsOf = (database: Database, schema: string, table: string) =>
  database
    .prepare<[string, string], { name: string; type: string }>(
      'SELECT name, type FROM pragma_table_xinfo(?, ?) ORDER BY cid',
    )
    .all(table, schema)
    .map(({ name, type }) => ({ name, type: /^\w+/.exec(type)?.[0] ?? 'BLOB' }))

/**
 * Whether attached databases cannot answer a statement as merged ones do: it joins more tables than SQLite can take apart, it
 * names rowids, or tables by the name of the main database.
 */
export function isTooMuch(database: Database, sql: string): boolean {
  if (MAIN.test(sql)) return true
  try {
    database.prepare(sql)
    return false
  } catch (error) {
    const { fault, name = '' } = parseSqliteError(error) ?? {}
    return fault === 'too-complex' || (fault === 'column-unknown' && ROWID.test(name))
  }
}

// A comment may stand before the point.
const MAIN = /\bmain["'`\]]?\s*(?:\.|--|\/\*)/i
const ROWID = /(?:^|\.)(?:rowid|_rowid_|oid)$/i
