import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { kindTable } from '../database/schema/kind-table.ts'
import type { Relation } from '../database/schema/relation.ts'
import { RELATIONS } from '../database/schema/schema.ts'
import { SEARCH_TABLES } from '../database/schema/search-tables.ts'
import { unknownKind } from '../database/schema/unknown-kind.ts'

const DESCRIBED = [...RELATIONS, ...SEARCH_TABLES]
const KNOWN = new Set(DESCRIBED.map(({ name }) => name))

/** Every table and view of a database with its columns, those of unknown kinds at the end. */
export function describeDatabase(database: Database): Relation[] {
  const names = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')`,
    )
    .pluck()
    .all()
  const others = names.filter((name) => !KNOWN.has(name))
  return [
    ...DESCRIBED.filter(({ name }) => names.includes(name)),
    ...others.map((name) => kindTable(name, unknownKind(name))),
  ]
}

/** The number of rows of a table or view. */
export function countRows(database: Database, name: string): number {
  return Number(
    database
      .prepare(`SELECT count(*) FROM ${quoteName(name)}`)
      .pluck()
      .get(),
  )
}
