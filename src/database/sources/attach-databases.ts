import { rmSync } from 'node:fs'
import { nextTurn } from '../../base/next-turn.ts'
import { partialOf } from '../../files/partial-file.ts'
import { publishFile } from '../../files/write-file.ts'
import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import { openConnection } from '../connection.ts'
import type { Database } from '../database.ts'
import { attachedTo } from '../large-row.ts'
import { openDatabase } from '../open-database.ts'
import { quoteName, quoteText } from '../quote.ts'
import { createStatement } from '../schema/relation.ts'
import { completeTables, completeViews, createSchema, RELATIONS } from '../schema/schema.ts'
import { SOURCE_COLUMN, withSource } from '../schema/with-source.ts'
import { refuseStandIns } from '../secure-connection.ts'
import { parseSqliteError } from '../sqlite-messages.ts'
import { MOST_ATTACHED, TABLES_OF_ATTACHED } from './attached-tables.ts'
import { copyTable, sourcesOf } from './copy-table.ts'
import { type MergedPart, NUMBERED, type OrderedPart, oldestFirst } from './order-databases.ts'
import {
  columnValue,
  isReplaced,
  makeTable,
  repeatedArchives,
  storedColumns,
  tablesOf,
} from './select-part.ts'
import { type SourceOfArchive, writeSources } from './write-sources.ts'

/** KiB of pages that SQLite keeps for all of them together, as for one database. */
const CACHE_SIZE = 16_000

/** The databases, the newest first, and the rows of each that newer ones replace. */
const [PARTS, REPLACED] = TABLES_OF_ATTACHED.map(quoteName) as [string, string]
const OWN_TABLES = `CREATE TABLE ${PARTS} (schema TEXT, path TEXT, source TEXT, before TEXT);
CREATE TABLE ${REPLACED} (part TEXT, "table" TEXT, "row" INTEGER, PRIMARY KEY (part, "table", "row")) WITHOUT ROWID`

/**
 * Writes a new database with the tables and views of several, and which rows newer ones replace: to look for these in each statement
 * would take longer, and SQLite accepts a limited number of subqueries. `attachDatabases` reads the rows where they are, but those
 * of people are copied: the views look for logins in every line, and SQLite would repeat this for each database.
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
    const sources: SourceOfArchive[] = []
    for (const [i, part] of newestFirst.entries()) {
      await nextTurn(signal)
      const schema = `part_${i + 1}`
      insert.run(schema, part.path, part.source, JSON.stringify(part.before))
      const { tables } = attach(database, { ...part, schema })
      const archives = repeatedArchives(
        database,
        schema,
        attached.map((newer) => newer.schema),
      )
      for (const table of tables) {
        if (isCopied(table)) {
          copyTable(database, table, { schema, before: part.before, archives })
          continue
        }
        makeTable(database, table, schema)
        const columns = storedColumns(database, schema, table)
        noteReplaced(database, table, schema, isReplaced(table, attached, { archives, columns }))
      }
      attached.push({ ...part, schema, tables })
      sources.push(...sourcesOf(database, { ...part, schema }))
    }
    completeTables(database)
    completeViews(database)
    writeSources(database, sources)
    database.close()
    publishFile(partial, path, { force: false })
  } finally {
    database.close()
    for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
  }
}

const isCopied = (table: string) => PEOPLE_TABLES.some((name) => name === table)

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
 * @param most how many of the databases, the newest first
 * @throws as `openDatabase` does
 */
export function attachDatabases(path: string, most = MOST_ATTACHED): Database {
  const database = openDatabase(path)
  try {
    const parts = readParts(database).slice(0, most)
    const attached = parts.map((part) => attach(database, part))
    for (const { schema } of parts) {
      database.pragma(`${schema}.cache_size = -${Math.ceil(CACHE_SIZE / parts.length)}`)
    }
    const tables = new Set(attached.flatMap((part) => [...part.tables]))
    const views = RELATIONS.filter(({ type }) => type === 'view').map((view) =>
      createStatement(withSource(view)).replace('CREATE VIEW', 'CREATE TEMP VIEW'),
    )
    const statements = [...tables]
      .filter((table) => !isCopied(table))
      .map((table) => viewOverParts(database, table, attached))
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
 * Whether attached databases cannot answer a statement as merged ones do: it joins more tables than SQLite can take apart, or into
 * too many parts, it names rowids, or tables by the name of the main database.
 */
export function isTooMuch(database: Database, sql: string): boolean {
  if (MAIN.test(sql) || stepsExpected(database, sql) > MOST_STEPS) return true
  try {
    database.prepare(sql)
    return false
  } catch (error) {
    const { fault, name = '' } = parseSqliteError(error) ?? {}
    return fault === 'too-complex' || (fault === 'column-unknown' && ROWID.test(name))
  }
}

/** Steps of a plan, at most. SQLite makes one of 10,000 in 0.2 s and 100 MB, and of 60,000 in 2 s. */
const MOST_STEPS = 20_000

/**
 * How many steps the plan of a statement would have. SQLite repeats what is joined or in parentheses for each database, which may
 * take all memory; so it is asked for the plans over one and two of them. 0 if there are no more, or if a plan has a fault.
 */
function stepsExpected(database: Database, sql: string): number {
  const parts = attachedTo(database).length
  if (parts <= 2) return 0
  const one = stepsOver(openDatabase(database.name), sql)
  // Over two databases they may be some times as many.
  if (one > MOST_STEPS / 8) return one * 8
  const two = stepsOver(attachDatabases(database.name, 2), sql)
  return one === 0 ? 0 : two * (two / one) ** Math.log2(parts / 2)
}

function stepsOver(database: Database, sql: string): number {
  // A value is needed for each parameter, and any will do.
  const asked = sql.replace(/[:@$]\w+/g, 'NULL')
  try {
    return database.prepare(`EXPLAIN QUERY PLAN ${asked}`).all().length
  } catch {
    return 0
  } finally {
    database.close()
  }
}

// A comment may stand before the point.
const MAIN = /\bmain["'`\]]?\s*(?:\.|--|\/\*)/i
const ROWID = /(?:^|\.)(?:rowid|_rowid_|oid)$/i
