import { createHash } from 'node:crypto'
import type { Bytes } from '../../streams.ts'
import type { Output } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { writeAll } from './write-all.ts'

export interface Written {
  bytes: number
  sha256: string
}

/** Writes to a stream such as standard output; false if its reader went away before the end. */
export async function writeToStream(stream: Output, bytes: Bytes): Promise<boolean> {
  if (stream.isTTY) {
    const hint = 'Name a file with -o, or put a program after a pipe.'
    throw new UsageError('an archive is nothing for a terminal', hint)
  }
  return writeAll(stream, bytes)
}

/** The same bytes, and when they have passed what they were. */
export function measured(bytes: Bytes): { bytes: Bytes; sum(): Written } {
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
