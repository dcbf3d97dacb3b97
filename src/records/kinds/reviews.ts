import { firstOf, wordFor } from './derivation.ts'
import { loginOf, ownId, placeIn, textFrom } from './derived.ts'
import { defineKind, flag, integer, optional, refersTo, text, time } from './kind.ts'
import { actor, reactions } from './references.ts'

const pull_request = refersTo('pull_requests', 'The pull request it belongs to.')

/** Where in the changes of a pull request, as threads and their comments both tell. */
const placeInDiff = {
  diff_hunk: text('The piece of the diff it is about, with @@ lines.'),
  path: text('The file it is about.'),
  position: integer('Line of the diff, counted from its first @@; null once outdated.'),
  original_position: integer('Line of the diff when it was written.'),
  commit_id: text('The commit it is shown at, 40 hexadecimal digits.'),
  original_commit_id: text('The commit it was written at, 40 hexadecimal digits.'),
}

const subject_type = optional(text('The subject, such as line. Absent from older archives.'))

/** The states of reviews: their numbers in records, and their words. */
export const REVIEW_STATES = {
  0: 'pending',
  1: 'commented',
  30: 'changes_requested',
  40: 'approved',
  50: 'dismissed',
} as const

export const pull_request_reviews = defineKind({
  type: 'pull_request_review',
  summary: 'Reviews of pull requests: a verdict, with a text or comments or both.',
  columns: {
    url: text('Identity: https://H/o/r/pull/N/files#pullrequestreview-I.'),
    pull_request,
    user: actor('Who reviewed; null for a deleted account.'),
    body: text('The text, as formatter says; may be null or empty.'),
    head_sha: text('The commit reviewed, 40 hexadecimal digits.'),
    formatter: text('How body is written: markdown.'),
    state: integer('0 pending, 1 commented, 30 changes requested, 40 approved, 50 dismissed.'),
    reactions,
    created_at: time('When it was begun.'),
    submitted_at: time('When it was handed in.'),
  },
  derived: {
    id: ownId,
    ...placeIn(firstOf('pull_request')),
    state_name: textFrom(
      wordFor('state', REVIEW_STATES),
      'pending, commented, changes_requested, approved or dismissed.',
    ),
    user_login: loginOf('user', 'who reviewed'),
  },
})

export const pull_request_review_threads = defineKind({
  type: 'pull_request_review_thread',
  summary: 'Threads of review comments, each about one place of a diff. Since about 2021.',
  columns: {
    url: text('Identity: https://H/o/r/pull/N/files#pullrequestreviewthread-I.'),
    pull_request,
    pull_request_review: refersTo('pull_request_reviews', 'The review that opened it.'),
    ...placeInDiff,
    start_position_offset: optional(
      integer('Lines from original_start_line to original_line; null for one line.'),
    ),
    blob_position: optional(integer('Line of the file when it was written, counted from 0.')),
    start_line: integer('First line of the file; null for one line, or once outdated.'),
    line: integer('Last line of the file; null once outdated.'),
    start_side: text('Side of the diff of the first line, as in side; null for one line.'),
    side: text('Side of the diff: right is the new one, left the old one.'),
    original_start_line: integer('start_line when it was written; null for one line.'),
    original_line: integer('line when it was written.'),
    created_at: time('When it was begun.'),
    resolved_at: time('When it was resolved; null if it was not.'),
    resolver: actor('Who resolved it; null if it was not.'),
    subject_type,
    outdated: optional(flag('Did the place change since? Absent from older archives.')),
  },
  derived: {
    id: ownId,
    ...placeIn(firstOf('pull_request')),
    resolver_login: loginOf('resolver', 'who resolved it'),
  },
})

export const pull_request_review_comments = defineKind({
  type: 'pull_request_review_comment',
  summary: 'Comments in the diffs of pull requests. Their threads tell the lines.',
  columns: {
    url: text('Identity: https://H/o/r/pull/N/files#rI.'),
    pull_request,
    pull_request_review: refersTo(
      'pull_request_reviews',
      'The review it was written in; each reply has its own review.',
    ),
    pull_request_review_thread: refersTo('pull_request_review_threads', 'The thread it is in.'),
    user: actor('Who wrote it; null for a deleted account.'),
    body: text('The text, as formatter says.'),
    formatter: text('How body is written: markdown.'),
    ...placeInDiff,
    state: integer('0 pending, 1 submitted.'),
    in_reply_to: refersTo(
      'pull_request_review_comments',
      'The comment it replies to; null for the first of a thread.',
    ),
    reactions,
    created_at: time('When it was written; later changes leave no date.'),
    subject_type,
  },
  derived: {
    id: ownId,
    ...placeIn(firstOf('pull_request')),
    state_name: textFrom(
      wordFor('state', { 0: 'pending', 1: 'submitted' }),
      'pending or submitted.',
    ),
    user_login: loginOf('user', 'who wrote it'),
  },
})

export const review_comments = defineKind({
  type: 'review_comment',
  summary: 'Documented by the host, never seen: real files say pull_request_review_comments.',
  columns: { url: text('Identity.') },
  derived: {},
})
