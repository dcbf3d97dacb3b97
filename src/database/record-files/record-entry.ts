import { crc32 } from 'node:zlib'
import type { ArchiveEntry } from '../../archive/entry.ts'
import { ArchiveError } from '../../base/errors.ts'
import { asBytes } from '../../base/streams.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { printRecords, writeRecords } from '../../records/write-records.ts'
import type { RecordFile } from './place-records.ts'
import type { PlannedFile } from './plan-record-files.ts'

/** Up to this size, a file is kept until it is written. Larger ones are printed twice. */
const KEPT = 8 * 2 ** 20

/** The entry of a record file. */
export interface RecordEntry {
  entry: ArchiveEntry
  records: number
  /** Reads the records again: those of a small file are kept. */
  again(): Iterable<JsonObject>
  /** Whether it equals the loaded file, byte for byte. */
  unchanged: boolean
  /** The CRC-32 of each record, as far as known; only of a new file. */
  sums: readonly (number | undefined)[]
}

/**
 * The entry of a record file. In a tar, the size precedes the content, so the file is printed at once; if it is too large
 * to keep, it is printed again when it is read.
 */
export function recordEntry(
  file: PlannedFile & Pick<Printable, 'isEdited'>,
  dateOf: DateOf,
): RecordEntry {
  const { pieces, size, records, again, newest, unchanged, sums } = printRecordFile(file)
  const modifiedAt = dateOf(file.before?.modifiedAt, newest)
  const content = asBytes(pieces)
  const entry = { path: file.path, size, modifiedAt, mode: 0o644, content }
  return { entry, records, again, unchanged, sums }
}

type DateOf = (stored: string | undefined, newest: Date | undefined) => Date

/** A record file to print. `before` is the loaded file, if it is one. */
type Printable = Pick<PlannedFile, 'path' | 'form' | 'records'> & {
  before?: Pick<RecordFile, 'size' | 'crc32'> | undefined
  /** Whether a record is known to differ from the loaded one: no form of the file equals that. */
  isEdited?: boolean | undefined
}

interface PrintedFile extends Omit<RecordEntry, 'entry'> {
  pieces: Iterable<Uint8Array>
  size: number
  /** The date of the newest record, only for a new file. */
  newest: Date | undefined
}

/** Prints a record file: if nothing changed, the bytes that were loaded. */
export function printRecordFile(file: Printable): PrintedFile {
  const usual = print(file)
  if (usual.unchanged || !file.before || file.form.compact || file.isEdited) return usual
  // An archive built from several ones has files in both forms, but stores only one.
  const emptyArray = file.form.emptyArray === 'old' ? 'new' : 'old'
  const other = print({ ...file, records: usual.again, form: { emptyArray } })
  return other.unchanged ? other : usual
}

function print({ path, form, before, isEdited, records }: Printable): PrintedFile {
  let count = 0
  let size = 0
  let newest: number | undefined
  // The rules ask for the records of a file that differs. To keep those of all files took a twentieth of a build.
  const isKept = isEdited === true
  const read: JsonObject[] = []
  function* counted(): Generator<JsonObject> {
    for (const record of records()) {
      count++
      const { created_at } = record
      if (!before && typeof created_at === 'string') {
        const made = Date.parse(created_at)
        if (made > (newest ?? Number.NEGATIVE_INFINITY)) newest = made
      }
      if (isKept && size <= KEPT) read.push(record)
      yield record
    }
  }
  const kept: Uint8Array[] = []
  let sum = 0
  const sums: (number | undefined)[] = []
  const printed = before ? undefined : (own: number | undefined) => void sums.push(own)
  try {
    for (const piece of printRecords(counted(), form, printed)) {
      size += piece.length
      kept.push(piece)
      if (size > KEPT) {
        for (const each of kept.splice(0)) sum = crc32(each, sum)
        read.length = 0
      }
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error.at({ entry: path, record: count + 1 }) : error
  }
  for (const each of kept) sum = crc32(each, sum)
  const again = isKept && size <= KEPT ? () => read : records
  const pieces = size <= KEPT ? kept : writeRecords(records(), form)
  return {
    pieces,
    size,
    records: count,
    again,
    newest: newest === undefined ? undefined : new Date(newest),
    unchanged: before?.size === size && before.crc32 === sum,
    sums,
  }
}
