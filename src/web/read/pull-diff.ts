import { type CommitRange, pullRequestRange } from '../../git/history/pull-request-range.ts'
import { isBroken } from '../../git/objects/git-object.ts'
import type { Repository as GitRepository } from '../../git/open-repository.ts'
import type { ReviewThread } from '../../thread/thread.ts'
import { commitOf, openGit, revisionOf } from './git-repository.ts'
import type { Repository } from './library.ts'

/** The commits of a pull request, and what they changed. */
export interface PullRange extends CommitRange {
  readonly git: GitRepository
}

interface Row {
  readonly base_sha: string | null
  readonly head_sha: string | null
  readonly merge_commit_sha: string | null
  readonly number: number | null
}

/** The range of a pull request in Git; undefined if its commits are not in the archive. Throws as `openRepository`. */
export function pullRange(repository: Repository, url: string): PullRange | undefined {
  const git = openGit(repository)
  if (!git) return undefined
  const { store } = repository
  return store.remember(
    `pull range ${url}`,
    (): { range: PullRange | undefined } => {
      const row = store.get<Row>(
        'SELECT base_sha, head_sha, merge_commit_sha, number FROM pull_requests WHERE url = ?',
        url,
      )
      try {
        return { range: row && rangeOf(repository, git, row) }
      } catch (error) {
        if (isBroken(error)) return { range: undefined }
        throw error
      }
    },
    ({ range }) => 60 * (range?.commits.length ?? 0),
  ).range
}

function rangeOf({ store }: Repository, git: GitRepository, row: Row): PullRange | undefined {
  const { base_sha, head_sha, merge_commit_sha, number } = row
  const there = (oid: string | null | undefined) => (oid ? commitOf(git, oid) : undefined)
  const head = there(head_sha) ?? revisionOf(store, git, `refs/pull/${number}/head`)?.oid
  const [base, merge] = [there(base_sha), there(merge_commit_sha)]
  const range = pullRequestRange(git.objects, { base, head, merge })
  return range && { git, ...range }
}

/** Review threads that are read. */
const MOST = 2_000
const PAGE = 200

/** All comments on lines of a pull request. */
export function readReviewThreads({ store }: Repository, url: string): ReviewThread[] {
  const threads: ReviewThread[] = []
  for (let offset = 0; threads.length < MOST; offset += PAGE) {
    const { items, total } = store.threads.page(url, { offset, limit: PAGE })
    for (const item of items) {
      if (item.kind === 'review') threads.push(...item.threads)
      else if (item.kind === 'review_thread') threads.push(item)
    }
    if (offset + PAGE >= total) break
  }
  return threads.slice(0, MOST)
}
