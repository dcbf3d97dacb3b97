import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { roleOf, UPLOAD_ROLES } from '../archive/entry-role.ts'
import {
  foreignSource,
  HEAD,
  SourceDetector,
  sourceBelow,
  sourceWith,
} from '../archive/foreign-source.ts'
import { headOfFile } from '../archive/read-file-stream.ts'
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
  const found = await recognizeFolder(folder, signal, isPart)
  if (found !== undefined) throw foreignSource(found).at({ archive: folder })
}

/**
 * What a folder is by the names in it, those near its top first; undefined if it can be an unpacked archive.
 *
 * @throws `archive-unrecognized` or `interrupted`
 */
export async function recognizeFolder(
  folder: string,
  signal: AbortSignal | undefined,
  isPart: (path: string) => boolean = isPartOfArchive,
): Promise<string | undefined> {
  const names: string[] = []
  const folders = ['']
  const detector = new SourceDetector()
  /** Whether there are uploads. Foreign sources have such folders too. */
  let hasUploads = false
  /** The first link, or the first that would tell what the folder is. */
  let link: string | undefined
  let isLinked = false
  const end = (isCut = false) => {
    const source = detector.finish()
    if (source !== undefined || (hasUploads && !isLinked)) return source
    let below: ReturnType<typeof sourceBelow>
    for (const name of names) below ??= sourceBelow(name)
    throw unrecognized(names, names.length, { isCut, below, link }).at({ archive: folder })
  }
  let seen = 0
  for (const above of folders) {
    throwIfInterrupted(signal)
    for await (const entry of entriesOf(`${folder}/${above}`)) {
      const path = above + entry.name
      if (++seen > MOST_NAMES) return end(true)
      if (entry.isDirectory()) folders.push(`${path}/`)
      else if (entry.isFile()) {
        const source = await detector.add(path, () => headOfFile(`${folder}/${path}`, HEAD))
        if (source !== undefined) return source
        // The archive may be one folder below.
        const parts = [path, path.slice(path.indexOf('/') + 1)].filter(isPart)
        if (parts.some((part) => !UPLOAD_ROLES.has(roleOf(part).role))) return undefined
        hasUploads ||= parts.length > 0
        names.push(path)
      } else if (entry.isSymbolicLink() && !isLinked) {
        isLinked = sourceWith(path) !== undefined
        if (isLinked) link = path
        link ??= path
      }
    }
  }
  return end()
}

/** Nothing for a folder that cannot be read, or that is gone. */
async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path)
  } catch {
    // Reading the archive gives the reason, if it needs the folder.
  }
}
