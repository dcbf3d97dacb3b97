import { type Bytes, peek } from '../streams.ts'
import type { Kind } from './kind.ts'
import { type PlainRun, plainRuns } from './plain-runs.ts'
import type { PlainTexts } from './plain-texts.ts'
import {
  noteForm,
  type PlacedRecord,
  type ReadRecordsOptions,
  readRecordBatches,
  wholeWithin,
} from './read-records.ts'

/** Levels of nesting that no plain record exceeds. */
const PLAIN_DEPTH = 8

/**
 * Streams the records of one entry like `readRecordBatches`, but those of `kind` in runs, without parsing them, where
 * all are plain.
 */
export const readShard = (
  kind: Kind | undefined,
  content: Bytes,
  entry: string,
  options: ReadRecordsOptions,
): AsyncGenerator<PlainRun | PlacedRecord[]> =>
  readWhere((array) => kind && plainRuns(kind, array), content, entry, options)

export const isRun = (found: PlainRun | PlacedRecord[]): found is PlainRun => !Array.isArray(found)

/**
 * Streams the records of one entry like `readRecordBatches` with `bytesAsText`; where all are plain, with no other
 * members than `texts` reads.
 */
export function readTexts(
  texts: PlainTexts,
  kind: Kind | undefined,
  content: Bytes,
  entry: string,
  options: ReadRecordsOptions,
): AsyncGenerator<PlacedRecord[]> {
  const read = (array: Buffer) => {
    const records = kind && texts(kind, array)
    return records && [records.map((record, i) => ({ record, entry, index: i + 1 }))]
  }
  return readWhere(read, content, entry, { ...options, bytesAsText: true })
}

/** Shows a file that may be plain to `read`, and reads it itself where that finds it is not. */
async function* readWhere<T>(
  read: (array: Buffer) => T[] | undefined,
  content: Bytes,
  entry: string,
  options: ReadRecordsOptions,
): AsyncGenerator<T | PlacedRecord[]> {
  const { limits, form, salvage } = options
  if (salvage || (limits?.depth ?? PLAIN_DEPTH) < PLAIN_DEPTH) {
    return yield* readRecordBatches(content, entry, options)
  }
  const whole = wholeWithin(limits)
  const { head, bytes } = await peek(content, whole + 1)
  const found = head.length <= whole ? read(head) : undefined
  if (!found) return yield* readRecordBatches(bytes, entry, options)
  if (form && form.emptyArray === undefined) noteForm(form, head.toString('latin1'))
  yield* found
}
