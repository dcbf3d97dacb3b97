import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ArchiveError } from '../errors.ts'
import { type Bytes, peek } from '../streams.ts'
import { detectFormat, dialectOf } from './detect-format.ts'
import type { ReadOptions } from './entry.ts'
import { resolveLimits } from './limits.ts'

/**
 * The bytes of the tar in an archive that is gzip (of one or several members) or plain tar.
 * Throws `not-an-archive`, `gzip-damaged`, `gzip-truncated` or `limit-expansion`.
 */
export async function* decompress(
  archive: Bytes,
  options: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  const { form = {} } = options
  const outer = await peek(archive, 512)
  const format = detectFormat(outer.head)
  form.container = format === 'gzip' ? 'gzip' : 'tar'
  const tar = format === 'gzip' ? await peek(gunzip(outer.bytes, options), 512) : outer
  const inner = detectFormat(tar.head)
  if (inner !== 'tar')
    throw notAnArchive(inner === 'gzip' ? { foreign: 'compressed twice' } : inner)
  form.dialect = dialectOf(tar.head)
  yield* tar.bytes
}

function notAnArchive(format: 'empty' | { foreign: string }): ArchiveError {
  const found = format === 'empty' ? 'is empty' : `is ${format.foreign}`
  return new ArchiveError('not-an-archive', `expected a tar.gz, but this ${found}`)
}

// Room for small archives that compress well by nature.
const EXPANSION_ALLOWANCE = 64 * 2 ** 20

async function* gunzip(
  compressed: Bytes,
  { limits, report }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  const { expansion } = resolveLimits(limits)
  let bytesIn = 0
  let bytesOut = 0
  const input = Readable.from(count(compressed, (bytes) => (bytesIn += bytes)))
  // With the default of 16 KiB a chunk, zlib spends more time on handing over than on inflating.
  const stream = createGunzip({ chunkSize: 256 * 1024 })
  input.on('error', (error) => stream.destroy(error))
  try {
    for await (const chunk of input.pipe(stream) as AsyncIterable<Buffer>) {
      bytesOut += chunk.length
      if (bytesOut > EXPANSION_ALLOWANCE && bytesOut > bytesIn * expansion) {
        const found = `${bytesIn} compressed bytes became more than ${bytesOut}`
        throw new ArchiveError('limit-expansion', `${found}; at most ${expansion} to 1 are read`)
      }
      yield chunk
    }
  } catch (error) {
    throw fromZlib(error, bytesIn)
  } finally {
    input.destroy()
    stream.destroy()
  }
  // Fewer than what was given, where something other than a gzip member follows the last one.
  const trailing = bytesIn - stream.bytesWritten
  if (trailing > 0) {
    report?.({
      code: 'gzip-trailing',
      place: {},
      message: `${trailing} bytes follow the compressed data`,
    })
  }
}

async function* count(bytes: Bytes, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    add(chunk.length)
    yield chunk
  }
}

function fromZlib(error: unknown, bytesIn: number): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'Z_BUF_ERROR') {
    return new ArchiveError(
      'gzip-truncated',
      `the archive ends too early, after ${bytesIn} bytes`,
      {},
      error,
    )
  }
  if (code.startsWith('Z_')) {
    const { message } = error as Error
    return new ArchiveError('gzip-damaged', `the compressed data is damaged: ${message}`, {}, error)
  }
  return error
}
