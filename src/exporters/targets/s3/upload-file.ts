import { open } from 'node:fs/promises'
import { ArchiveError } from '../../../errors.ts'
import { attempt } from '../../../files/write-file.ts'
import { type ObjectStore, textIn } from './object-store.ts'

/** The most bytes in one request. A store keeps the parts of a larger object until all are there. */
const PART = 16 * 2 ** 20
/** The most parts that a store accepts. */
const MOST_PARTS = 10_000

/**
 * Uploads a file. Nobody sees its object before all of it is there.
 *
 * @param sha256 the SHA-256 of the file, with which a store checks what it got
 * @throws `target-failed`
 */
export async function uploadFile(
  store: ObjectStore,
  key: string,
  { path, sha256, partBytes = PART }: { path: string; sha256: string; partBytes?: number },
): Promise<void> {
  const file = await attempt(path, open(path))
  try {
    const { size } = await file.stat()
    const readAt = async (position: number, length: number) => {
      const buffer = Buffer.alloc(length)
      for (let at = 0; at < length; ) {
        const { bytesRead } = await file.read(buffer, at, length - at, position + at)
        if (bytesRead === 0) throw new TypeError('a file that is uploaded became shorter')
        at += bytesRead
      }
      return buffer
    }
    if (size <= partBytes) {
      await store.put(key, await readAt(0, size), { sha256 })
      return
    }
    const length = Math.max(partBytes, Math.ceil(size / MOST_PARTS))
    const started = await (await store.ask('POST', key, { query: { uploads: '' } })).text()
    const uploadId = textIn(started, 'UploadId')
    try {
      const parts: string[] = []
      for (let at = 0; at < size; at += length) {
        const number = parts.length + 1
        const body = await readAt(at, Math.min(length, size - at))
        const query = { partNumber: String(number), uploadId }
        const response = await store.ask('PUT', key, { query, body })
        const etag = (response.headers.get('etag') ?? '').replaceAll('"', '&quot;')
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
      }
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const done = await (await store.ask('POST', key, { query: { uploadId }, body })).text()
      // A store that takes long to join the parts answers 200 before it knows.
      if (done.includes('<Error>')) {
        const message = `${textIn(done, 'Code')}: ${textIn(done, 'Message')}`
        throw new ArchiveError('target-failed', message, { archive: store.shown })
      }
    } catch (error) {
      await store.ask('DELETE', key, { query: { uploadId } }).catch(() => {})
      throw error
    }
  } finally {
    await file.close()
  }
}
