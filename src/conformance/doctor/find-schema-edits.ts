import type { Database } from '../../database/open-database.ts'
import { AUDIT_LOG } from '../../database/schema/audit-log.ts'
import { SHARED } from '../../database/schema/kind-table.ts'
import { plainSql } from '../../database/schema/plain-sql.ts'
import { createStatement, type Relation } from '../../database/schema/relation.ts'
import { RELATIONS } from '../../database/schema/schema.ts'
import { SEARCH_TABLES } from '../../database/schema/search-tables.ts'
import { isOurTrigger } from '../../database/secure-connection.ts'
import type { Edit } from './database-fault.ts'
import { expectedRelations } from './examine-relations.ts'

interface Definition {
  type: string
  name: string
  sql: string | null
}

/** Finds tables, columns, indexes, views and triggers that no load makes, and tables with other definitions than ours. */
export function findSchemaEdits(database: Database): Edit[] {
  const definitions = database
    .prepare<[], Definition>('SELECT type, name, sql FROM sqlite_schema ORDER BY name')
    .all()
  const relations = new Map(
    [...expectedRelations(database), ...SEARCH_TABLES].map((relation) => [relation.name, relation]),
  )
  const indexes = new Set(
    [...relations.values()].flatMap(({ indexes = [] }) => indexes.map(({ name }) => name)),
  )
  const isLoaded = openKindsLoaded(database)
  return definitions.flatMap(({ type, name, sql }) => {
    const relation = relations.get(name)
    // SQLite makes an index of its own for each constraint.
    if (type === 'index' && (indexes.has(name) || sql === null)) return []
    if (type === 'trigger' && isOurTrigger(String(sql))) return []
    // Another view under a name of ours is a fault, and so is a table.
    if (relation?.type === 'view') return []
    if (type === 'table' && SEARCH_INDEX.test(name)) return []
    if (type === 'table' && relation && isLoaded(name)) return tableEdits(database, relation, sql)
    return [edit(`${type} ${name}`, 'added')]
  })
}

/** The index and the tables that FTS5 makes for it. A database in which search_index is another table is not opened. */
const SEARCH_INDEX = /^search_index(_data|_idx|_content|_docsize|_config)?$/

const edit = (kind: string, way: 'changed' | 'added'): Edit => ({
  what: 'schema',
  kind,
  changed: 0,
  added: 0,
  removed: 0,
  [way]: 1,
})

/** Missing columns are a fault of their own. */
function tableEdits(database: Database, relation: Relation, sql: string | null): Edit[] {
  const { name } = relation
  if (plainSql(String(sql)) === plainSql(createStatement(relation, { whole: true }))) return []
  const ours = new Set(relation.columns.map((column) => column.name))
  const added = database
    .prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)')
    .pluck()
    .all(name)
    .filter((column) => !ours.has(column))
  if (added.length === 0) return [edit(`table ${name}`, 'changed')]
  return added.map((column) => edit(`column ${name}.${column}`, 'added'))
}

const OURS: ReadonlySet<string> = new Set(
  [...RELATIONS, ...SEARCH_TABLES].map(({ name }) => name).concat(SHARED, AUDIT_LOG),
)

/** Whether a table is ours, or belongs to an unknown kind that had record files. */
function openKindsLoaded(database: Database): (table: string) => boolean {
  const find = database.prepare(
    "SELECT 1 FROM record_files WHERE kind = :name OR kind || '_records' = :name LIMIT 1",
  )
  return (name) => OURS.has(name) || find.get({ name }) !== undefined
}
