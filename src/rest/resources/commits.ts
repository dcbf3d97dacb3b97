import type { Commit } from '../../git/parse/parse-commit.ts'
import { accountOfEmail } from '../../reading/git/accounts.ts'
import { foldCase } from '../../reading/names.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { toGitCommit } from './git-objects.ts'
import { userMembers } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

/** The person with the e-mail address of an author or committer. */
function personOf({ reader }: Rendering, repository: IndexedRepository, email: string) {
  const { people } = reader
  const account = accountOfEmail(repository.store.database, repository.host, email)
  if (!account) return undefined
  return 'url' in account
    ? people.byUrl(account.url, repository.host)
    : people.findByLogin(account.login)
}

/** The account with the e-mail address of an author or committer; null if there is none. */
export function accountOf(
  rendering: Rendering,
  repository: IndexedRepository,
  email: string,
): JsonObject | null {
  const person = personOf(rendering, repository, email)
  return person ? userMembers(rendering, person) : null
}

/** A test of the e-mail addresses under which the person with this login or address wrote commits. */
export function addressesOf(
  rendering: Rendering,
  repository: IndexedRepository,
  author: string,
): (email: string) => boolean {
  const folded = foldCase(author)
  return author.includes('@')
    ? (email) => foldCase(email) === folded
    : (email) => foldCase(personOf(rendering, repository, email)?.login ?? '') === folded
}

/** Comments on the commits of a repository by their places in the index, the oldest first, by commit. */
export const commentsOnCommits = (
  { reader }: Rendering,
  repository: IndexedRepository,
): ReadonlyMap<string, readonly number[]> =>
  reader.library.remember(COMMIT_COMMENTS, String(repository.id), () => {
    const { parts, library } = reader
    const found = new Map<string, number[]>()
    for (const id of parts.list({
      kind: 'commitComment',
      of: { repository },
      direction: 'asc',
    })) {
      const row = parts.byId(id)?.row ?? -1
      const columns = library.store(repository.database).record('commit_comments', 'commit_id', row)
      const commit = asText(columns?.[0])
      const ofCommit = found.get(commit)
      if (ofCommit) ofCommit.push(id)
      else found.set(commit, [id])
    }
    return found
  })

const COMMIT_COMMENTS = new Memo<ReadonlyMap<string, readonly number[]>>(({ size }) => 200 * size)

/** A commit with the accounts of those who wrote it. */
export function toCommit(
  rendering: Rendering,
  repository: IndexedRepository,
  commit: Commit,
): JsonObject {
  const api = repositoryUrl(rendering, repository)
  const { sha, node_id, html_url, author, committer, message, tree } = toGitCommit(
    rendering,
    repository,
    commit,
  )
  const url = `${api}/commits/${commit.oid}`
  return {
    sha,
    node_id,
    commit: {
      author,
      committer,
      message,
      tree,
      url: `${api}/git/commits/${commit.oid}`,
      comment_count: commentsOnCommits(rendering, repository).get(commit.oid)?.length ?? 0,
    } as JsonObject,
    url,
    html_url,
    comments_url: `${url}/comments`,
    author: accountOf(rendering, repository, commit.author.email),
    committer: accountOf(rendering, repository, commit.committer.email),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${repository.url}/commit/${parent}`,
    })),
  } as JsonObject
}
