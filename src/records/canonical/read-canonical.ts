import { type Bytes, peek } from '../../streams.ts'
import type { Kind } from '../kinds/kind.ts'
import { noteForm, type ReadRecordsOptions, wholeWithin } from '../read-records.ts'
import type { RecordFacts } from '../statistics/record-facts.ts'
import { type CanonicalBatch, canonicalBatches } from './canonical-batches.ts'
import { canonicalFacts } from './canonical-facts.ts'

export type { CanonicalBatch }

/** Ways to read canonical records without parsing them. */
interface Wanted {
  /** The records as JSON, ready to be stored. */
  batches: CanonicalBatch
  /** The result of `factsOf` for each record. */
  facts: RecordFacts
}

const READERS: { [W in keyof Wanted]: (kind: Kind, array: Buffer) => Wanted[W][] | undefined } = {
  batches: canonicalBatches,
  facts: canonicalFacts,
}

/** No canonical record is nested deeper than this. */
const CANONICAL_DEPTH = 8

/**
 * Reads a record file without parsing it, if it is small and all its records are canonical: printed exactly as the
 * host prints records of this kind. `found` is undefined for any other file. `bytes` is the whole content either way.
 */
export async function readCanonical<W extends keyof Wanted>(
  kind: Kind | undefined,
  content: Bytes,
  wanted: W,
  { limits, form, salvage }: ReadRecordsOptions,
): Promise<{ found?: Wanted[W][]; bytes: Bytes }> {
  const isTooShallow = (limits?.depth ?? CANONICAL_DEPTH) < CANONICAL_DEPTH
  if (!kind || salvage || isTooShallow) return { bytes: content }
  const whole = wholeWithin(limits)
  const { head, bytes } = await peek(content, whole + 1)
  const found = head.length <= whole ? READERS[wanted](kind, head) : undefined
  if (!found) return { bytes }
  if (form && form.emptyArray === undefined) noteForm(form, head.toString('latin1'))
  return { found, bytes }
}
