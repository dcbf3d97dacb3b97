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

export interface StagedParquet extends ReturnType<typeof addRecordsTo> {
  /** The private folder of the files, which an engine may use as well. */
  readonly folder: string
  /** Completes the files. */
  finish(): StagedTable[]
  /** Removes all files. */
  remove(): void
}

/** Encodes a partition as Parquet files in a temporary folder, from which an engine loads them. */
export async function stageParquet(
  name: string,
  { dialect, compression }: { dialect?: Dialect; compression: 'zstd' | 'none' },
): Promise<StagedParquet> {
  const library = await loadLibrary()
  const folder = makeTemporaryFolder()
  const files = new Map<string, { table: ExportTable; path: string; file: ParquetFile }>()
  const open = new Set<ParquetFile>()
  const fileOf = (table: ExportTable): ParquetFile => {
    const known = files.get(table.name)
    if (known) return known.file
    const path = join(folder.path, `${table.name}.parquet`)
    const file = createParquetFile(library, path, table.columns, compression)
    files.set(table.name, { table, path, file })
    open.add(file)
    return file
  }
  return {
    folder: folder.path,
    ...addRecordsTo(fileOf, name, dialect),
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
