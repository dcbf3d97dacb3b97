import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { Bytes } from '../../streams.ts'

const deflate = promisify<Uint8Array, object, Buffer>(deflateRaw)

/** What this zlib makes at 5 is no larger than what the program gzip makes at 6, and takes less time. */
const LEVEL = 5
/** Bytes compressed at a time. Part of the form: another size makes other bytes. */
const BLOCK = 512 * 1024
/** How far back deflate can refer. */
const WINDOW = 32 * 1024
// Room for what JSON comes to, so that zlib is done in one go; it asks for more where that is too little.
const ROOM = 160 * 1024

// No name, no time, and no system, so that the same content makes the same bytes everywhere.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block that says it is the last. */
const LAST = Buffer.from([3, 0])

/**
 * Compresses bytes into one gzip member on as many cores as there are: every block by itself, with the end
 * of the one before as its dictionary. The same bytes come out however many cores there are and however
 * the input is cut. `threads` is how many blocks are compressed at a time.
 */
export async function* gzip(
  bytes: Bytes,
  { level = LEVEL, threads }: { level?: number | undefined; threads?: number | undefined } = {},
): AsyncGenerator<Uint8Array> {
  // More than there are cores, so that none waits while the next block is put together.
  const most = threads ?? 2 * availableParallelism() + 2
  const running: Promise<Buffer>[] = [Promise.resolve(HEADER)]
  let sum = 0
  let length = 0
  let before: Buffer | undefined
  try {
    for await (const block of inBlocks(bytes, most + 2)) {
      while (running.length >= most) yield (await running.shift()) as Buffer
      sum = crc32(block, sum)
      length += block.length
      running.push(compress(block, level, before?.subarray(-WINDOW)))
      before = block
    }
    for (let next = running.shift(); next; next = running.shift()) yield await next
  } finally {
    // After an error nobody waits for these any more, but they still run.
    await Promise.allSettled(running)
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(sum)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  yield Buffer.concat([LAST, trailer])
}

/**
 * The bytes in whole blocks but for the last, in as many pieces of memory as told, which are used again and
 * again: to allocate each block takes longer than to fill it.
 */
async function* inBlocks(bytes: Bytes, most: number): AsyncGenerator<Buffer> {
  const blocks: Buffer[] = []
  let next = 0
  let filled = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      blocks[next] ??= Buffer.allocUnsafeSlow(BLOCK)
      const block = blocks[next] as Buffer
      const part = chunk.subarray(at, at + BLOCK - filled)
      block.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < BLOCK) continue
      yield block
      next = (next + 1) % most
      filled = 0
    }
  }
  if (filled > 0) yield (blocks[next] as Buffer).subarray(0, filled)
}

/** The block as deflate's blocks, none of them the last; they end at a whole byte, so that more can follow. */
const compress = (block: Buffer, level: number, dictionary: Buffer | undefined): Promise<Buffer> =>
  deflate(block, {
    level,
    memLevel: 9, // which is faster
    chunkSize: ROOM,
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(dictionary && { dictionary }),
  })
