import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../../files/temporary-folder.ts'
import type { FileSummary } from '../../dataset/manifest.ts'
import type { Dialect } from '../../dialect.ts'
import type { ExportTable } from '../../table.ts'
import { addRecordsTo } from './parquet.ts'
import { createParquetFile, type ParquetFile } from './parquet-file.ts'
import { loadLibrary } from './parquet-output.ts'

/** A complete Parquet file that waits for its engine. */
export interface StagedTable {
  readonly table: ExportTable
  readonly path: string
  readonly summary: FileSummary
}

/** Adds the rows of one partition. */
export interface StagedPartition extends ReturnType<typeof addRecordsTo> {
  /** The tables with rows of the partition. Bytes are those of the values. */
  summaries(): Record<string, FileSummary>
}

export interface StagedParquet {
  /** The private folder of the files, which an engine may use as well. */
  readonly folder: string
  /** Bytes of all values so far. */
  readonly bytes: number
  /** Begins a partition. Its rows go to the same files as those of others. */
  addPartition(name: string): StagedPartition
  /** Completes the files. */
  finish(): StagedTable[]
  /** Removes all files. */
  remove(): void
}

/** Encodes partitions as Parquet files in a temporary folder, one a table, from which an engine loads them. */
export async function stageParquet({
  dialect,
  compression,
}: {
  dialect?: Dialect
  compression: 'zstd' | 'none'
}): Promise<StagedParquet> {
  const library = await loadLibrary()
  const folder = makeTemporaryFolder()
  const files = new Map<string, { table: ExportTable; path: string; file: ParquetFile }>()
  const open = new Set<ParquetFile>()
  const fileOf = (table: ExportTable): ParquetFile => {
    const known = files.get(table.name)
    if (known) return known.file
    const path = join(folder.path, `${table.name}.parquet`)
    const settings = { isTemporary: true }
    const file = createParquetFile(library, path, table.columns, compression, settings)
    files.set(table.name, { table, path, file })
    open.add(file)
    return file
  }
  return {
    folder: folder.path,
    get bytes() {
      return [...files.values()].reduce((sum, { file }) => sum + file.plainBytes, 0)
    },
    addPartition(name) {
      const begun = new Map<string, { file: ParquetFile; rows: number; bytes: number }>()
      const ownFileOf = (table: ExportTable) => {
        const known = begun.get(table.name)
        if (known) return known.file
        const file = fileOf(table)
        begun.set(table.name, { file, rows: file.rows, bytes: file.plainBytes })
        return file
      }
      return {
        ...addRecordsTo(ownFileOf, name, dialect),
        summaries: () =>
          Object.fromEntries(
            [...begun].map(([table, { file, rows, bytes }]) => [
              table,
              { rows: file.rows - rows, bytes: file.plainBytes - bytes },
            ]),
          ),
      }
    },
    finish: () =>
      [...files.values()].map(({ table, path, file }) => {
        open.delete(file)
        const { rows, bytes } = file.finish()
        return { table, path, summary: { rows, bytes } }
      }),
    remove() {
      for (const file of open) file.abandon()
      open.clear()
      rmSync(folder.path, { recursive: true, force: true })
    },
  }
}
