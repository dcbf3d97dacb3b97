import { createHash } from 'node:crypto'
import type { Bytes } from '../streams.ts'
import { type WriteOptions, writeFile } from '../write-file.ts'
import type { Output } from './io.ts'
import { writeAll } from './output/write-all.ts'
import { UsageError } from './usage-error.ts'

export { refuseExisting } from '../write-file.ts'

export interface Written {
  bytes: number
  sha256: string
}

/** Writes a file as `writeFile` does, and tells what it wrote. */
export async function writeOutput(
  path: string,
  bytes: Bytes,
  options: WriteOptions = {},
): Promise<Written> {
  const written = measured(bytes)
  await writeFile(path, written.bytes, options)
  return written.sum()
}

/** Writes to a stream such as standard output; undefined if its reader went away before the end. */
export async function writeToStream(stream: Output, bytes: Bytes): Promise<Written | undefined> {
  if (stream.isTTY) {
    const hint = 'Name a file with -o, or put a program after a pipe.'
    throw new UsageError('an archive is nothing for a terminal', hint)
  }
  const written = measured(bytes)
  return (await writeAll(stream, written.bytes)) ? written.sum() : undefined
}

function measured(bytes: Bytes): { bytes: Bytes; sum(): Written } {
  const digest = createHash('sha256')
  let length = 0
  async function* pass() {
    for await (const chunk of bytes) {
      digest.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  return { bytes: pass(), sum: () => ({ bytes: length, sha256: digest.digest('hex') }) }
}
