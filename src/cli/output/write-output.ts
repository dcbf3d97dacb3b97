import { createHash } from 'node:crypto'
import type { Bytes } from '../../streams.ts'
import type { Output } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { writeAll } from './write-all.ts'

export interface Written {
  bytes: number
  sha256: string
}

/** Writes to a stream such as standard output. Returns false if its reader closed it early. */
export async function writeToStream(stream: Output, bytes: Bytes): Promise<boolean> {
  if (stream.isTTY) {
    const hint = 'Name a file with -o, or write to a pipe.'
    throw new UsageError('an archive cannot be written to a terminal', hint)
  }
  return writeAll(stream, bytes)
}

/** Passes bytes on; after the last one `sum` returns their number and SHA-256. */
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
