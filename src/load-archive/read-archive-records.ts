import type { ArchiveSource, ReadOptions } from '../archive/entry.ts'
import { roleOf } from '../archive/entry-role.ts'
import { LIMIT_SHAPES } from '../archive/limits.ts'
import { readArchive } from '../archive/read-archive.ts'
import { aFunction, aSignal, checkOptions, objectOf, wordsOf } from '../check-arguments.ts'
import { detectRecords } from '../records/detect-records.ts'
import type { JsonObject } from '../records/json/json.ts'
import { kindNamed, kindOfRecord } from '../records/kinds/kind-of-record.ts'
import { type ArchiveRecord, KINDS, type KindName } from '../records/kinds/kinds.ts'
import { readRecordBatches } from '../records/read-records.ts'
import type { Bytes } from '../streams.ts'

/** A record with its kind, which tells TypeScript what the record has, and where it stood. */
export type KnownRecord<Name extends KindName = KindName> = {
  [Kind in Name]: { kind: Kind; record: ArchiveRecord<Kind>; entry: string; index: number }
}[Name]

/** A record of a kind that this package does not know. */
export interface UnknownRecord {
  kind: undefined
  record: JsonObject
  entry: string
  /** Its place in the entry, from 1. */
  index: number
}

export interface ReadArchiveRecordsOptions<Name extends KindName = KindName>
  extends Pick<ReadOptions, 'limits' | 'report' | 'signal'> {
  /** Only records of these kinds. Default: all, those of unknown kinds included. */
  kinds?: readonly Name[] | undefined
}

const SHAPES = { limits: objectOf(LIMIT_SHAPES), report: aFunction, signal: aSignal }

/**
 * Streams the records of an archive, in its own order and in bounded memory, without a database. Their types are those
 * that the host writes; an archive from elsewhere may have other values in them. Throws as `readArchive` and
 * `readRecords` do.
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
        // The name and the record are of one kind, which TypeScript cannot see.
        yield { kind, record, entry, index } as KnownRecord | UnknownRecord
      }
    }
  }
}
