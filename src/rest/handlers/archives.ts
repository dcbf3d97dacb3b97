import { constants, type FileHandle, open } from 'node:fs/promises'
import { notModified } from '../../http/etag.ts'
import { notFound } from '../../http/http-error.ts'
import { partOf } from '../../http/range.ts'
import type { Handler } from '../request-context.ts'
import { requireSignature } from './signed-address.ts'

/** The archive of a migration, by an address that its owner was given. No other credentials are asked for. */
export const download: Handler = async (context) => {
  const { headers, method, server } = context
  const { state } = server
  const guid = context.params.guid ?? ''
  requireSignature(context, { purpose: 'archive', name: guid })
  const { archive, exportedAt } = state.migrations.findByGuid(guid) ?? {}
  const path = state.archivePath(guid)
  if (!archive || exportedAt === undefined || path === undefined) throw notFound()
  const { size } = archive
  const etag = `"${archive.sha256}"`
  const facts = {
    ETag: etag,
    'Last-Modified': new Date(exportedAt).toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
  }
  const known = notModified(headers, facts)
  if (known) return known
  const part = partOf(headers, { size, etag, lastModified: facts['Last-Modified'] })
  const file = await openArchiveFile(path, size)
  if (method === 'HEAD') await file.close()
  return {
    status: part.status,
    headers: {
      ...facts,
      'Content-Type': 'application/x-gzip',
      'Content-Disposition': `attachment; filename=${guid}.tar.gz`,
      ...part.headers,
    },
    bytes: method === 'HEAD' ? NOTHING : readPart(file, part.start, part.end),
  }
}

/** Opens an archive, which is never a link. Throws `HttpError` 404 if it is not there, or not whole. */
async function openArchiveFile(path: string, size: number): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => {
    throw notFound()
  })
  const stats = await file.stat()
  if (stats.isFile() && stats.size === size) return file
  await file.close()
  throw notFound()
}

const NOTHING: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => END }
const END: AsyncIterator<Uint8Array> = { next: async () => ({ done: true, value: undefined }) }

const CHUNK = 128 * 1024

/**
 * The bytes of an open file from `start` to `end`. The file is closed after the last of them, and when the reader stops
 * early, even before the first: a generator would not notice that.
 */
function readPart(file: FileHandle, start: number, end: number): AsyncIterable<Uint8Array> {
  let at = start
  const finish = async () => {
    at = end + 1
    await file.close()
    return { done: true, value: undefined } as const
  }
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      if (at > end) return finish()
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, end + 1 - at))
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
      if (bytesRead === 0) {
        await finish()
        throw new Error('the archive became shorter while it was sent')
      }
      at += bytesRead
      return { done: false, value: chunk.subarray(0, bytesRead) }
    },
    return: finish,
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
