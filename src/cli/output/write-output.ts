import type { Bytes } from '../../streams.ts'
import type { Output } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { writeAll } from './write-all.ts'

/** Writes to a stream such as standard output. Returns false if its reader closed it early. */
export async function writeToStream(stream: Output, bytes: Bytes): Promise<boolean> {
  if (stream.isTTY) {
    const hint = 'Name a file with -o, or write to a pipe.'
    throw new UsageError('an archive cannot be written to a terminal', hint)
  }
  return writeAll(stream, bytes)
}
