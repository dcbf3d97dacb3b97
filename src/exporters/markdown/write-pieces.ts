import { createHash } from 'node:crypto'
import type { WrittenFolder } from '../written-folder.ts'

/** Bytes of a file that are kept in memory. */
const KEPT = 8 * 2 ** 20

/** Characters that are written together. */
const TOGETHER = 2 ** 16

/** Writes a text a piece at a time. A large one is made twice: first for its hash. */
export async function writePieces(
  output: WrittenFolder,
  file: string,
  make: () => Iterable<string>,
): Promise<void> {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let bytes = 0
  for (const piece of together(make())) {
    hash.update(piece)
    bytes += piece.length
    if (bytes <= KEPT) kept.push(piece)
    else kept.length = 0
  }
  const content = bytes <= KEPT ? Buffer.concat(kept) : later(make)
  await output.put(file, content, hash.digest('hex'), bytes)
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
