import { type Bytes, peek } from '../../streams.ts'
import type { Kind } from '../kinds/kind.ts'
import { type ReadRecordsOptions, wholeWithin } from '../read-records.ts'
import { RecordScanner, type ScannedRecords } from './scan-records.ts'

export { canonicalFacts } from './canonical-facts.ts'
export { RecordScanner, type ScannedRecords }

/** No canonical record is nested deeper than this. */
const CANONICAL_DEPTH = 8

/**
 * Reads a record file without parsing it, if it is small and all its records are canonical: printed exactly as the
 * host prints records of this kind. `found` is undefined for any other file. `bytes` is the whole content either way.
 */
export async function readCanonical(
  scanner: RecordScanner,
  kind: Kind | undefined,
  content: Bytes,
  { limits, form, salvage }: ReadRecordsOptions,
): Promise<{ found?: ScannedRecords; bytes: Bytes }> {
  const isTooShallow = (limits?.depth ?? CANONICAL_DEPTH) < CANONICAL_DEPTH
  if (!kind || salvage || isTooShallow) return { bytes: content }
  const whole = wholeWithin(limits)
  const { head, bytes } = await peek(content, whole + 1)
  const found = head.length <= whole ? scanner.scan(kind, head) : undefined
  if (!found) return { bytes }
  if (form && found.emptyArray) form.emptyArray ??= found.emptyArray
  return { found, bytes }
}
