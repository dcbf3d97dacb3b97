/** The Git data of repositories and wikis, and what of their records is about Git. */

import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/database.ts'
import { type GitData, gitNameOf, openGit as openData } from '../../git/open-git.ts'
import type { Library, Repository } from '../library.ts'
import { loginAt } from '../people/logins.ts'
import { hasPersonPage } from '../people/profiles.ts'
import { accountOfEmail } from './accounts.ts'
import { type PullRange, pullRangeOf } from './pull-requests.ts'
import { findObjectRef, listRefs, type ObjectRef, type RefList } from './refs.ts'
import { type Revision, defaultRevision as revisionOf } from './revisions.ts'

/** The Git data of a repository; undefined if the database has none. Throws as `openGit` of a database does. */
export const openGit = ({ store, git }: Repository): GitData | undefined =>
  git === undefined ? undefined : openData(store.database, git)

/** Those of its wiki. */
export const openWiki = ({ store, wiki }: Repository): GitData | undefined =>
  wiki === undefined ? undefined : openData(store.database, wiki)

/** Errors for which a repository counts as one without Git data, so that the rest of its archive can be served. */
const ABSENT = new Set(['git-unsupported', 'content-missing'])

/** The Git data of a repository; undefined if the database has none that can be read. */
export function openReadableGit(repository: Repository): GitData | undefined {
  try {
    return openData(repository.store.database, gitName(repository))
  } catch (error) {
    if (error instanceof ArchiveError && ABSENT.has(error.code)) return undefined
    throw error
  }
}

/** The database of a repository, and the name under which it has the Git data, whether they are there or not. */
export const gitPlace = (
  repository: Repository,
  isWiki = false,
): { database: Database; name: string } => ({
  database: repository.store.database,
  name: gitName(repository, isWiki),
})

function gitName({ store, url, fullName }: Repository, isWiki = false): string {
  const column = isWiki ? 'wiki_url' : 'git_url'
  const [address] = store.row(`SELECT ${column} FROM repositories WHERE url = ?`, url) ?? []
  return gitNameOf(address, isWiki ? `${fullName}.wiki` : fullName)
}

/** The refs of a repository whose full names begin with this prefix, by name. */
export const refsOf = (repository: Repository, prefix: string): RefList =>
  listRefs(repository.store.database, gitName(repository), prefix)

/** The ref of a repository with this full name. */
export const findRef = (repository: Repository, name: string): ObjectRef | undefined =>
  findObjectRef(repository.store.database, gitName(repository), name)

/** The commits of a pull request; undefined if they are not in the database. Throws as `pullRangeOf` does. */
export const pullRange = ({ store, git }: Repository, url: string): PullRange | undefined =>
  git === undefined ? undefined : pullRangeOf(store.database, url)

/** The branch that a repository begins with. Throws as `defaultRevision` of a branch does. */
export function defaultRevision({ store, url }: Repository, git: GitData): Revision | undefined {
  const [branch] = store.row('SELECT default_branch FROM repositories WHERE url = ?', url) ?? []
  return revisionOf(git, branch)
}

/** The account of an author or committer, if it has a page. */
export function loginOfEmail(
  library: Library,
  { store, url }: Repository,
  email: string,
): string | undefined {
  const account = accountOfEmail(store.database, new URL(url).host, email)
  const login = account && ('login' in account ? account.login : loginAt(store, account.url))
  return login && hasPersonPage(library, login) ? login : undefined
}
