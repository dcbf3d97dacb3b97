import type { Database } from '../database.ts'
import { quoteName } from '../quote.ts'
import { relationNames } from '../schema/schema.ts'
import type { OrderedPart } from './order-databases.ts'
import { columnValue, isReplaced, makeTable, type Repeated, storedColumns } from './select-part.ts'
import type { SourceOfArchive } from './write-sources.ts'

interface CopiedPart extends Pick<OrderedPart, 'before'>, Pick<Repeated, 'archives'> {
  /** Its name in the connection. */
  readonly schema: string
}

/** Copies the rows of a table of an attached database that no row takes the place of: newer databases were copied before. */
export function copyTable(
  database: Database,
  table: string,
  { schema, before, archives }: CopiedPart,
): void {
  makeTable(database, table, schema)
  const ours = new Set(storedColumns(database, 'main', table))
  const theirs = storedColumns(database, schema, table)
  const columns = theirs.filter((column) => ours.has(column))
  const values = columns.map((column) => columnValue(table, column, before))
  const newer = [{ schema: 'main', tables: relationNames(database) }]
  const replaced = isReplaced(table, newer, { archives, columns: theirs })
  database.exec(`INSERT OR IGNORE INTO main.${quoteName(table)} (${columns.map(quoteName).join(', ')})
SELECT ${values.join(', ')} FROM ${schema}.${quoteName(table)} AS o${replaced === undefined ? '' : ` WHERE NOT (${replaced})`}`)
}

/** The archives of an attached database, as they are numbered among several, with the name of its source. */
export const sourcesOf = (
  database: Database,
  { schema, source, before }: Pick<OrderedPart, 'source' | 'before'> & { schema: string },
): SourceOfArchive[] =>
  database
    .prepare<[], bigint>(`SELECT id FROM ${schema}.archives`)
    .pluck()
    .safeIntegers()
    .all()
    .map((id) => ({ archive: id + BigInt(before.archives), source }))
