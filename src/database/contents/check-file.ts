import { ROOT } from '../../archive/entry.ts'
import { checkPath } from '../../archive/normalize-path.ts'
import { ArchiveError } from '../../base/errors.ts'

/** Values of a row about a file. SQL may have changed them to anything. */
export interface FileValues {
  path: unknown
  size?: unknown
  /** `id` in the table `files`. */
  id?: unknown
}

// No tar header holds a longer path.
const LONGEST_PATH = 4 * 2 ** 20

/**
 * Checks that the path of a row is one that an archive can have, and that its size is valid. Throws `path-hostile` for a
 * path that leads out of a folder, `database-damaged` for anything else, such as an id that a number cannot hold.
 */
export function checkFile({ path, size = 0, id = 1 }: FileValues): void {
  const place = { entry: String(path).slice(0, LONGEST_PLACE) }
  const notPath = () => new ArchiveError('database-damaged', 'not a path of a file', place)
  if (typeof path !== 'string' || path.length > LONGEST_PATH) throw notPath()
  try {
    checkPath(path)
  } catch (error) {
    throw error instanceof ArchiveError ? error.at(place) : error
  }
  if (path.split('/').some((part) => part === '' || part === '.')) throw notPath()
  if (!Number.isSafeInteger(id)) {
    throw new ArchiveError('database-damaged', `the id of the file is ${id}, beyond 2⁵³`, place)
  }
  if (Number.isSafeInteger(size) && (size as number) >= 0) return
  const message = `expected a number of bytes, found ${JSON.stringify(String(size))}`
  throw new ArchiveError('database-damaged', message, place)
}

/** The same for a row of `entries`, where the path of a directory ends with a slash. */
export function checkEntry({ path, ...row }: FileValues & { role: unknown }): void {
  if (path === ROOT && row.role === 'directory') return
  const isDirectory = row.role === 'directory' && typeof path === 'string' && path.endsWith('/')
  checkFile({ ...row, path: isDirectory ? path.slice(0, -1) : path })
}

const LONGEST_PLACE = 1000
