import { createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { attempt } from '../../../files/attempt.ts'
import { makeTemporaryFolder } from '../../../files/temporary-folder.ts'
import type { ObjectStore } from './object-store.ts'

/** Works on a copy of a file in a temporary folder. Throws `target-failed`, `output-full`. */
export async function withCopy(
  store: ObjectStore,
  key: string,
  work: (path: string) => Promise<void>,
): Promise<void> {
  const folder = makeTemporaryFolder()
  try {
    const path = join(folder.path, basename(key))
    await attempt(path, pipeline(await store.read(key), createWriteStream(path)))
    await work(path)
  } finally {
    folder.remove()
  }
}
