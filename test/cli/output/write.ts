import type { FormatOptions } from '../../../src/cli/output/format.ts'
import { FORMATS, type FormatName } from '../../../src/cli/output/formats.ts'
import type { QueryResult } from '../../../src/query/run-query.ts'

/** The output of a format as bytes. */
export function writeBytes(
  name: FormatName,
  result: QueryResult,
  options?: FormatOptions,
): Buffer<ArrayBuffer> {
  const pieces: Iterable<string | Uint8Array> = FORMATS[name].format(result, options)
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece as string)))
}

/** The output of a format as text. */
export function write(name: FormatName, result: QueryResult, options?: FormatOptions): string {
  return writeBytes(name, result, options).toString()
}
