import { type Bytes, peek } from '../../streams.ts'
import type { Kind } from '../kinds/kind.ts'
import type { ReadRecordsOptions } from '../read-records.ts'
import { noteForm, wholeWithin } from '../whole-file.ts'
import { type PlainRun, plainRuns } from './canonical-batches.ts'

/** Levels of nesting that no plain record exceeds. */
const PLAIN_DEPTH = 8

/** Looks whether a file is plain, and finds the runs of its records; or gives all of its bytes. */
export const peekRuns = (
  kind: Kind,
  content: Bytes,
  options: ReadRecordsOptions,
): Promise<{ found?: PlainRun[]; bytes: Bytes }> =>
  peekPlain((array) => plainRuns(kind, array), content, options)

/** What `read` finds in a file that may be read whole, if it is plain; and all of its bytes. */
export async function peekPlain<T>(
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
