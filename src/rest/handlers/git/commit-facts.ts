import { HttpError } from '../../../http/http-error.ts'
import { pullsByCommit } from '../../../reading/git/pull-requests.ts'
import { openReadableGit } from '../../../reading/git/repository-git.ts'

import { revisionOf } from '../../../reading/git/revisions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { commentsOnCommits } from '../../resources/commits.ts'
import { toPullRequest } from '../../resources/pull-requests.ts'
import { repositoryUrl, toRepository } from '../../resources/repositories.ts'
import { readThread } from '../../resources/threads.ts'
import { answerCommitComments } from '../comments.ts'
import { inRepository, readerOf, renderingOf } from '../find-in-path.ts'
import { orHttpError } from './git-request.ts'

/** Facts that an archive has of a commit besides its Git data, which it may not have. */

/** The commit that the path names, if anything in the archive is about it. */
function findCommitId(context: RequestContext, repository: IndexedRepository): string {
  const { ref = '' } = context.params
  const rendering = renderingOf(context)
  const git = openReadableGit(repository)
  const found = git && revisionOf(git, ref)
  if (found) return found.oid
  const isNamed =
    commentsOnCommits(rendering, repository).has(ref) || pullsByCommit(repository).has(ref)
  if (isNamed) return ref
  throw new HttpError(422, `No commit found for SHA: ${ref}`)
}

const aboutCommit = (
  answer: (context: RequestContext, repository: IndexedRepository, oid: string) => Answer,
): Handler =>
  inRepository((context, repository) =>
    orHttpError(() => answer(context, repository, findCommitId(context, repository))),
  )

/** Comments on a commit, the oldest first. */
export const commitComments = aboutCommit((context, repository, oid) => {
  const ids = commentsOnCommits(renderingOf(context), repository).get(oid) ?? []
  return answerCommitComments(context, repository, ids)
})

/** Pull requests that end in a commit, or were merged as one. */
export const commitPulls = aboutCommit((context, repository, oid) => {
  const rendering = renderingOf(context)
  const { threads } = readerOf(context)
  const numbers = [...(pullsByCommit(repository).get(oid) ?? [])].sort((a, b) => a - b)
  const items = (offset: number, limit: number) =>
    numbers.slice(offset, offset + limit).flatMap((number): JsonObject[] => {
      const thread = threads.findByNumber(repository, number, 'pulls')
      const record = thread?.isPull ? readThread(rendering, thread) : undefined
      return record ? [toPullRequest(rendering, record)] : []
    })
  return { status: 200, list: { total: numbers.length, items } }
})

/** Archives have no statuses, which the host calls pending. */
export const combinedStatus = aboutCommit((context, repository, oid) => {
  const rendering = renderingOf(context)
  const commit_url = `${repositoryUrl(rendering, repository)}/commits/${oid}`
  return {
    status: 200,
    body: {
      state: 'pending',
      statuses: [],
      sha: oid,
      total_count: 0,
      repository: toRepository(rendering, repository),
      commit_url,
      url: `${commit_url}/status`,
    },
  }
})
export const commitStatuses = aboutCommit(() => ({
  status: 200,
  list: { total: 0, items: () => [] },
}))
export const statuses = commitStatuses

/** Archives have no runs of checks. */
export const checkRuns = aboutCommit(() => ({
  status: 200,
  body: { total_count: 0, check_runs: [] },
}))
export const checkSuites = aboutCommit(() => ({
  status: 200,
  body: { total_count: 0, check_suites: [] },
}))
