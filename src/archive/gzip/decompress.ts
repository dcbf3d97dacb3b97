import { ArchiveError, throwIfInterrupted } from '../../base/errors.ts'
import { type Bytes, peek } from '../../base/streams.ts'
import { detectFormat, dialectOf, type Format } from '../detect-format.ts'
import type { ReadOptions } from '../entry.ts'
import { gunzip } from './gunzip.ts'

/**
 * The bytes of the tar in an archive, gzip (one or several members) or plain tar. Throws `not-an-archive`,
 * `archive-unsupported`, `gzip-damaged`, `gzip-truncated` or `limit-expansion`.
 */
export async function* decompress(
  archive: Bytes,
  options: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  const { form = {}, position, signal } = options
  let source = await peek(archive, 512)
  try {
    const format = detectFormat(source.head)
    form.container = format === 'gzip' ? 'gzip' : 'tar'
    if (format === 'gzip') source = await peek(gunzip(source.bytes, options), 512)
    const inner = detectFormat(source.head)
    if (inner !== 'tar') throw notAnArchive(inner === 'gzip' ? TWICE : inner)
    form.dialect = dialectOf(source.head)
    for await (const chunk of source.bytes) {
      throwIfInterrupted(signal)
      if (position && format === 'tar') position.file += chunk.length
      yield chunk
    }
  } finally {
    await source.close()
  }
}

const TWICE = { foreign: 'compressed twice', code: 'archive-unsupported' } as const

function notAnArchive(format: Exclude<Format, 'gzip' | 'tar'>): ArchiveError {
  const { foreign, code } =
    format === 'empty' ? ({ foreign: 'empty', code: 'not-an-archive' } as const) : format
  return new ArchiveError(code, `expected a tar.gz, but this is ${foreign}`)
}
