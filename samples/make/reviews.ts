import { newId } from './content.ts'
import { addEvent } from './happenings.ts'
import { accountUrl, reactionsOf } from './host.ts'
import type { Happening, Thread } from './open-thread.ts'

/** Archives write verdicts as numbers. */
const VERDICTS = { commented: 1, changes_requested: 30, approved: 40 } as const

type Verdict = keyof typeof VERDICTS

/** A remark on a line of the diff, with which a thread begins. */
interface Remark {
  path: string
  /** The line of the file in the commit under review. */
  line: number
  body: string
  replies?: readonly { at: string; by: string; body: string }[]
  resolved?: { at: string; by: string }
  /** A later commit changed the place. */
  outdated?: boolean
}

interface ReviewOptions {
  /** The commit that was looked at. */
  commit: string
  body?: string | null
  remarks?: readonly Remark[]
  reactions?: { readonly [content: string]: readonly string[] }
}

export const reviewRequested = (at: string, by: string, from: string): Happening => {
  return (thread) => {
    if (thread.record.type !== 'pull_request') throw new Error('only code is reviewed')
    addEvent(thread, at, by, 'review_requested', { subject: accountUrl(from) })
    thread.record.review_requests.push({
      reviewer: accountUrl(from),
      reviewer_type: 'User',
      created_at: at,
      updated_at: at,
      dismissed_at: null,
    })
  }
}

/** A review: a verdict, and remarks on the diff that begin threads. */
export const reviewed = (
  at: string,
  by: string,
  verdict: Verdict,
  { commit, body = null, remarks = [], reactions = {} }: ReviewOptions,
): Happening => {
  return (thread) => {
    const review = addReview(thread, at, by, verdict, commit, body, reactions)
    for (const remark of remarks) addThread(thread, review, at, by, commit, remark)
  }
}

function addReview(
  { project, record }: Thread,
  at: string,
  by: string,
  verdict: Verdict,
  commit: string,
  body: string | null,
  reactions: ReviewOptions['reactions'] = {},
): string {
  const url = `${record.url}/files#pullrequestreview-${newId(project.content, at)}`
  project.content.records.pull_request_reviews.push({
    type: 'pull_request_review',
    url,
    pull_request: record.url,
    user: accountUrl(by),
    body,
    head_sha: project.git.oid(commit),
    formatter: 'markdown',
    state: VERDICTS[verdict],
    reactions: reactionsOf(reactions, 'PullRequestReview', at),
    created_at: at,
    submitted_at: at,
  })
  return url
}

function addThread(
  thread: Thread,
  review: string,
  at: string,
  by: string,
  commit: string,
  { path, line, body, replies = [], resolved, outdated = false }: Remark,
): void {
  const { project, record } = thread
  if (record.type !== 'pull_request') throw new Error('only code is reviewed')
  const { records, era } = project.content
  const { diff_hunk, position } = project.git.hunk(commit, path, line)
  const original_commit_id = project.git.oid(commit)
  const place = {
    diff_hunk,
    path,
    position: outdated ? null : position,
    original_position: position,
    commit_id: outdated ? original_commit_id : (record.head?.sha ?? null),
    original_commit_id,
  }
  const url = `${record.url}/files#pullrequestreviewthread-${newId(project.content, at)}`
  records.pull_request_review_threads.push({
    type: 'pull_request_review_thread',
    url,
    pull_request: record.url,
    pull_request_review: review,
    ...place,
    ...(era === 2026 && { start_position_offset: null, blob_position: line - 1 }),
    start_line: null,
    line: outdated ? null : line,
    start_side: null,
    side: 'right',
    original_start_line: null,
    original_line: line,
    created_at: at,
    resolved_at: resolved?.at ?? null,
    resolver: resolved ? accountUrl(resolved.by) : null,
    ...(era === 2026 && { subject_type: 'line', outdated }),
  })
  let first: string | null = null
  for (const said of [{ at, by, body }, ...replies]) {
    const comment: string = `${record.url}/files#r${newId(project.content, said.at)}`
    records.pull_request_review_comments.push({
      type: 'pull_request_review_comment',
      url: comment,
      pull_request: record.url,
      // A reply is handed in as a review of its own.
      pull_request_review: first
        ? addReview(thread, said.at, said.by, 'commented', commit, null)
        : review,
      pull_request_review_thread: url,
      user: accountUrl(said.by),
      body: said.body,
      formatter: 'markdown',
      ...place,
      state: 1,
      in_reply_to: first,
      reactions: [],
      created_at: said.at,
      ...(era === 2026 && { subject_type: 'line' }),
    })
    first ??= comment
  }
}
