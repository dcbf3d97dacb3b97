import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { ArchiveError } from '../base/errors.ts'
import type { Database } from './database.ts'
import { AUDIT_LOG } from './schema/audit-log.ts'
import { plainSql } from './schema/plain-sql.ts'
import { createStatement, type Relation } from './schema/relation.ts'
import { VIEWS_DIGEST } from './schema/schema-version.ts'
import {
  SEARCH_INDEX,
  SEARCH_TABLES,
  searchTriggers,
  TEXT_SOURCES,
} from './schema/search-tables.ts'
import { SOURCE_COLUMN, withSource } from './schema/with-source.ts'

type Definition = [type: 'table' | 'view' | 'trigger', name: string, sql: string]

/** Longer definitions are not ours. */
const LONGEST = 2 ** 16

/**
 * Makes a connection safe from the schema of its database, whoever wrote it: refuses a table of ours that is a view or a
 * virtual table, and with `writes` any trigger but our own, since it would run with whatever is written. Where a view is
 * missing or has another definition, ours is used. Other people's tables, views and indexes do not matter.
 *
 * @throws `database-damaged`
 */
export function secureConnection(database: Database, { writes }: { writes: boolean }): void {
  database.pragma('foreign_keys = OFF')
  const definitions = unusualDefinitions(database)
  if (writes) refuseTriggersIn(database, definitions)
  const others = definitions.filter(([type]) => type !== 'trigger').filter(isNoSearchIndex)
  const views = others.filter(([type]) => type === 'view')
  if (others.length === views.length && digestOf(views.map(([, , sql]) => sql)) === VIEWS_DIGEST)
    return
  const relations = ourRelations()
  refuseOthers(database.name, others, relations)
  useOurViews(database, views, relations)
}

/** Refuses an attached database with a view or a virtual table in the place of a table of ours. Throws `database-damaged`. */
export function refuseStandIns(database: Database, schema: string, path: string): void {
  const others = unusualDefinitions(database, schema).filter(([type]) => type !== 'trigger')
  if (others.length > 0) refuseOthers(path, others.filter(isNoSearchIndex), ourRelations())
}

/** Refuses any trigger but our own in what is to be copied and changed. Throws `database-damaged`. */
export const refuseTriggers = (database: Database): void =>
  refuseTriggersIn(database, unusualDefinitions(database))

function refuseTriggersIn(database: Database, definitions: readonly Definition[]): void {
  const planted = definitions.find(([type, , sql]) => type === 'trigger' && !isOurTrigger(sql))
  if (!planted) return
  const message = `the trigger ${JSON.stringify(planted[1])} would run with what is written; remove it with DROP TRIGGER`
  throw new ArchiveError('database-damaged', message, { archive: database.name })
}

/** Everything but ordinary tables and indexes, in the order of names. SQLite writes the beginning of a definition itself. */
const unusualDefinitions = (database: Database, schema = 'main'): Definition[] =>
  database
    .prepare<[], Definition>(
      `SELECT type, name, CAST(iif(octet_length(sql) > ${LONGEST}, '', sql) AS TEXT) FROM ${schema}.sqlite_schema
       WHERE type IN ('view', 'trigger') OR (type = 'table' AND sql NOT LIKE 'CREATE TABLE %')
       ORDER BY name`,
    )
    .raw()
    .all()

const isNoSearchIndex = ([, name, sql]: Definition): boolean =>
  name !== 'search_index' || plainSql(sql) !== plainSql(SEARCH_INDEX)

/** Whether this is one of our triggers, which note changed texts for the search. */
export const isOurTrigger = (sql: string): boolean =>
  TEXT_SOURCES.some(({ table }, id) =>
    searchTriggers(table, id).some((trigger) => plainSql(trigger) === plainSql(sql)),
  )

/** SHA-256 of the definitions of views, in the order of their names. */
export const digestOf = (views: readonly string[]): string =>
  createHash('sha256').update(views.join('\0')).digest('hex')

/** Loaded for an unusual database alone: it takes 20 ms, longer than most queries. */
function ourRelations(): readonly Relation[] {
  const { url } = import.meta
  const schema = createRequire(url)(`./schema/schema${url.slice(url.lastIndexOf('.'))}`)
  return (schema as typeof import('./schema/schema.ts')).RELATIONS
}

function refuseOthers(
  path: string,
  others: readonly Definition[],
  relations: readonly Relation[],
): void {
  const tables = [...relations, ...SEARCH_TABLES].filter(({ type }) => type === 'table')
  const names = new Set(tables.map(({ name }) => name).concat(AUDIT_LOG))
  for (const [type, found] of others) {
    const name = found.toLowerCase()
    if (!names.has(name)) continue
    const what = type === 'view' ? 'a view' : 'a virtual table'
    const message = `${name} is ${what} that marc did not make, not its table`
    throw new ArchiveError('database-damaged', message, { archive: path })
  }
}

/** Whether the rows say from which source they are. */
const hasSources = (database: Database): boolean =>
  database
    .prepare("SELECT 1 FROM pragma_table_xinfo('archives') WHERE name = ?")
    .get(SOURCE_COLUMN) !== undefined

/** Hides all views if one is not ours: a view in the file would use the other views in the file. */
function useOurViews(
  database: Database,
  views: readonly Definition[],
  relations: readonly Relation[],
): void {
  const found = new Map(views.map(([, name, sql]) => [name, sql]))
  const plain = relations.filter(({ type }) => type === 'view')
  const ours = hasSources(database) ? plain.map(withSource) : plain
  if (ours.every((view) => found.get(view.name) === createStatement(view))) return
  for (const view of ours) {
    database.exec(createStatement(view).replace('CREATE VIEW', 'CREATE TEMP VIEW'))
  }
}
