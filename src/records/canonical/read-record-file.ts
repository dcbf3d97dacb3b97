import type { Bytes } from '../../streams.ts'
import type { Kind } from '../kinds/kind.ts'
import { type PlacedRecord, type ReadRecordsOptions, readRecordBatches } from '../read-records.ts'
import { type PlainRun, plainRuns } from './canonical-batches.ts'
import { type PlainFacts, plainFacts } from './canonical-facts.ts'
import { peekPlain } from './detect-canonical.ts'

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
  const { found, bytes } = await peekPlain(read, content, options)
  if (found) yield* found
  else yield* readRecordBatches(bytes, entry, options)
}
