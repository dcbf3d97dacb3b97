import type { Kind } from '../records/kinds/kind.ts'
import { type ColumnOptions, type ExportColumn, exportColumns } from './column-types.ts'
import type { TypedValue } from './to-typed.ts'

/** A table of a partition: the records of a kind, or one of the listings. */
export interface ExportTable {
  readonly name: string
  readonly columns: readonly ExportColumn[]
  /** Undefined for a listing. */
  readonly kind?: Kind
}

/** The values of a row in the order of the columns. */
export type ExportRow = readonly TypedValue[]

/** The facts of a table that can be compared: numbers by name, or the SHA-256 of its file. */
export type TableFacts = Record<string, number | string>

/** The table of a kind, known or unknown. */
export const tableOfKind = (name: string, kind: Kind, options: ColumnOptions): ExportTable => ({
  name,
  kind,
  columns: exportColumns(kind, options),
})
