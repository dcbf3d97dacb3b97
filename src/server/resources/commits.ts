import type { Commit } from '../../git/parse/parse-commit.ts'
import { parseNoreply } from '../../git/parse/parse-person.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { foldCase } from '../catalog/names.ts'
import type { Repository } from '../catalog/repositories.ts'
import { asList, asObject, asText } from '../catalog/sources.ts'
import { toGitCommit } from './git-objects.ts'
import { toUser } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

/** The urls of the people with these addresses, by address in lower case. */
const addressBook = ({ reader }: Rendering, database: number): ReadonlyMap<string, string> =>
  reader.sources.remember(
    `addresses ${database}`,
    () => {
      const sql = "SELECT url, emails FROM users WHERE emails IS NOT NULL AND emails <> '[]'"
      const book = new Map<string, string>()
      for (const [url, emails] of reader.sources.findAll(database, sql)) {
        for (const { address } of asList(emails).map(asObject)) {
          const key = foldCase(asText(address))
          if (key !== '' && !book.has(key)) book.set(key, asText(url))
        }
      }
      return book
    },
    ({ size }) => 200 * size,
  )

/** The account with the e-mail address of an author or committer; null if there is none. */
function accountOf(
  rendering: Rendering,
  { database, host }: Repository,
  email: string,
): JsonObject | null {
  const { people } = rendering.reader
  const url = addressBook(rendering, database).get(foldCase(email))
  if (url !== undefined) return toUser(rendering, people.byUrl(url, host))
  const login = parseNoreply(email)?.login
  const person = login === undefined ? undefined : people.findByLogin(login)
  return person ? toUser(rendering, person) : null
}

/** The e-mail addresses under which the person with this login or address wrote commits. */
export function addressesOf(
  rendering: Rendering,
  { database }: Repository,
  author: string,
): (email: string) => boolean {
  const folded = foldCase(author)
  if (author.includes('@')) return (email) => foldCase(email) === folded
  const url = rendering.reader.people.findByLogin(author)?.url
  const book = addressBook(rendering, database)
  return (email) =>
    (url !== undefined && book.get(foldCase(email)) === url) ||
    foldCase(parseNoreply(email)?.login ?? '') === folded
}

/** How many comments the commits of a repository have, by commit. */
const commentsOf = ({ reader }: Rendering, { id, database, url }: Repository) =>
  reader.sources.remember(
    `commit comments ${id}`,
    () => {
      const sql = `SELECT commit_id, count(*) FROM commit_comments WHERE repository = ? GROUP BY 1`
      return new Map(reader.sources.findAll(database, sql, url) as [string, number][])
    },
    ({ size }) => 150 * size,
  )

/** A commit with the accounts of those who wrote it. */
export function toCommit(rendering: Rendering, repository: Repository, commit: Commit): JsonObject {
  const api = repositoryUrl(rendering, repository)
  const { sha, node_id, html_url, author, committer, message, tree } = toGitCommit(
    rendering,
    repository,
    commit,
  )
  const url = `${api}/commits/${commit.oid}`
  return {
    ...{ sha, node_id },
    commit: {
      ...{ author, committer, message, tree, url: `${api}/git/commits/${commit.oid}` },
      comment_count: commentsOf(rendering, repository).get(commit.oid) ?? 0,
    } as JsonObject,
    ...{ url, html_url, comments_url: `${url}/comments` },
    author: accountOf(rendering, repository, commit.author.email),
    committer: accountOf(rendering, repository, commit.committer.email),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${repository.url}/commit/${parent}`,
    })),
  } as JsonObject
}
