import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asBytes, type Bytes, collect, peek } from '../../../base/streams.ts'
import { makeTemporaryFolder } from '../../../files/temporary-folder.ts'

export interface TemporaryFile {
  path: string
  size: number
  remove(): void
}

/** Writes bytes to a private file, to be read at any place. */
export async function writeTemporaryFile(bytes: Bytes): Promise<TemporaryFile> {
  const folder = makeTemporaryFolder()
  const path = join(folder.path, 'content')
  try {
    const file = createWriteStream(path)
    await pipeline(bytes, file)
    return { path, size: file.bytesWritten, remove: folder.remove }
  } catch (error) {
    folder.remove()
    throw error
  }
}

/** Longer contents are not held in memory. */
const IN_MEMORY = 4 * 2 ** 20

/** Makes bytes that come once a content that can be read again. */
export async function spool(bytes: Bytes): Promise<{ read(): Bytes; remove(): void }> {
  const { head, bytes: whole } = await peek(bytes, IN_MEMORY)
  if (head.length < IN_MEMORY) {
    const content = await collect(whole)
    return { read: () => asBytes([content]), remove: () => {} }
  }
  const file = await writeTemporaryFile(whole)
  const read = () => createReadStream(file.path, { highWaterMark: 2 ** 20 })
  return { read, remove: file.remove }
}
