import { readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { hasInnerFolder, isPlainFile, makeInnerFolder } from '../../files/inner-folder.ts'
import { partialOf, removeStale } from '../../files/partial-file.ts'
import { publishFile } from '../../files/write-file.ts'
import {
  endingOf,
  type FileSummary,
  type Manifest,
  stageManifest,
  unfinished,
  writeManifest,
} from '../dataset/manifest.ts'
import { folderName } from '../dataset/partition-name.ts'
import { removeEmpty } from '../dataset/tidy-dataset.ts'
import type { PartitionWriter } from '../exporter.ts'
import type { ExportTable } from '../table.ts'

/** A file of one table that is being written. */
export interface TableFile {
  /** Bytes that wait in memory. */
  readonly buffered: number
  flush(): void | Promise<void>
  finish(): FileSummary | Promise<FileSummary>
  /** Closes a file without completing it. After that nothing makes it any more. */
  abandon(): void | Promise<void>
}

/** Bytes that may wait in one file. */
const MOST_BUFFERED = 4 * 2 ** 20

export interface FolderPartition<File extends TableFile> {
  /** The file of a table. Opens it the first time. */
  fileOf(table: ExportTable): File
  /** Flushes the files whose buffers are full. */
  relieve(): Promise<void>
  commit: PartitionWriter['commit']
  abort: PartitionWriter['abort']
}

/**
 * Writes the files of a partition under temporary names, `kind=<table>/archive=<name>/data.<ending>`, and renames them when
 * all are complete. Files of an earlier export of the same partition are replaced or removed.
 */
export function openFolderPartition<File extends TableFile>(
  dataset: string,
  {
    name,
    ending,
    create,
  }: {
    name: string
    ending: string
    create: (path: string, table: ExportTable) => File
  },
): FolderPartition<File> {
  const files = new Map<string, { path: string; partial: string; file: File }>()
  const finished = new Set<File>()
  const folder = `archive=${folderName(name)}`
  return {
    fileOf(table) {
      const known = files.get(table.name)
      if (known) return known.file
      const path = join(makeInnerFolder(dataset, [`kind=${table.name}`, folder]), `data.${ending}`)
      // Engines skip names that begin with a dot.
      const hidden = join(dirname(path), `.data.${ending}`)
      removeStale(hidden)
      const partial = partialOf(hidden)
      const file = create(partial, table)
      files.set(table.name, { path, partial, file })
      return file
    },
    async relieve() {
      for (const { file } of files.values()) {
        if (file.buffered >= MOST_BUFFERED) await file.flush()
      }
    },
    async commit(describe) {
      const done: [string, FileSummary][] = []
      for (const [table, { file }] of files) {
        done.push([table, await file.finish()])
        finished.add(file)
      }
      const manifest = describe(Object.fromEntries(done))
      // Until here the partition is unchanged.
      const complete = stageManifest(dataset, manifest)
      try {
        await writeManifest(dataset, unfinished(manifest))
        // From here on nothing needs disk space.
        for (const { path, partial } of files.values()) publishFile(partial, path, { force: true })
        removeOthers(dataset, folder, new Set(files.keys()), ending)
        removeFiles(dataset, name, ending)
        complete.publish()
      } finally {
        complete.discard()
      }
      return manifest
    },
    async abort() {
      for (const { path, partial, file } of files.values()) {
        if (!finished.has(file)) await file.abandon()
        rmSync(partial, { force: true })
        removeEmpty(dirname(path), dirname(dirname(path)))
      }
    },
  }
}

/** Removes the files of a partition whose tables have no rows any more. */
function removeOthers(
  dataset: string,
  folder: string,
  kept: ReadonlySet<string>,
  ending: string,
): void {
  for (const kind of readdirSync(dataset).filter((name) => name.startsWith('kind='))) {
    if (kept.has(kind.slice('kind='.length))) continue
    if (!hasInnerFolder(dataset, [kind, folder])) continue
    const path = join(dataset, kind, folder)
    rmSync(join(path, `data.${ending}`), { force: true })
    removeEmpty(path, join(dataset, kind))
  }
}

const ENDINGS = ['parquet', 'ndjson', 'ndjson.gz', 'csv', 'csv.gz'] as const

/**
 * The files of a partition by the names of their tables.
 *
 * @param ending of the names of its files. Default: any
 */
export function filesOf(dataset: string, name: string, ending?: string): Map<string, string> {
  const folder = `archive=${folderName(name)}`
  const kinds = readdirSync(dataset).filter((kind) => kind.startsWith('kind='))
  const paths = kinds
    .filter((kind) => hasInnerFolder(dataset, [kind, folder]))
    .flatMap((kind) =>
      ENDINGS.filter((one) => (ending ?? one) === one).map(
        (one) => [kind, join(dataset, kind, folder, `data.${one}`)] as const,
      ),
    )
  return new Map(
    paths
      .filter(([, path]) => isPlainFile(path))
      .map(([kind, path]) => [kind.slice('kind='.length), path]),
  )
}

/** The files of partitions by the names of their tables. */
export function filesOfAll(
  dataset: string,
  partitions: ReadonlyMap<string, Manifest | undefined>,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, manifest] of partitions) {
    for (const [table, path] of filesOf(dataset, name, manifest && endingOf(manifest))) {
      const paths = found.get(table) ?? []
      paths.push(path)
      found.set(table, paths)
    }
  }
  return found
}

/** The paths of files below `kind=…` other than these. Engines pass over names with a dot or `_` before them. */
export function foreignFiles(dataset: string, known: ReadonlySet<string>): string[] {
  return readdirSync(dataset)
    .filter((kind) => kind.startsWith('kind='))
    .flatMap((kind) =>
      readdirSync(join(dataset, kind), { recursive: true, withFileTypes: true })
        .filter((found) => !found.isDirectory() && !/^[._]/.test(found.name))
        .map(({ parentPath, name }) => join(parentPath, name)),
    )
    .filter((path) => !known.has(path))
    .map((path) => relative(dataset, path))
    .sort()
}

/** Removes the files of a partition in all formats but those that are `kept`. */
export function removeFiles(dataset: string, name: string, kept?: string): void {
  for (const ending of ENDINGS) {
    if (ending !== kept) removeOthers(dataset, `archive=${folderName(name)}`, new Set(), ending)
  }
}
