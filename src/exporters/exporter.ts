import type { TableSummary } from './dataset/manifest.ts'
import type { PositionedRecord } from './sources/record-source.ts'
import type { ExportRow, ExportTable } from './table.ts'

/** Writes one partition into a target: all of it at `commit`, or nothing. */
export interface PartitionWriter {
  /** Returns the names of the members that are in `_extra`. */
  addRecord(table: ExportTable, record: PositionedRecord): readonly string[]
  addRow(table: ExportTable, row: ExportRow): void
  /** Resolves when the target can take more, so that memory stays bounded. */
  ready?(): Promise<void>
  /** Publishes the tables in place of those of an earlier export. Returns what each holds. */
  commit(): Promise<Record<string, Pick<TableSummary, 'rows' | 'bytes' | 'sha256'>>>
  abort(): Promise<void>
}
