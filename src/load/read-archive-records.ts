import type { ArchiveSource, ReadOptions } from '../archive/entry.ts'
import { roleOf } from '../archive/entry-role.ts'
import { readArchive } from '../archive/read-archive.ts'
import { aFunction, aSignal, checkOptions, objectOf, wordsOf } from '../base/check-arguments.ts'
import { LIMIT_SHAPES } from '../base/limits.ts'
import type { Bytes } from '../base/streams.ts'
import { detectRecords } from '../records/detect-records.ts'
import type { JsonObject } from '../records/json/json.ts'
import { kindNamed, kindOfRecord } from '../records/kinds/kind-of-record.ts'
import { type ArchiveRecord, KINDS, type KindName } from '../records/kinds/kinds.ts'
import { readRecordBatches } from '../records/read-records.ts'

/** A record with its place and its kind, from which TypeScript knows its members. */
export type KnownRecord<Name extends KindName = KindName> = {
  [Kind in Name]: {
    /** The name of its kind. */
    kind: Kind
    /** The record, with all of its members. */
    record: ArchiveRecord<Kind>
    /** Path of the entry in the archive. */
    entry: string
    /** Number of the record in the entry, from 1. */
    index: number
  }
}[Name]

/** A record of a kind that this package does not know. */
export interface UnknownRecord {
  /** Always undefined. */
  kind: undefined
  /** The record, with all of its members. */
  record: JsonObject
  /** Path of the entry in the archive. */
  entry: string
  /** Number of the record in the entry, from 1. */
  index: number
}

/** Which records to read, and how. */
export interface ReadArchiveRecordsOptions<Name extends KindName = KindName>
  extends Pick<ReadOptions, 'limits' | 'report' | 'signal'> {
  /** Only records of these kinds. Default: all, including unknown kinds. */
  kinds?: readonly Name[] | undefined
}

const SHAPES = { limits: objectOf(LIMIT_SHAPES), report: aFunction, signal: aSignal }

/**
 * Streams the records of an archive in their order and in bounded memory, without a database. The types are those that
 * GitHub writes; archives of other tools may have other values.
 *
 * @param archive the path of a file or folder, or the bytes of an archive
 * @param options limits, reports, and the kinds to read
 * @returns the records with their kinds and places
 * @throws the codes of `readArchive` and `readRecords`
 * @example
 * for await (const { kind, record } of readArchiveRecords('export.tar.gz')) {
 *   if (kind === 'issues') titles.push(record.title)
 * }
 */
export function readArchiveRecords<Name extends KindName>(
  archive: ArchiveSource | Bytes,
  options: ReadArchiveRecordsOptions<Name> & { kinds: readonly Name[] },
): AsyncGenerator<KnownRecord<Name>>
export function readArchiveRecords(
  archive: ArchiveSource | Bytes,
  options?: ReadArchiveRecordsOptions,
): AsyncGenerator<KnownRecord | UnknownRecord>
export async function* readArchiveRecords(
  archive: ArchiveSource | Bytes,
  options: ReadArchiveRecordsOptions = {},
): AsyncGenerator<KnownRecord | UnknownRecord> {
  checkOptions(options, { ...SHAPES, kinds: wordsOf(() => Object.keys(KINDS)) })
  const { kinds, ...reading } = options
  for await (const { path, content } of readArchive(archive, reading)) {
    const role = roleOf(path)
    if (role.role !== 'records') continue
    const { isRecords, bytes } = await detectRecords(role.stem, content)
    if (!isRecords) continue
    for await (const batch of readRecordBatches(bytes, path, reading)) {
      for (const { record, entry, index } of batch) {
        const name = kindOfRecord(role.stem, record)
        const kind = kindNamed(name) ? (name as KindName) : undefined
        if (kinds && (kind === undefined || !kinds.includes(kind))) continue
        // TypeScript cannot see that the name and the record have the same kind.
        yield { kind, record, entry, index } as KnownRecord | UnknownRecord
      }
    }
  }
}
