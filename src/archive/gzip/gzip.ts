import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { Bytes } from '../../base/streams.ts'

const deflate = promisify<Uint8Array, object, Buffer>(deflateRaw)

/** The output of this zlib at 5 is no larger than that of gzip at 6, and takes less time. */
const LEVEL = 5
/** How many parts of a block tell whether it is worth compressing, and the bytes of each. */
const SAMPLES = 8
const SAMPLE = 1024
/** Bytes compressed at a time. Another size would make other bytes of the same input. */
const BLOCK = 512 * 1024
/** How far back deflate can refer. */
const WINDOW = 32 * 1024
// Room for a block of compressed JSON, so that zlib finishes in one call; it grows if needed.
const ROOM = 160 * 1024

// Without name, time and system, so that the same content makes the same bytes everywhere.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block marked as the last. */
const LAST = Buffer.from([3, 0])

/**
 * Compresses bytes into one gzip member on all cores, or `threads` blocks at a time: each block by itself, with the end of
 * the previous one as its dictionary. Blocks that are compressed already are stored. The output depends neither on the number of
 * threads nor on how the input is split.
 */
export async function* gzip(
  bytes: Bytes,
  { level = LEVEL, threads }: { level?: number | undefined; threads?: number | undefined } = {},
): AsyncGenerator<Uint8Array> {
  // More than cores, so that none waits while the next block is filled.
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
    // After an error these still run, and nothing else awaits them.
    await Promise.allSettled(running)
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(sum)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  yield Buffer.concat([LAST, trailer])
}

/**
 * The bytes in full blocks; only the last may be shorter. Reuses `count` buffers, because allocating a block takes longer
 * than filling it.
 */
async function* inBlocks(bytes: Bytes, count: number): AsyncGenerator<Buffer> {
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
      next = (next + 1) % count
      filled = 0
    }
  }
  if (filled > 0) yield (blocks[next] as Buffer).subarray(0, filled)
}

/** Compresses a block. None of its deflate blocks is marked as the last, and they end at a byte, so that more can follow. */
async function compress(
  block: Buffer,
  level: number,
  dictionary: Buffer | undefined,
): Promise<Buffer> {
  const isStored = level === constants.Z_NO_COMPRESSION || !(await isCompressible(block))
  return deflate(block, {
    level: isStored ? constants.Z_NO_COMPRESSION : level,
    memLevel: 9, // faster than the default
    chunkSize: ROOM,
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(dictionary && { dictionary }),
  })
}

/**
 * Whether samples of a block become smaller by 3 %. Images, packs of Git and zip files do not: to compress such a block takes
 * ten times as long as to store it, and saves 1 % of it.
 */
async function isCompressible(block: Buffer): Promise<boolean> {
  const step = Math.floor(block.length / SAMPLES)
  const samples = Array.from({ length: SAMPLES }, (_, i) =>
    block.subarray(i * step, i * step + Math.min(step, SAMPLE)),
  )
  const sample = Buffer.concat(samples)
  const compressed = await deflate(sample, { level: 1, memLevel: 5 })
  return compressed.length < 0.97 * sample.length
}
