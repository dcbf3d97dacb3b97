import { ArchiveError } from '../base/errors.ts'
import { resolveLimits } from '../base/limits.ts'
import { asBytes } from '../base/streams.ts'
import { openSpool } from '../files/spool.ts'
import type { ArchiveEntry, ReadOptions } from './entry.ts'
import { ALLOWANCE } from './read-zip.ts'

/** Another name of a file in a tar. */
export interface HardLink {
  path: string
  target: string
}

/** How one reading of a tar differs from another. */
export interface LinkReading extends Pick<ReadOptions, 'report'> {
  /** Takes a hard link; false to have it skipped and reported. */
  takeLink?(link: HardLink): boolean
}

/** Bytes of memory for links, and those that one takes beside its names. */
const [ROOM, OVERHEAD] = [64 * 2 ** 20, 200]

/**
 * The entries of a tar, and after them a copy of a file for each hard link to it. Programs that save space make links of
 * equal files, and tar keeps these. Nothing is linked anywhere: the tar is read once more. A link to anything else than a
 * file of this tar is skipped and reported (`entry-type`).
 *
 * @param read reads the tar from its beginning
 * @param size bytes of the file, which all copies together may not exceed by more than they may in gzip data
 * @throws `limit-extracted` or `limit-expansion`, and as `read`
 */
export async function* copyLinks(
  read: (reading: LinkReading) => AsyncGenerator<ArchiveEntry>,
  { limits, report, size }: Pick<ReadOptions, 'limits' | 'report'> & { size: number },
): AsyncGenerator<ArchiveEntry> {
  const { extracted, expansion } = resolveLimits(limits)
  const namesOf = new Map<string, string[]>()
  let room = ROOM
  let bytes = 0
  const takeLink = ({ path, target }: HardLink) => {
    room -= 2 * (path.length + target.length) + OVERHEAD
    if (room < 0) return false
    const names = namesOf.get(target)
    if (names) names.push(path)
    else namesOf.set(target, [path])
    return true
  }
  for await (const entry of read({ report, takeLink })) {
    bytes += entry.size
    yield entry
  }
  if (namesOf.size === 0) return
  const spool = openSpool()
  try {
    for await (const entry of read({ report: undefined })) {
      const names = namesOf.get(entry.path) ?? []
      namesOf.delete(entry.path)
      // Content can be read once.
      const isShared = names.length > 1
      if (isShared) await spool.keep(entry.content)
      for (const path of names) {
        bytes += entry.size
        if (bytes > extracted) {
          const message = `entries of more than ${extracted} bytes in all`
          const limit = { allowed: extracted, found: bytes }
          throw new ArchiveError('limit-extracted', message, { entry: path }).over(limit)
        }
        const ratio = Math.ceil(bytes / size)
        if (bytes > ALLOWANCE && ratio > expansion) {
          const message = `${bytes} bytes from ${size}, with hard links; at most ${expansion} for each are read`
          const limit = { allowed: expansion, found: ratio }
          throw new ArchiveError('limit-expansion', message, { entry: path }).over(limit)
        }
        yield { ...entry, path, content: isShared ? asBytes(spool.read()) : entry.content }
      }
    }
  } finally {
    spool.close()
  }
  for (const [target, names] of namesOf) {
    const message = `a hard link to ${JSON.stringify(target)}, which is no file of this tar; it was skipped`
    for (const entry of names) report?.({ code: 'entry-type', place: { entry }, message })
  }
}
