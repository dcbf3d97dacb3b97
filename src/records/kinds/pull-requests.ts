import { PEOPLE_TABLES } from '../people-tables.ts'
import { memberOf, stateBy } from './derivation.ts'
import { fullNameOf, loginOf, ownNumber, textFrom } from './derived.ts'
import { defineKind, flag, listOfObjects, object, optional, refersTo, text, time } from './kind.ts'
import { ACTORS, actor, assignees, labels, reactions } from './references.ts'

const end = (description: string) =>
  object(
    {
      ref: text('The branch.'),
      sha: text('The commit at its end, 40 hexadecimal digits.'),
      user: refersTo(PEOPLE_TABLES, 'Owner of the repository; may lead nowhere for a fork.'),
      repo: refersTo('repositories', 'The repository; null for a deleted fork.'),
    },
    description,
  )

const reviewRequests = listOfObjects(
  {
    reviewer: refersTo([...ACTORS, 'teams'], 'Who is asked.'),
    reviewer_type: text('User; presumably Team for a team.'),
    created_at: time('When the review was asked for.'),
    updated_at: time('When the request last changed.'),
    dismissed_at: time('When the request was withdrawn; null if it was not.'),
  },
  'Reviews asked for.',
)

const closeIssueReferences = listOfObjects(
  {
    issue: refersTo('issues', 'The issue; may lead nowhere if it is in another repository.'),
    issue_repository: refersTo('repositories', 'The repository of the issue.'),
    actor: actor('Who made the connection.'),
    source: text('How it was made, such as xref.'),
    created_at: time('When it was made.'),
  },
  'Issues that merging it closes.',
)

export const pull_requests = defineKind({
  type: 'pull_request',
  summary: 'Pull requests. Their numbers are from the same sequence as those of issues.',
  columns: {
    url: text('Identity: https://H/o/r/pull/N.'),
    user: actor('Who opened it; null for a deleted account.'),
    repository: refersTo('repositories', 'The repository it belongs to.'),
    title: text('The title.'),
    body: text('The description in Markdown; null for none.'),
    base: end('Where to merge into, as of the export.'),
    head: end('The branch to merge, as of the export.'),
    assignee: actor('The first of assignees; null for none.'),
    assignees,
    milestone: refersTo('milestones', 'The milestone it is planned for; null for none.'),
    labels,
    reactions,
    review_requests: reviewRequests,
    close_issue_references: closeIssueReferences,
    work_in_progress: flag('Is it a draft?'),
    merged_at: time('When it was merged; null if it was not.'),
    closed_at: time('When it was closed, by a merge too; null while it is open.'),
    created_at: time('When it was opened; later changes leave no date.'),
    merge_commit_sha: optional(
      text('The merge commit; of an unmerged one that of a test merge, or null. Since 2022.'),
    ),
  },
  derived: {
    full_name: fullNameOf('repository'),
    number: ownNumber,
    state: textFrom(
      stateBy({ closed: 'closed_at', merged: 'merged_at' }),
      'open, closed or merged.',
    ),
    user_login: loginOf('user', 'who opened it'),
    base_ref: textFrom(memberOf('base', 'ref'), 'Branch to merge into.'),
    base_sha: textFrom(memberOf('base', 'sha'), 'Commit at the end of that branch.'),
    base_user: textFrom(memberOf('base', 'user'), 'Owner of the repository to merge into, by url.'),
    base_repo: textFrom(memberOf('base', 'repo'), 'Repository to merge into, by url.'),
    head_ref: textFrom(memberOf('head', 'ref'), 'Branch to merge.'),
    head_sha: textFrom(memberOf('head', 'sha'), 'Commit at the end of that branch.'),
    head_user: textFrom(memberOf('head', 'user'), 'Owner of the repository to merge from, by url.'),
    head_repo: textFrom(memberOf('head', 'repo'), 'Repository to merge from; null if deleted.'),
  },
})

export const bases = defineKind({
  type: 'base',
  summary: 'Documented by the host, never seen: the base of a pull request is inside its record.',
  columns: { url: text('Identity.') },
  derived: {},
})
