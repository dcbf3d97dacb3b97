import { createHash } from 'node:crypto'
import type { WrittenFolder } from '../written-folder.ts'

/** Characters of a text that is kept in memory. */
const KEPT = 2 ** 20

/** Characters that are written together. */
const TOGETHER = 2 ** 16

/** The text of pieces; undefined for a long one. */
export function textOf(pieces: Iterable<string>): string | undefined {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length > KEPT) return undefined
  }
  return text
}

/** Bytes of a content that is kept in memory until its hash is known. */
const KEPT_BYTES = 2 ** 23

/** Writes a text. One that is very long is made again: first for its hash, then a piece at a time. */
export async function writePieces(
  output: WrittenFolder,
  file: string,
  make: () => Iterable<string>,
): Promise<void> {
  const sum = createHash('sha256')
  const kept: Buffer[] = []
  let bytes = 0
  for (const piece of together(make())) {
    sum.update(piece)
    bytes += piece.length
    if (bytes <= KEPT_BYTES) kept.push(piece)
  }
  const content = bytes <= KEPT_BYTES ? Buffer.concat(kept) : later(make)
  await output.put(file, content, sum.digest('hex'), bytes)
}

async function* later(make: () => Iterable<string>): AsyncGenerator<Buffer> {
  yield* together(make())
}

function* together(pieces: Iterable<string>): Generator<Buffer> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < TOGETHER) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}
