import type { Kind } from '../records/kinds/kind.ts'
import { RAW_COLUMN } from './column-types.ts'
import type { Dialect } from './dialect.ts'
import type { PositionedRecord } from './sources/record-source.ts'
import type { ExportRow, ExportTable } from './table.ts'
import { type TypedValue, toTyped } from './to-typed.ts'

/** A record as a row of its table, and the names of the members that are in `_extra`. */
export function toExportRow(
  { kind, columns }: ExportTable,
  { record, entry, index }: PositionedRecord,
  archive: string,
  dialect?: Dialect,
): { row: ExportRow; extraMembers: readonly string[] } {
  const { values, derived, extra, memberOrder, extraMembers } = toTyped(
    kind as Kind,
    record,
    dialect,
  )
  // Derived columns, if wanted, come right after the members.
  const isDerived = columns[values.length]?.name !== '_extra'
  const isRaw = columns.at(-1)?.name === RAW_COLUMN.name
  const row: TypedValue[] = [
    ...values,
    ...(isDerived ? derived : []),
    extra,
    memberOrder,
    entry,
    index,
    archive,
    ...(isRaw ? [JSON.stringify(record)] : []),
  ]
  return { row, extraMembers }
}
