import { constants, crc32, createInflateRaw } from 'node:zlib'
import { ArchiveError, type Report } from '../../base/errors.ts'
import { resolveLimits } from '../../base/limits.ts'
import type { Bytes } from '../../base/streams.ts'
import { isZero } from '../detect-format.ts'
import type { ReadOptions } from '../entry.ts'
import { ByteSource } from './byte-source.ts'

// Small archives may compress well without harm.
const EXPANSION_ALLOWANCE = 64 * 2 ** 20

/**
 * Decompresses gzip data of one or several members. Reports bytes after the last member (`gzip-trailing`) unless they are
 * zeros. Throws `gzip-damaged`, `gzip-truncated`, `limit-expansion` or `limit-members`.
 *
 * zlib's own reader takes all bytes after a member for another member, and an error loses bytes it has decompressed. So
 * zlib only inflates here, and this code finds the members.
 */
export async function* gunzip(
  compressed: Bytes,
  { limits, report, form = {}, salvage = false, position }: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  const { expansion, members } = resolveLimits(limits)
  const source = new ByteSource(compressed)
  let bytesOut = 0
  try {
    let head = await source.take(HEAD)
    if (!isHead(head)) throw damagedOrTruncated(head, source)
    while (isHead(head)) {
      form.members = (form.members ?? 0) + 1
      if (form.members > members) {
        const message = `more than ${members} members of gzip data`
        const limit = { allowed: members, found: form.members }
        throw new ArchiveError('limit-members', message).over(limit)
      }
      await skipFields(source, head)
      for await (const chunk of inflate(source, salvage ? SMALL : Infinity)) {
        bytesOut += chunk.length
        if (bytesOut > EXPANSION_ALLOWANCE && bytesOut > source.bytesRead * expansion) {
          const message = `${source.bytesRead} compressed bytes became more than ${bytesOut}; at most ${expansion} to 1 are read`
          const limit = { allowed: expansion, found: bytesOut / source.bytesRead }
          throw new ArchiveError('limit-expansion', message).over(limit)
        }
        yield chunk
      }
      head = await source.take(HEAD)
    }
    await skipTrailing(source, head, report)
  } finally {
    if (position) position.file = source.position
    await source.close()
  }
}

/** When zlib finds a fault, it loses what it inflated of the current piece. So pieces are small where a fault is possible. */
const SMALL = 4096

const HEAD = 10
const FLAGS = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 }

const isHead = (head: Buffer): boolean =>
  head.length === HEAD &&
  head.readUIntBE(0, 3) === 0x1f8b08 &&
  (flagsOf(head) & FLAGS.reserved) === 0

const flagsOf = (head: Buffer): number => head.readUInt8(3)

/** Skips the optional fields between the header of a member and its data. */
async function skipFields(source: ByteSource, head: Buffer): Promise<void> {
  const flags = flagsOf(head)
  if (flags & FLAGS.extra) await take(source, (await take(source, 2)).readUInt16LE())
  if (flags & FLAGS.name) await skipText(source)
  if (flags & FLAGS.comment) await skipText(source)
  if (flags & FLAGS.headerCrc) await take(source, 2)
}

async function skipText(source: ByteSource): Promise<void> {
  for (let end = -1; end < 0; ) {
    const piece = await source.next()
    if (!piece) throw truncated(source)
    end = piece.indexOf(0)
    if (end >= 0) source.unread(piece.subarray(end + 1))
  }
}

/** Inflates the data of one member and checks it. */
async function* inflate(source: ByteSource, limit: number): AsyncGenerator<Buffer> {
  // With the default chunks of 16 KiB, zlib spends more time on passing them on than on inflating. With Z_SYNC_FLUSH it
  // returns truncated data instead of an error; the missing checksum reveals it.
  const inflater = createInflateRaw({
    chunkSize: 256 * 1024,
    finishFlush: constants.Z_SYNC_FLUSH,
  })
  const feeding = feed(source, inflater, limit)
  let crc = 0
  let size = 0
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc)
      size += chunk.length
      yield chunk
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw String(code).startsWith('Z_') ? damaged(message, error) : error
  } finally {
    inflater.destroy()
    await feeding
  }
  const stated = await take(source, 8)
  if (stated.readUInt32LE() !== crc) throw damaged('its checksum differs')
  if (stated.readUInt32LE(4) !== size % 2 ** 32) throw damaged('its length differs')
}

/** Writes into the inflater until the member ends, and puts the rest back. */
async function feed(
  source: ByteSource,
  inflater: ReturnType<typeof createInflateRaw>,
  limit: number,
): Promise<void> {
  let given = 0
  let goOn = () => {}
  inflater.on('close', () => goOn())
  try {
    while (!inflater.destroyed) {
      const all = await source.next()
      if (!all) return void inflater.end()
      const piece = all.subarray(0, limit)
      source.unread(all.subarray(piece.length))
      given += piece.length
      await new Promise<void>((resolve) => {
        goOn = resolve
        if (inflater.destroyed) resolve()
        else inflater.write(piece, () => resolve())
      })
      const rest = given - inflater.bytesWritten
      if (rest > 0) return source.unread(all.subarray(piece.length - rest))
    }
  } catch (error) {
    inflater.destroy(error as Error)
  }
}

async function skipTrailing(source: ByteSource, head: Buffer, report?: Report): Promise<void> {
  let bytes = 0
  let harmless = true
  for (let piece: Uint8Array | undefined = head; piece; piece = await source.next()) {
    bytes += piece.length
    harmless &&= isZero(piece)
  }
  if (harmless) return
  const message = `${bytes} bytes follow the compressed data`
  report?.({ code: 'gzip-trailing', place: {}, message })
}

async function take(source: ByteSource, size: number): Promise<Buffer> {
  const bytes = await source.take(size)
  if (bytes.length < size) throw truncated(source)
  return bytes
}

const damagedOrTruncated = (head: Buffer, source: ByteSource) =>
  head.length < HEAD ? truncated(source) : damaged('unknown compression method')

const truncated = ({ bytesRead }: ByteSource) =>
  new ArchiveError('gzip-truncated', `the archive ends too early, after ${bytesRead} bytes`)

const damaged = (reason: string, cause?: unknown) =>
  new ArchiveError('gzip-damaged', `the compressed data is damaged: ${reason}`, {}, cause)
