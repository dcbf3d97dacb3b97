import { stepCommits } from '../../../git/history/walk-commits.ts'
import { createLruCache } from '../../../lru-cache.ts'
import type { GitRepository } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import { asInteger } from '../../catalog/sources.ts'
import { HttpError, notFound } from '../../http/http-error.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import { addressesOf, toCommit } from '../../resources/commits.ts'
import { findCommit } from '../../resources/git-objects.ts'
import { renderingOf } from '../find-in-path.ts'
import { ListParameters } from '../list-parameters.ts'
import { changesOf, describeChanges } from './changes.ts'
import { CommitList } from './commit-list.ts'
import { commitOf, inGitRepository } from './git-request.ts'

/** Walks that are kept, by request; they are dropped with their repository. */
const MOST_WALKS = 8
const walks = new WeakMap<GitRepository, ReturnType<typeof createLruCache<string, CommitList>>>()

/** The commits of a branch, the newest first; those of a path, an author or a time if asked for. */
export const commits: Handler = inGitRepository(async (context, repository, git) => {
  const rendering = renderingOf(context)
  const list = findWalk(context, repository, git)
  const { page, perPage } = context.page
  await list.reach(page * perPage + 1)
  const items = (offset: number, limit: number) =>
    list.oids(offset, limit).flatMap((oid) => {
      const commit = findCommit(git, oid)
      return commit ? [toCommit(rendering, repository, commit)] : []
    })
  return { status: 200, list: { total: list.count, isOpen: list.isOpen, items } }
})

function findWalk(context: RequestContext, repository: Repository, git: GitRepository): CommitList {
  const parameters = new ListParameters(context.query, 'Commit')
  const [path, author, committer] = ['path', 'author', 'committer'].map((name) =>
    parameters.text(name),
  )
  const [since, until] = [parameters.time('since'), parameters.time('until')]
  parameters.check()
  const first = commitOf(git, parameters.text('sha') ?? defaultBranch(context, repository))
  if (!first) throw notFound()
  const ofRepository = walks.get(git) ?? createLruCache<string, CommitList>(MOST_WALKS)
  walks.set(git, ofRepository)
  const key = JSON.stringify([first.oid, path, author, committer, since, until])
  const known = ofRepository.get(key)
  if (known) return known
  const walk = stepCommits(git.objects, [first.oid], {
    ...(path !== undefined && { paths: [path] }),
    ...(since !== undefined && { since: new Date(since * 1000) }),
    ...(until !== undefined && { until: new Date(until * 1000) }),
  })
  const rendering = renderingOf(context)
  const matches = (who: string | undefined) =>
    who === undefined ? () => true : addressesOf(rendering, repository, who)
  const [isAuthor, isCommitter] = [matches(author), matches(committer)]
  const made = new CommitList(
    walk,
    (commit) => isAuthor(commit.author.email) && isCommitter(commit.committer.email),
  )
  ofRepository.set(key, made)
  return made
}

/** The branch for a request that names none. */
export function defaultBranch(context: RequestContext, { database, row }: Repository): string {
  const { reader } = renderingOf(context)
  const branch = reader.sources.record(database, 'repositories', 'default_branch', row)?.[0]
  return typeof branch === 'string' && branch !== '' ? branch : 'HEAD'
}

/** A commit with its changes. */
export const commit: Handler = inGitRepository(async (context, repository, git) => {
  const { ref = '' } = context.params
  const found = commitOf(git, ref)
  if (!found) throw new HttpError(422, `No commit found for SHA: ${ref}`)
  const body = toCommit(renderingOf(context), repository, found)
  const files = await describeChanges(
    ...[context, repository, git, changesOf(git, found).slice(0, MOST_FILES), found.oid],
  )
  const count = (what: string) => files.reduce((sum, file) => sum + asInteger(file[what]), 0)
  const [additions, deletions] = [count('additions'), count('deletions')]
  const stats = { additions, deletions, total: additions + deletions }
  return { status: 200, body: { ...body, stats, files } }
})

/** Files of a commit that are described and counted, as many as the host has on its first page. */
const MOST_FILES = 300
