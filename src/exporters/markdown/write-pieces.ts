import { createHash, hash } from 'node:crypto'
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

/** Writes a text. A long one is made again: first for its hash, then a piece at a time. */
export async function writePieces(
  output: WrittenFolder,
  file: string,
  make: () => Iterable<string>,
): Promise<void> {
  const text = textOf(make())
  if (text !== undefined) {
    const content = Buffer.from(text)
    return output.put(file, content, hash('sha256', content))
  }
  const sum = createHash('sha256')
  let bytes = 0
  for (const piece of together(make())) {
    sum.update(piece)
    bytes += piece.length
  }
  await output.put(file, later(make), sum.digest('hex'), bytes)
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
