import { crc32 } from 'node:zlib'
import type { JsonObject } from '../../records/json/json.ts'
import { type JsonForm, printRecord } from '../../records/write-records.ts'
import type { Database } from '../open-database.ts'

/**
 * Looks up the CRC-32 that a record had when it was loaded: by the row of its file in `record_files`, and its number there,
 * from 1. Undefined if the file had no such element. Keeps the checksums of the last file: records of a file follow each other.
 */
export function openLoadedSums(
  database: Database,
): (file: bigint | number, record: number) => number | undefined {
  const read = database
    .prepare<[bigint | number], unknown>('SELECT checksums FROM record_files WHERE rowid = ?')
    .pluck()
  let last: { file: bigint | number; sums: unknown } | undefined
  return (file, record) => {
    if (last?.file !== file) last = { file, sums: read.get(file) }
    const { sums } = last
    const at = (record - 1) * 4
    const isIn = Buffer.isBuffer(sums) && at >= 0 && at + 4 <= sums.length
    return isIn ? sums.readUInt32BE(at) : undefined
  }
}

const FORMS: readonly JsonForm[] = [
  { emptyArray: 'new' },
  { emptyArray: 'old' },
  { emptyArray: 'new', compact: true },
]

/** Whether a record has one of these checksums in any of the forms of record files. */
export const hasSum = (record: JsonObject, sums: readonly number[]): boolean =>
  FORMS.some((form) => sums.includes(crc32(printRecord(record, form))))
