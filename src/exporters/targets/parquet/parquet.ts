import type { Dialect } from '../../dialect.ts'
import type { Compression } from '../../export-options.ts'
import type { PartitionWriter } from '../../exporter.ts'
import { createScannedRows } from '../../scanned-row.ts'
import type { ExportTable } from '../../table.ts'
import { toExportRow } from '../../to-export-row.ts'
import { openFolderPartition } from '../folder-partition.ts'
import { createParquetFile, type ParquetFile } from './parquet-file.ts'
import { loadLibrary } from './parquet-output.ts'

/** Opens a partition of a Parquet dataset. */
export async function openParquetPartition(
  dataset: string,
  name: string,
  { compression }: { compression: Compression },
): Promise<PartitionWriter> {
  const library = await loadLibrary()
  const partition = openFolderPartition(dataset, {
    name,
    ending: 'parquet',
    create: (path, { columns }) => createParquetFile(library, path, columns, compression),
  })
  return {
    ...addRecordsTo(partition.fileOf, name),
    commit: partition.commit,
    abort: partition.abort,
  }
}

/** Adds records to the Parquet files of their tables, each in the partition `archive`. */
export function addRecordsTo(
  fileOf: (table: ExportTable) => ParquetFile,
  archive: string,
  dialect?: Dialect,
): Required<Pick<PartitionWriter, 'addRecord' | 'addScanned' | 'addRow'>> {
  const scannedRows = new Map<ExportTable, ReturnType<typeof createScannedRows>>()
  return {
    addRecord(table, placed) {
      const { row, extraMembers } = toExportRow(table, placed, archive, dialect)
      fileOf(table).add(row)
      return extraMembers
    },
    addScanned(table, records, record, entry) {
      let rowOf = scannedRows.get(table)
      if (rowOf === undefined) {
        rowOf = createScannedRows(table, archive, dialect)
        scannedRows.set(table, rowOf)
      }
      const row = rowOf(records, record, entry)
      if (row === undefined) return false
      fileOf(table).addScanned(row, records, record * records.columns)
      return true
    },
    addRow: (table, row) => fileOf(table).add(row),
  }
}
