import { ArchiveError, type ErrorCode, type Problem, type Report } from '../base/errors.ts'
import type { ReadProgress } from './tar/read-progress.ts'
import { BLOCK } from './tar/tar-header.ts'

const DAMAGES: readonly ErrorCode[] = [
  'gzip-damaged',
  'gzip-truncated',
  'tar-damaged',
  'tar-truncated',
  'zip-damaged',
  'archive-unreadable',
]

/** Whether an error means that the bytes of an archive are damaged, rather than that it exceeds a limit. */
export const isDamage = (error: unknown): error is ArchiveError =>
  error instanceof ArchiveError && DAMAGES.includes(error.code)

/**
 * The entries of a tar up to the first damage, which is reported (`rest-lost`). Throws if there are none.
 *
 * Does not search for headers after the damage: they may belong to an attached tar.
 */
export async function* readUntilDamaged<T>(
  entries: AsyncIterable<T>,
  progress: ReadProgress,
  report: Report | undefined,
): AsyncGenerator<T> {
  let found = false
  try {
    for await (const entry of entries) {
      found = true
      yield entry
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    if (!found) {
      const { code, message, place } = error
      throw new ArchiveError(code, `${message}; nothing can be salvaged`, place, error)
    }
    report?.(describeRest(error, progress))
  }
}

function describeRest({ code, message, place }: ArchiveError, progress: ReadProgress): Problem {
  const { file, length, endOfEntry } = progress
  const tar = code === 'tar-damaged' ? endOfEntry : length
  const content = JSON.stringify({ code, tar, file })
  if (code === 'gzip-damaged' && length >= endOfEntry + END) {
    const doubt = 'every entry was read, but bytes in any of them may be wrong'
    return { code: 'rest-lost', place: {}, message: `${message}; ${doubt}`, content }
  }
  const read = `read up to byte ${tar} of the tar, about byte ${file} of the file`
  // The place that complete entries have in messages.
  const entry = place.entry?.replace(/^(?:\.\/)+/, '')
  return { code: 'rest-lost', place: { entry }, message: `${message}; ${read}`, content }
}

/** The blocks of zeros that end a tar. */
const END = 2 * BLOCK
