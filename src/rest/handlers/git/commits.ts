import type { GitData } from '../../../git/open-git.ts'
import { HttpError, notFound } from '../../../http/http-error.ts'
import { changesOf } from '../../../reading/git/changes.ts'
import { type CommitList, listCommits } from '../../../reading/git/history.ts'
import { defaultRevision } from '../../../reading/git/repository-git.ts'
import { findCommit, revisionOf } from '../../../reading/git/revisions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import { asInteger } from '../../../reading/values.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import { addressesOf, toCommit } from '../../resources/commits.ts'
import { renderingOf } from '../find-in-path.ts'
import { ListParameters } from '../list-parameters.ts'
import { describeChanges } from './changes.ts'
import { commitNamed, inGitRepository } from './git-request.ts'

/** Commits to look at for a `Link` to the last page, whatever page is asked for. */
const COUNTED = 10_000

/** The commits of a branch, the newest first; those of a path, an author or a time if asked for. */
export const commits: Handler = inGitRepository(async (context, repository, git) => {
  const rendering = renderingOf(context)
  const list = findList(context, repository, git)
  const { page, perPage } = context.page
  await list.reach(page * perPage + 1, COUNTED)
  const items = (offset: number, limit: number) =>
    list.oids(offset, limit).flatMap((oid) => {
      const commit = findCommit(git, oid)
      return commit ? [toCommit(rendering, repository, commit)] : []
    })
  return { status: 200, list: { total: list.count, isOpen: list.isOpen(COUNTED), items } }
})

function findList(
  context: RequestContext,
  repository: IndexedRepository,
  git: GitData,
): CommitList {
  const parameters = new ListParameters(context.query, 'Commit')
  const [path = '', author, committer] = ['path', 'author', 'committer'].map((name) =>
    parameters.text(name),
  )
  const [since, until] = [parameters.time('since'), parameters.time('until')]
  parameters.check()
  const rendering = renderingOf(context)
  const name = parameters.text('sha')
  const first = name === undefined ? defaultRevision(repository, git) : revisionOf(git, name)
  if (!first) throw notFound()
  const matches = (who: string | undefined) =>
    who === undefined ? () => true : addressesOf(rendering, repository, who)
  const [isAuthor, isCommitter] = [matches(author), matches(committer)]
  return listCommits(git, first.oid, {
    path: path.split('/').filter((part) => part !== '' && part !== '.'),
    since: since === undefined ? undefined : new Date(since * 1000),
    until: until === undefined ? undefined : new Date(until * 1000),
    who: {
      name: JSON.stringify([author, committer]),
      accepts: (commit) => isAuthor(commit.author.email) && isCommitter(commit.committer.email),
    },
  })
}

/** A commit with its changes. */
export const commit: Handler = inGitRepository(async (context, repository, git) => {
  const { ref = '' } = context.params
  // Below a commit there are other things; no branch has such a name.
  if (/^[0-9a-f]{40}\//.test(ref)) throw notFound()
  const found = commitNamed(git, ref)
  if (!found) throw new HttpError(422, `No commit found for SHA: ${ref}`)
  const body = toCommit(renderingOf(context), repository, found)
  // Without its parent nobody knows what it changed.
  const changed = changesOf(git, found)?.files ?? []
  const files = await describeChanges(context, repository, git, changed, found.oid)
  const count = (member: string) => files.reduce((sum, file) => sum + asInteger(file[member]), 0)
  const [additions, deletions] = [count('additions'), count('deletions')]
  const stats = { additions, deletions, total: additions + deletions }
  return { status: 200, body: { ...body, stats, files } }
})
