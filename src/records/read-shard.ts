import { type Bytes, peek } from '../streams.ts'
import type { Kind } from './kind.ts'
import { type PlainFacts, plainFacts } from './plain-facts.ts'
import { type PlainRun, plainRuns } from './plain-runs.ts'
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
  kind
    ? readWhere((array) => plainRuns(kind, array), content, entry, options)
    : readRecordBatches(content, entry, options)

/** Whether these are plain records, which were not parsed. */
export const arePlain = <T extends PlainRun | PlainFacts>(found: T | PlacedRecord[]): found is T =>
  !Array.isArray(found)

/**
 * Streams the records of one entry like `readRecordBatches` with `bytesAsText`, but of those of `kind`, where all are
 * plain, the facts alone, without parsing them.
 */
export function readToSurvey(
  kind: Kind | undefined,
  content: Bytes,
  entry: string,
  options: ReadRecordsOptions,
): AsyncGenerator<PlainFacts | PlacedRecord[]> {
  const reading = { ...options, bytesAsText: true }
  if (!kind) return readRecordBatches(content, entry, reading)
  const read = (array: Buffer) => {
    const found = plainFacts(kind, array)
    return found && [found]
  }
  return readWhere(read, content, entry, reading)
}

async function* readWhere<T>(
  read: (array: Buffer) => T[] | undefined,
  content: Bytes,
  entry: string,
  options: ReadRecordsOptions,
): AsyncGenerator<T | PlacedRecord[]> {
  const { found, bytes } = await peekWhere(read, content, options)
  if (found) yield* found
  else yield* readRecordBatches(bytes, entry, options)
}

/** Looks whether a file is plain, and finds the runs of its records; or gives all of its bytes. */
export const peekRuns = (
  kind: Kind,
  content: Bytes,
  options: ReadRecordsOptions,
): Promise<{ found?: PlainRun[]; bytes: Bytes }> =>
  peekWhere((array) => plainRuns(kind, array), content, options)

async function peekWhere<T>(
  read: (array: Buffer) => T[] | undefined,
  content: Bytes,
  { limits, form, salvage }: ReadRecordsOptions,
): Promise<{ found?: T[]; bytes: Bytes }> {
  if (salvage || (limits?.depth ?? PLAIN_DEPTH) < PLAIN_DEPTH) return { bytes: content }
  const whole = wholeWithin(limits)
  const { head, bytes } = await peek(content, whole + 1)
  const found = head.length <= whole ? read(head) : undefined
  if (!found) return { bytes }
  if (form && form.emptyArray === undefined) noteForm(form, head.toString('latin1'))
  return { found, bytes }
}
