import { ArchiveError, type ErrorCode, type Problem, type Report } from '../errors.ts'
import { BLOCK } from './tar/tar-header.ts'

/** How far an archive could be read, in bytes. */
export interface ReadProgress {
  /** Of the file. */
  file: number
  /** Of the tar. */
  length: number
  /** The end of the last entry of the tar that is whole. */
  endOfEntry: number
}

const DAMAGES: readonly ErrorCode[] = [
  ...(['gzip-damaged', 'gzip-truncated', 'tar-damaged', 'tar-truncated'] as const),
  'archive-unreadable',
]

/** Whether something is wrong with the bytes of an archive, rather than with what it asks for. */
export const isDamage = (error: unknown): error is ArchiveError =>
  error instanceof ArchiveError && DAMAGES.includes(error.code)

/**
 * The entries of a tar up to where it is damaged, which is reported (`rest-lost`). Throws if there are none.
 *
 * What looks like a header after a damage is not looked for: it may stand in a tar that somebody attached.
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
    if (!found || !isDamage(error)) throw error
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
  // As entries that are whole are called.
  const entry = place.entry?.replace(/^(?:\.\/)+/, '')
  return { code: 'rest-lost', place: { entry }, message: `${message}; ${read}`, content }
}

/** The blocks of zeros that end a tar. */
const END = 2 * BLOCK
