import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { asBytes } from '../../base/streams.ts'
import { VERSION } from '../../base/version.ts'
import { attemptSync } from '../../files/attempt.ts'
import { isPlainFile, readPlainFile } from '../../files/inner-folder.ts'
import { partialOf } from '../../files/partial-file.ts'
import { publishFile, writeFile } from '../../files/write-file.ts'
import type { ColumnOptions } from '../column-types.ts'
import type { SourceFacts } from '../sources/record-source.ts'
import { folderName, nameOfFolder } from './partition-name.ts'

/** The version of the layout of datasets and of the columns in them. */
export const DATASET_VERSION = 1

/** Options that change the content of a partition. */
export interface ContentOptions extends ColumnOptions {
  /** The selection of records, as text; undefined for all. */
  readonly selection?: string | undefined
  /** The value of `_shard` at a server. */
  readonly shard?: string | undefined
  /** Texts that look like formulas begin with an apostrophe, in CSV. */
  readonly csvSafe?: boolean | undefined
  /** The encoder of the files, such as parquet with zstd. */
  readonly format: string
}

/** The files and counts of a table. */
export interface FileSummary {
  /** Rows of the table. */
  rows: number
  /** Bytes of the file, or of the rows sent to a server. */
  bytes: number
  /** SHA-256 of the file; a server has none. */
  sha256?: string
}

/** The content of a table of a partition. */
export interface TableSummary extends FileSummary {
  /** The names of its columns, in their order. */
  columns: readonly string[]
  /** Rows with `_extra`, and how often each member is in it. */
  extra: { rows: number; members: Record<string, number> }
}

/**
 * The content and the source of a partition: one line of JSON, so that engines read all manifests as a table. It does
 * not say when it was written, so that the same source makes the same bytes.
 */
export interface Manifest {
  name: string
  /** A reader that needs whole archives leaves out those that are being written. */
  state: 'writing' | 'complete'
  dataset: number
  version: string
  source?: SourceFacts & { newest: string | null }
  options: ContentOptions
  tables: Record<string, TableSummary>
}

export const manifestOf = (
  name: string,
  options: ContentOptions,
  done?: { source: SourceFacts; newest: string | null; tables: Record<string, TableSummary> },
): Manifest => ({
  name,
  state: done ? 'complete' : 'writing',
  dataset: DATASET_VERSION,
  version: VERSION,
  ...(done && { source: { ...done.source, newest: done.newest } }),
  options,
  tables: done?.tables ?? {},
})

/** The manifest of a partition while its files are replaced or removed. */
export const unfinished = ({ source: _, ...manifest }: Manifest): Manifest => ({
  ...manifest,
  state: 'writing',
  tables: {},
})

/** Whether a partition was made from the same source, with the same options, by the same version. */
export const isCurrent = (
  manifest: Manifest | undefined,
  sha256: string,
  options: ContentOptions,
): boolean =>
  manifest?.state === 'complete' &&
  manifest.source?.sha256 === sha256 &&
  manifest.version === VERSION &&
  JSON.stringify(manifest.options) === JSON.stringify(options)

/**
 * A manifest as one line of JSON. Names in it come from archives; U+0000 and lone surrogates, which engines refuse in JSON,
 * become U+FFFD.
 */
export const formatManifest = (manifest: Manifest): string =>
  JSON.stringify(manifest).replace(/\\(?:u0000|ud[89a-f]..|.)/g, (found) =>
    /^\\u(?:0000|d[89a-f])/.test(found) ? '\ufffd' : found,
  )

const folderOf = (dataset: string) => join(dataset, '_marc', 'archives')

export const manifestPath = (dataset: string, name: string): string =>
  join(folderOf(dataset), `${folderName(name)}.json`)

/** Parses a manifest, which others may have edited. Returns undefined for what is none. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text)
    return isObject(manifest) ? (manifest as Manifest) : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a manifest says how its partition was made, and what is in it. */
export const isReadable = ({ options, tables }: Manifest): boolean =>
  isObject(options) &&
  typeof options.format === 'string' &&
  (options.selection === undefined || parseManifest(options.selection) !== undefined) &&
  isObject(tables) &&
  Object.values(tables).every((table) => Array.isArray(table?.columns))

/** The format of the files of a partition, without their compression. */
export const formatOf = ({ options }: Manifest): string =>
  String(options?.format).split(' ')[0] as string

/** The ending of the files of a partition. */
export function endingOf({ options }: Manifest): string {
  const [format = '', compression] = String(options?.format).split(' ')
  return compression === 'gzip' && format !== 'parquet' ? `${format}.gz` : format
}

/** The manifest of a partition; undefined if there is none or it cannot be read. */
export function readManifest(dataset: string, name: string): Manifest | undefined {
  try {
    const manifest = parseManifest(readPlainFile(manifestPath(dataset, name)))
    if (Number(manifest?.dataset) > DATASET_VERSION) throw newer(dataset)
    return manifest
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    return undefined
  }
}

export const newer = (dataset: string): ArchiveError =>
  new ArchiveError('dataset-newer', 'a newer version wrote this dataset', { archive: dataset })

export const writeManifest = (dataset: string, manifest: Manifest): Promise<void> =>
  writeFile(
    manifestPath(dataset, manifest.name),
    asBytes([Buffer.from(`${formatManifest(manifest)}\n`)]),
    { force: true },
  )

/** Writes a manifest under a temporary name until it is published, so that the disk has room for it. */
export function stageManifest(
  dataset: string,
  manifest: Manifest,
): { publish(): void; discard(): void } {
  const path = manifestPath(dataset, manifest.name)
  const partial = partialOf(path)
  const discard = () => rmSync(partial, { force: true })
  try {
    const text = `${formatManifest(manifest)}\n`
    attemptSync(path, () => writeFileSync(partial, text, { flag: 'wx', flush: true }))
  } catch (error) {
    discard()
    throw error
  }
  return { publish: () => publishFile(partial, path, { force: true }), discard }
}

/** The names of the partitions of a dataset, in the order of the names of their files. */
export const listPartitions = (dataset: string): string[] =>
  readdirSync(folderOf(dataset))
    .filter((file) => file.endsWith('.json') && !file.startsWith('.'))
    .sort()
    .map((file) => nameOfFolder(file.slice(0, -'.json'.length)))

/** The manifests of a dataset, one after the other, in the same order; undefined for what is none, such as a link. */
export function* readManifests(
  dataset: string,
): Generator<[name: string, manifest: Manifest | undefined]> {
  for (const name of listPartitions(dataset)) {
    const path = manifestPath(dataset, name)
    yield [name, isPlainFile(path) ? parseManifest(readPlainFile(path)) : undefined]
  }
}
