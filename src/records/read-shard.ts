import { type Bytes, peek } from '../streams.ts'
import type { Kind } from './kind.ts'
import { type PlainRun, plainRuns } from './plain-records.ts'
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
export async function* readShard(
  kind: Kind | undefined,
  content: Bytes,
  entry: string,
  options: ReadRecordsOptions,
): AsyncGenerator<PlainRun | PlacedRecord[]> {
  const { limits, form, salvage } = options
  const mayBePlain = kind && !salvage && (limits?.depth ?? PLAIN_DEPTH) >= PLAIN_DEPTH
  if (!mayBePlain) return yield* readRecordBatches(content, entry, options)
  const whole = wholeWithin(limits)
  const { head, bytes } = await peek(content, whole + 1)
  const runs = head.length <= whole ? plainRuns(kind, head) : undefined
  if (!runs) return yield* readRecordBatches(bytes, entry, options)
  noteForm(form, form?.emptyArray === undefined ? head.toString('latin1') : '')
  yield* runs
}

export const isRun = (found: PlainRun | PlacedRecord[]): found is PlainRun => !Array.isArray(found)
