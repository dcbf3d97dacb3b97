import { type Bytes, peek } from '../streams.ts'
import { kindNamed } from './kinds/kind-of-record.ts'

/** More white space than this stands before no array. */
const HEAD = 4096

/**
 * Whether a file that is named like records of a kind holds some, and all of its bytes. A kind that is known
 * does, or else is damaged; of one that is not, what is no array is a file with an unlucky name.
 */
export async function detectRecords(
  stem: string,
  content: Bytes,
): Promise<{ isRecords: boolean; bytes: Bytes }> {
  if (kindNamed(stem)) return { isRecords: true, bytes: content }
  const { head, bytes } = await peek(content, HEAD)
  return { isRecords: /^\ufeff?\s*\[/.test(head.toString('utf8')), bytes }
}
