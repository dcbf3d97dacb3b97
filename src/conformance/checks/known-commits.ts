import type { Database } from '../../database/open-database.ts'
import { type PackIndex, readPackIndex } from '../../git/objects/pack-index.ts'
import {
  createFileReader,
  type FileRow,
  type RandomAccessFile,
} from '../../git/objects/random-access-file.ts'
import { gitPath } from '../../git/objects/repository-files.ts'
import { isBroken } from '../../git/parse/git-object.ts'

/** Whether a repository, by URL, has a commit; undefined if its Git data are missing or were not stored. */
export type CommitLookup = (repository: string, oid: string) => boolean | undefined

type HasCommit = (oid: string) => boolean

/** Looks commits up among loose objects and in the indexes of packs. */
export function createCommitLookup(database: Database): CommitLookup {
  const opened = new Map<string, HasCommit | undefined>()
  const directoryOf = database
    .prepare<[string], string>('SELECT git_url FROM repositories WHERE url = ?')
    .pluck()
  const open = (url: string): HasCommit | undefined => {
    const directory = directoryOf.get(url) ?? ''
    const name = /^tarball:\/\/root\/repositories\/(.+)\.git$/.exec(directory)?.[1]
    return name === undefined ? undefined : openRepository(database, name)
  }
  return (repository, oid) => {
    if (!opened.has(repository)) opened.set(repository, open(repository))
    return opened.get(repository)?.(oid)
  }
}

function openRepository(database: Database, name: string): HasCommit | undefined {
  const one = database.prepare('SELECT 1 FROM files WHERE repository = ?')
  const indexes = one.get(name) ? openIndexes(database, name) : undefined
  const folder = gitPath(name, 'objects')
  const someLoose = database.prepare('SELECT 1 FROM files WHERE repository = ? AND path GLOB ?')
  // A repository without objects is one fault, git-empty, rather than one in each record.
  if (!indexes || (indexes.length === 0 && !someLoose.get(name, '*.git/objects/??/*'))) {
    return undefined
  }
  const loose = database.prepare('SELECT 1 FROM files WHERE path = ?')
  return (oid) =>
    indexes.some((index) => index.placeOf(oid) !== undefined) ||
    loose.get(`${folder}/${oid.slice(0, 2)}/${oid.slice(2)}`) !== undefined
}

/** The indexes of all packs of a repository; undefined if one was not stored or is invalid. */
function openIndexes(database: Database, repository: string): PackIndex[] | undefined {
  const packs = database
    .prepare<[string], string>(
      "SELECT path FROM files WHERE repository = ? AND path GLOB '*/objects/pack/*.pack'",
    )
    .pluck()
    .all(repository)
  const indexOf = database.prepare<[string], FileRow>(
    'SELECT id, path, size, stored FROM files WHERE path = ? AND stored ORDER BY id DESC LIMIT 1',
  )
  const openFile = createFileReader(database)
  const indexes: PackIndex[] = []
  for (const path of packs) {
    const row = indexOf.get(path.replace(/pack$/, 'idx'))
    const index = row && openReadable(openFile(row))
    if (!index) return undefined
    indexes.push(index)
  }
  return indexes
}

function openReadable(file: RandomAccessFile): PackIndex | undefined {
  try {
    return readPackIndex(file)
  } catch (error) {
    if (isBroken(error)) return undefined
    throw error
  }
}
