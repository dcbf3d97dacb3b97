import { type Bytes, peek } from '../base/streams.ts'
import { kindNamed } from './kinds/kind-of-record.ts'

/** The longest white space before an array. */
const HEAD = 4096

/**
 * Whether a file that is named like a record file is one, with all of its bytes. A file of a known kind is one, or it is
 * damaged; a file of an unknown kind without an array is another file with such a name.
 */
export async function detectRecords(
  stem: string,
  content: Bytes,
): Promise<{ isRecords: boolean; bytes: Bytes }> {
  if (kindNamed(stem)) return { isRecords: true, bytes: content }
  const { head, bytes } = await peek(content, HEAD)
  return { isRecords: /^\ufeff?\s*\[/.test(head.toString('utf8')), bytes }
}
