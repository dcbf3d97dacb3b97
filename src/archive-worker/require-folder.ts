import type { Dirent } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { foreignSource, HEAD, SourceDetector } from '../archive/foreign-source.ts'
import { throwIfInterrupted } from '../base/errors.ts'
import { isPartOfArchive, unrecognized } from './require-archive.ts'

/** Names that are looked at. An archive has its documents and record files at the top, or one folder below. */
const MOST_NAMES = 10_000

/**
 * Decides from the names in a folder, those near its top first, whether it can be an unpacked archive: a wrong folder may be
 * a whole disk.
 *
 * @param isPart whether a file with this path is a part of an archive
 * @throws `archive-unrecognized`, `source-unsupported` for an export or a backup of another kind, or `interrupted`
 */
export async function requireFolder(
  folder: string,
  signal: AbortSignal | undefined,
  isPart: (path: string) => boolean = isPartOfArchive,
): Promise<void> {
  const names: string[] = []
  const folders = ['']
  const detector = new SourceDetector()
  const refusal = (isCut = false) => {
    const source = detector.finish()
    const error =
      source === undefined ? unrecognized(names, names.length, { isCut }) : foreignSource(source)
    return error.at({ archive: folder })
  }
  let seen = 0
  for (const above of folders) {
    throwIfInterrupted(signal)
    for await (const entry of entriesOf(`${folder}/${above}`)) {
      const path = above + entry.name
      if (++seen > MOST_NAMES) throw refusal(true)
      if (entry.isDirectory()) folders.push(`${path}/`)
      else if (entry.isFile()) {
        const source = await detector.add(path, () => headOf(`${folder}/${path}`))
        if (source !== undefined) throw foreignSource(source).at({ archive: folder })
        // The archive may be one folder below.
        if ([path, path.slice(path.indexOf('/') + 1)].some(isPart)) return
        names.push(path)
      }
    }
  }
  throw refusal()
}

/** Nothing for a folder that cannot be read, or that is gone. */
async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path)
  } catch {
    // Reading the archive gives the reason, if it needs the folder.
  }
}

/** The first bytes of a file; none if it cannot be read. */
async function headOf(path: string): Promise<Buffer> {
  const file = await open(path).catch(() => undefined)
  if (!file) return Buffer.alloc(0)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return buffer.subarray(0, bytesRead)
  } catch {
    return Buffer.alloc(0)
  } finally {
    await file.close()
  }
}
