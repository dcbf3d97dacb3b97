import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { attemptSync } from '../../files/attempt.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import type { StreamedObject } from '../parse/git-object.ts'

/** Bytes with random access, in memory or in a temporary file. */
export interface SeekableBytes {
  readonly length: number
  /** Undefined after the end. */
  byteAt(position: number): number | undefined
  /** As that of a Buffer. */
  copy(target: Buffer, targetStart: number, start: number, end: number): void
  close(): void
}

/** Content up to this size stays in memory. */
const MOST_IN_MEMORY = 8 * 2 ** 20
const WINDOW = 64 * 2 ** 10

/** Wraps a buffer. */
export const inMemory = (bytes: Buffer): SeekableBytes => ({
  length: bytes.length,
  byteAt: (position) => bytes[position],
  copy: (target, targetStart, start, end) => void bytes.copy(target, targetStart, start, end),
  close() {},
})

/**
 * Gives random access to a content; large content goes to a temporary file. Close it when done. Throws as the content
 * does, `output-full` or `output-refused`.
 */
export async function openSeekableBytes({
  size,
  content,
}: Pick<StreamedObject, 'size' | 'content'>): Promise<SeekableBytes> {
  if (!(Symbol.asyncIterator in content)) return inMemory(content[0])
  if (size > MOST_IN_MEMORY) return inFile(content)
  const whole = Buffer.allocUnsafe(size)
  let at = 0
  for await (const piece of content) at += piece.copy(whole, at)
  return inMemory(whole.subarray(0, at))
}

async function inFile(content: AsyncIterable<Buffer>): Promise<SeekableBytes> {
  const folder = makeTemporaryFolder()
  const path = join(folder.path, 'content')
  let file: number | undefined
  const close = () => {
    if (file !== undefined) closeSync(file)
    folder.remove()
  }
  try {
    const opened = attemptSync(path, () => openSync(path, 'wx+', 0o600))
    file = opened
    let length = 0
    for await (const piece of content) {
      for (let at = 0; at < piece.length; ) {
        at += attemptSync(path, () => writeSync(opened, piece, at, piece.length - at, length + at))
      }
      length += piece.length
    }
    return { length, close, ...readerOf(opened, length) }
  } catch (error) {
    close()
    throw error
  }
}

function readerOf(file: number, length: number): Pick<SeekableBytes, 'byteAt' | 'copy'> {
  const window = Buffer.allocUnsafe(WINDOW)
  let from = 0
  let to = 0
  return {
    byteAt(position) {
      if (position >= length) return undefined
      if (position < from || position >= to) {
        from = position
        to = position + readSync(file, window, 0, WINDOW, position)
      }
      return window[position - from]
    },
    copy(target, targetStart, start, end) {
      for (let at = start; at < end; ) {
        const read = readSync(file, target, targetStart + at - start, end - at, at)
        if (read === 0) return // the file was truncated: the id check reports it
        at += read
      }
    },
  }
}
