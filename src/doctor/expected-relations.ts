import type { Database } from '../database/open-database.ts'
import { recordTables } from '../database/rows/read-record.ts'
import { kindTable } from '../database/schema/kind-table.ts'
import type { Relation } from '../database/schema/relation.ts'
import { RELATIONS } from '../database/schema/schema.ts'
import { unknownKind } from '../database/schema/unknown-kind.ts'

/** Every table and view that a database should have, those of its unknown kinds included. */
export function expectedRelations(database: Database): Relation[] {
  const known = new Set(RELATIONS.map(({ name }) => name))
  const unknown = recordTables(database).filter((name) => !known.has(name))
  return [...RELATIONS, ...unknown.map((name) => kindTable(name, unknownKind(name)))]
}
