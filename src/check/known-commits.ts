import type { Database } from '../database/open-database.ts'
import { openPackIndexes } from './pack-index.ts'

/** Whether a repository, by url, has a commit; undefined where what tells is missing or was not stored. */
export type CommitLookup = (repository: string, oid: string) => boolean | undefined

type HasCommit = (oid: string) => boolean

/** Looks commits up in the Git data of a database: among loose objects, and in the indexes of packs. */
export function openCommitLookup(database: Database): CommitLookup {
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
  const indexes = one.get(name) ? openPackIndexes(database, name) : undefined
  const folder = `repositories/${name}.git/objects`
  const someLoose = database.prepare('SELECT 1 FROM files WHERE repository = ? AND path GLOB ?')
  // Without any objects it is one fault, git-empty, and not one in each record.
  if (!indexes || (indexes.length === 0 && !someLoose.get(name, `*.git/objects/??/*`))) {
    return undefined
  }
  const loose = database.prepare('SELECT 1 FROM files WHERE path = ?')
  return (oid) =>
    indexes.some((index) => index.has(oid)) ||
    loose.get(`${folder}/${oid.slice(0, 2)}/${oid.slice(2)}`) !== undefined
}
