import { kindTable } from '../database/kind-table.ts'
import type { Database } from '../database/open-database.ts'
import { recordTables } from '../database/read-record.ts'
import type { Relation } from '../database/relation.ts'
import { RELATIONS } from '../database/schema.ts'
import { unknownKind } from '../database/unknown-kind.ts'

/** Every table and view that a database should have, those of its unknown kinds included. */
export function expectedRelations(database: Database): Relation[] {
  const known = new Set(RELATIONS.map(({ name }) => name))
  const unknown = recordTables(database).filter((name) => !known.has(name))
  return [...RELATIONS, ...unknown.map((name) => kindTable(name, unknownKind(name)))]
}
