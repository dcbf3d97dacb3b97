import { openFolderPartition } from '../../dataset/folder-partition.ts'
import type { Compression } from '../../export-options.ts'
import type { PartitionWriter } from '../../exporter.ts'
import { toExportRow } from '../../to-export-row.ts'
import { createParquetFile } from './parquet-file.ts'
import { loadLibrary } from './parquet-output.ts'

/** Opens a partition of a Parquet dataset. */
export async function openParquetPartition(
  dataset: string,
  name: string,
  { compression }: { compression: Compression },
): Promise<PartitionWriter> {
  const library = await loadLibrary()
  const partition = openFolderPartition(dataset, {
    ...{ name, ending: 'parquet' },
    create: (path, { columns }) => createParquetFile(library, path, columns, compression),
  })
  return {
    addRecord(table, placed) {
      const { row, extraMembers } = toExportRow(table, placed, name)
      partition.fileOf(table).add(row)
      return extraMembers
    },
    addRow: (table, row) => partition.fileOf(table).add(row),
    commit: partition.commit,
    abort: partition.abort,
  }
}
