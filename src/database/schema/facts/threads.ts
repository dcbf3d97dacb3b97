/**
 * Facts derived from the records of an issue or pull request `o`, in SQL; its column `state`, open, closed or merged, is derived in
 * `derive-column.ts`. NULL is unknown. Deleted accounts are NULL in records;
 * whether anybody is known to have done something follows from the event that says so.
 */

import { afterLastSlash } from '../derive-column.ts'
import type { Relation } from '../relation.ts'
import { view, viewOf } from '../view.ts'
import { loginOf } from './people.ts'
import { elementsOf, memberOf, timeOf } from './values.ts'

/** When a review `r` was handed in; that of its draft if its record says nothing else. */
export const REVIEWED_AT = 'coalesce(r.submitted_at, r.created_at)'

/** When it was closed: what is merged is closed. */
export const closedAt = (isPull: boolean): string =>
  isPull ? `coalesce(o.closed_at, o.merged_at)` : `o.closed_at`

/** Whether it is closed: 0 or 1. */
const isClosed = (isPull: boolean): string => `(${closedAt(isPull)} IS NOT NULL)`

/** Assignees, as a JSON array of URLs. Archives before 2016 have the first one alone. */
export const ASSIGNEES = `CASE WHEN coalesce(o.assignees, '[]') = '[]' AND o.assignee IS NOT NULL THEN json_array(o.assignee) ELSE o.assignees END`

/** Comments. One that names an issue and a pull request, which no honest archive has, is in the issue. */
export const COMMENTS = `(SELECT count(*) FROM issue_comments AS c WHERE c.thread = o.url)`

/** Comments on a discussion, and replies to them. */
export const DISCUSSION_COMMENTS = `(SELECT count(*) FROM discussion_comments AS c WHERE c.discussion = o.url)`

const EVENT_ORDER = `${timeOf('e.created_at')} DESC, e.id DESC, e.url DESC`

/** A column of the last event of some kinds. */
const lastEvent = (column: string, kinds: string, order = EVENT_ORDER): string =>
  `(SELECT ${column} FROM issue_events AS e WHERE e.thread = o.url AND ${kinds} ORDER BY ${order} LIMIT 1)`

/** A column of the event that closed it; NULL while it is open, and if no event says so. */
const closing = (column: string, isPull: boolean): string =>
  `CASE WHEN ${isClosed(isPull)} THEN ${lastEvent(`e.${column}`, "e.event = 'closed'")} END`

/** The host closes a pull request that it merges. Seconds within which a closing is the merge. */
export const SAME_MOMENT = 60

/**
 * A column of the event that tells of the merge: the last `merged`. An archive may lack it: then the last `closed` of that
 * moment.
 */
const merging = (column: string): string => {
  const kinds = `(e.event = 'merged' OR e.event = 'closed'
      AND abs(${timeOf('e.created_at')} - ${timeOf('o.merged_at')}) <= ${SAME_MOMENT})`
  const event = lastEvent(`e.${column}`, kinds, `e.event = 'merged' DESC, ${EVENT_ORDER}`)
  return `CASE WHEN o.merged_at IS NOT NULL THEN ${event} END`
}

const LOCKS = "e.event IN ('locked', 'unlocked')"

/** Whether it is locked: 0 or 1. Backups through the interface may say so without an event. */
const LOCKED = `coalesce(${lastEvent("e.event = 'locked'", LOCKS)},
    CASE WHEN json_valid(o._extra) THEN o._extra ->> 'locked' IS 1 END, 0)`

/**
 * Why an event locked its thread, in the words of the interface: off-topic, too heated, resolved or spam.
 *
 * @param event the table of the event, or another name of it
 */
export const lockReasonOf = (event: string): string => {
  const reason = `replace(lower(CASE WHEN json_valid(${event}._extra) THEN ${event}._extra ->> 'lock_reason' END), '_', ' ')`
  return `CASE WHEN ${event}.event = 'locked' THEN CASE ${reason} WHEN 'off topic' THEN 'off-topic'
      WHEN 'off-topic' THEN 'off-topic' WHEN 'too heated' THEN 'too heated' WHEN 'resolved' THEN 'resolved'
      WHEN 'spam' THEN 'spam' END END`
}

/** Why it is locked. */
const LOCK_REASON = lastEvent(lockReasonOf('e'), LOCKS)

/**
 * Whether a milestone is one of the repository of a thread. That of another repository, which no honest archive names, is none:
 * it may be private.
 *
 * @param milestone an expression for the URL of the milestone
 * @param repository one for that of the repository of the thread
 */
export const isMilestoneOf = (milestone: string, repository: string): string =>
  `substr(${milestone}, 1, length(${repository}) + 12) = ${repository} || '/milestones/'`

/** The milestone, by URL. */
const MILESTONE = `CASE WHEN ${isMilestoneOf('o.milestone', 'o.repository')} THEN o.milestone END`

/** Title of the milestone; NULL if it is not in the archive. */
export const MILESTONE_TITLE = `(SELECT m.title FROM milestones AS m
    WHERE m.url = o.milestone AND ${isMilestoneOf('o.milestone', 'o.repository')})`

/**
 * Whose reviews are asked for: people, not teams, whose request was not withdrawn, and who have handed in no review since.
 * Archives keep requests that were answered.
 */
const REQUESTED = `SELECT o.url AS pull_request, e.key AS position, ${memberOf('e', 'reviewer')} AS user,
  ${memberOf('e', 'created_at')} AS requested_at
FROM pull_requests AS o, ${elementsOf('o.review_requests', 'e')}
WHERE ${memberOf('e', 'reviewer_type')} = 'User' AND ${memberOf('e', 'dismissed_at')} IS NULL
  AND NOT EXISTS (SELECT 1 FROM pull_request_reviews AS r
    WHERE r.pull_request = o.url AND +r.user = ${memberOf('e', 'reviewer')} AND r.state <> 0
      AND ${timeOf(REVIEWED_AT)} > coalesce(${timeOf(`(${memberOf('e', 'created_at')})`)}, -9e18))`

const REQUESTED_REVIEWERS = `SELECT q.pull_request, q.position, q.user, ${loginOf('q.user', afterLastSlash('q.user'))} AS user_login, q.requested_at
FROM (${REQUESTED}) AS q`

/**
 * Who reviewed, each with the last verdict. Whoever gave none commented; the author does not review by that. Reviews that
 * were not handed in are left out.
 */
const REVIEWERS = `SELECT v.pull_request, v.user, ${loginOf('v.user', 'v.user_login')} AS user_login, v.state, v.reviewed_at FROM (
  SELECT r.pull_request, r.user, r.user_login, r.state_name AS state, ${REVIEWED_AT} AS reviewed_at,
    row_number() OVER (PARTITION BY r.pull_request, r.user
      ORDER BY r.state_name = 'commented', ${timeOf(REVIEWED_AT)} DESC, r.id DESC, r.url DESC) AS place
  FROM pull_request_reviews AS r
  WHERE r.state_name <> 'pending' AND (r.state_name <> 'commented'
    OR r.user IS NOT (SELECT p.user FROM pull_requests AS p WHERE p.url = r.pull_request))) AS v
WHERE place = 1`

const WRITTEN: readonly (readonly [table: string, thread: string, time: string])[] = [
  ['issue_comments', 'w.thread', 'w.created_at'],
  ['pull_request_reviews', 'w.pull_request', '(coalesce(w.submitted_at, w.created_at))'],
  ['pull_request_review_comments', 'w.pull_request', 'w.created_at'],
  ['discussion_comments', 'w.discussion', 'w.created_at'],
]

/**
 * Selects `user`, and `at` if it is asked for: who wrote in a thread, and when.
 *
 * @param thread an expression for the URL of the thread
 */
export const selectWriters = (thread: string, { at = true } = {}): string =>
  WRITTEN.map(
    ([table, column, time]) =>
      `SELECT w.user AS user${at ? `, ${timeOf(time)} AS at` : ''} FROM ${table} AS w WHERE ${column} = ${thread}`,
  ).join('\n    UNION ALL ')

/** Number of people who opened it or wrote in it. */
const PARTICIPANTS = `(SELECT count(DISTINCT user) FROM (SELECT o.user AS user UNION ALL
    ${selectWriters('o.url', { at: false })}))`

/**
 * Pull requests and the issues that they close: events and references of the pull request say so. An event may be missing, and
 * an older archive has no references. Without any event of closing, a merge closed what its pull request announced.
 */
const CLOSING_PULL_REQUESTS = `SELECT c.issue, c.pull_request,
  CASE WHEN EXISTS (SELECT 1 FROM issue_events AS e WHERE e.thread = c.issue AND e.event = 'closed'
      AND e.referencing_pull_request = c.pull_request) THEN 'closed'
    WHEN p.state = 'open' THEN 'may close'
    WHEN p.state = 'merged' AND i.state IS NOT 'open' AND NOT EXISTS (SELECT 1 FROM issue_events AS e
      WHERE e.thread = c.issue AND e.event = 'closed') THEN 'closed'
    ELSE 'did not close' END AS how
FROM (
  SELECT e.thread AS issue, e.referencing_pull_request AS pull_request FROM issue_events AS e
  WHERE e.event = 'closed' AND e.referencing_pull_request IS NOT NULL
  UNION SELECT ${memberOf('e', 'issue')}, o.url
  FROM pull_requests AS o, ${elementsOf('o.close_issue_references', 'e')}
  WHERE ${memberOf('e', 'issue')} IS NOT NULL) AS c
LEFT JOIN pull_requests AS p ON p.url = c.pull_request
LEFT JOIN issues AS i ON i.url = c.issue`

const factsOf = (isPull: boolean) => ({
  from: isPull ? 'pull_requests AS o' : 'issues AS o',
  kind: isPull ? "'pull_request'" : "'issue'",
  draft: isPull ? 'o.work_in_progress IS 1' : '0',
  closed_at: closedAt(isPull),
  closed_by: closing('actor', isPull),
  closing_event: closing('url', isPull),
  merged_at: isPull ? 'o.merged_at' : 'NULL',
  merged_by: isPull ? merging('actor') : 'NULL',
  merging_event: isPull ? merging('url') : 'NULL',
  comments: COMMENTS,
  participants: PARTICIPANTS,
  // What is no text in the list of a record is no person.
  assignees: `(SELECT json_group_array(e.value) FROM ${elementsOf(ASSIGNEES, 'e')} WHERE e.type = 'text')`,
  locked: LOCKED,
  lock_reason: LOCK_REASON,
  milestone: MILESTONE,
  milestone_title: MILESTONE_TITLE,
})

const threadFacts = view({
  name: 'thread_facts',
  summary:
    'What follows from the records of issues and pull requests. Select by url: each fact is looked up.',
  columns: {
    url: 'URL of the issue or pull request.',
    kind: 'issue or pull_request.',
    state: 'open, closed or merged.',
    draft: '1 if it is a draft.',
    created_at: 'When it was opened.',
    closed_at: 'When it was closed; of a merged one without that, when it was merged.',
    closed_by: 'Who closed it last, by URL; NULL for a deleted account, and if closing_event is.',
    closing_event: 'URL of the event that closed it last; NULL while it is open.',
    merged_at: 'When it was merged.',
    merged_by: 'Who merged it, by URL; NULL for a deleted account, and if merging_event is.',
    merging_event: 'URL of the event of the merge: merged, or closed within a minute of it.',
    comments: 'Number of its comments, without reviews.',
    participants: 'Number of people who opened it, commented or reviewed.',
    assignees: 'Assignees: a JSON array of URLs.',
    locked: '1 if it is locked.',
    lock_reason: 'Why it is locked: off-topic, too heated, resolved or spam.',
    milestone: 'Its milestone, by URL; NULL for one of another repository.',
    milestone_title: 'Title of the milestone; NULL if that is not in the archive.',
  },
  parts: [factsOf(false), factsOf(true)],
})

/** Facts about issues and pull requests: those with one value, and those with several. */
export const THREAD_VIEWS: readonly Relation[] = [
  threadFacts,
  viewOf(
    'requested_reviewers',
    'Whose reviews of pull requests are asked for and not given yet.',
    {
      pull_request: 'The pull request, by URL.',
      position: 'Position in its review_requests, from 0.',
      user: 'Who is asked, by URL.',
      user_login: 'Login of who is asked.',
      requested_at: 'When.',
    },
    REQUESTED_REVIEWERS,
  ),
  viewOf(
    'reviewers',
    'Who reviewed pull requests, with the last verdict of each.',
    {
      pull_request: 'The pull request, by URL.',
      user: 'Who reviewed, by URL; NULL for deleted accounts, which are one.',
      user_login: 'Login of who reviewed.',
      state: 'approved, changes_requested or dismissed; commented without a verdict.',
      reviewed_at: 'When.',
    },
    REVIEWERS,
  ),
  viewOf(
    'closing_pull_requests',
    'Pull requests, and the issues that they closed or would close.',
    {
      issue: 'The issue, by URL.',
      pull_request: 'The pull request, by URL.',
      how: 'closed; may close, while the pull request is open; did not close, if neither an event nor a merge tells that it did.',
    },
    CLOSING_PULL_REQUESTS,
  ),
]
