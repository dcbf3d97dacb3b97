import type { QueryResult } from '../../query/run-query.ts'
import { asStored, type SafeText, safe } from '../command/safe-text.ts'

/** The values as stored, separated by tabs, one row per line, blobs as bytes. No header, no escapes. */
export function* formatRaw({ rows }: QueryResult): Generator<SafeText | Uint8Array> {
  let count = 0
  let bareBlob = false
  for (const row of rows) {
    if (count++ > 0) yield safe`\n`
    for (const [index, value] of row.entries()) {
      if (index > 0) yield safe`\t`
      if (value !== null) yield value instanceof Uint8Array ? value : asStored(String(value))
    }
    bareBlob = row.length === 1 && row[0] instanceof Uint8Array
  }
  // A single blob redirected to a file must be exactly that file, without a line feed.
  if (count > 1 || (count === 1 && !bareBlob)) yield safe`\n`
}
