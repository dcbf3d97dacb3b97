import type { ArchiveEntry } from '../archive/entry.ts'
import { pathOf } from '../archive/entry-role.ts'
import { asBytes } from '../base/streams.ts'
import type { JsonObject } from '../records/json/json.ts'
import { type PrintedRecords, printRecordFile } from '../records/print-record-file.ts'

/** Records in a file, as in the archives of the host. */
const PER_FILE = 100

/** An entry of what a source becomes. */
export interface SourceEntry extends ArchiveEntry {
  /** The records of a record file, for a reader that would otherwise parse its content. */
  printed?: PrintedRecords
  /** The records of a record file that has no content, because it was not to be printed. */
  unprinted?: readonly JsonObject[]
}

/** Record files that are filled while a source is read. */
export interface RecordFiles {
  /** Adds a record to the file of its kind that is being filled. */
  add(kind: string, record: JsonObject): void
  /** The files that are full; with `all` also those that are not. */
  take(all?: boolean): Generator<SourceEntry>
}

/**
 * @param date the date of all files
 * @param keeps what of a record is kept; undefined for nothing. Default: everything
 * @param prints whether the files have content
 */
export function fillRecordFiles(
  date: Date,
  keeps: (kind: string, record: JsonObject) => JsonObject | undefined = (_, record) => record,
  prints = true,
): RecordFiles {
  const filling = new Map<string, JsonObject[]>()
  const full: [kind: string, records: JsonObject[]][] = []
  const numbers = new Map<string, number>()
  return {
    add(kind, whole) {
      const record = keeps(kind, whole)
      if (!record) return
      const records = filling.get(kind) ?? []
      if (records.length === 0) filling.set(kind, records)
      records.push(record)
      if (records.length < PER_FILE) return
      full.push([kind, records])
      filling.delete(kind)
    },
    *take(all = false) {
      if (all) {
        full.push(...filling)
        filling.clear()
      }
      for (const [kind, records] of full.splice(0)) {
        const number = (numbers.get(kind) ?? 0) + 1
        numbers.set(kind, number)
        const path = pathOf({
          role: 'records',
          stem: kind,
          suffix: String(number).padStart(6, '0'),
        })
        if (!prints) {
          yield { ...fileEntry(path, [], date), unprinted: records }
          continue
        }
        const printed = printRecordFile(records)
        yield { ...fileEntry(path, [printed.memory], date), printed }
      }
    },
  }
}

/** An entry with this content. */
export function fileEntry(
  path: string,
  pieces: readonly Uint8Array[],
  modifiedAt: Date,
): ArchiveEntry {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return { path, size, modifiedAt, mode: 0o644, content: asBytes(pieces) }
}
