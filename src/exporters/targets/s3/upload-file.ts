import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { attempt } from '../../../files/attempt.ts'
import type { ObjectStore } from './object-store.ts'

/** The most bytes in one request. A store keeps the parts of a larger object until all are there. */
const PART = 16 * 2 ** 20
/** The most parts that a store accepts. */
const MOST_PARTS = 10_000

/**
 * Uploads a file. Nobody sees its object before all of it is there.
 *
 * @param sha256 the SHA-256 of the file, with which a store checks what it got in one request
 * @throws `target-failed`
 */
export async function uploadFile(
  store: ObjectStore,
  key: string,
  { path, sha256, partBytes = PART }: { path: string; sha256: string; partBytes?: number },
): Promise<void> {
  const { size } = await attempt(path, stat(path))
  if (size <= partBytes) {
    await store.put(key, await attempt(path, readFile(path)), { sha256 })
    return
  }
  await store.upload(key, createReadStream(path), Math.max(partBytes, Math.ceil(size / MOST_PARTS)))
}
