import { firstOf, stateBy } from './derivation.ts'
import { fullNameOf, loginOf, ownId, ownNumber, placeIn, textFrom } from './derived.ts'
import { defineKind, optional, refersTo, text, time } from './kind.ts'
import { ACTORS, actor, assignees, labels, reactions } from './references.ts'

export const issues = defineKind({
  type: 'issue',
  summary: 'Issues. Pull requests, which share their numbers, have a table of their own.',
  columns: {
    url: text('Identity: https://H/o/r/issues/N.'),
    repository: refersTo('repositories', 'The repository it belongs to.'),
    user: actor('Who opened it; null for a deleted account.'),
    title: text('The title.'),
    body: text('The description in Markdown; null for none.'),
    assignee: actor('The first of assignees; null for none.'),
    assignees,
    milestone: refersTo('milestones', 'The milestone it is planned for; null for none.'),
    labels,
    reactions: optional(reactions),
    closed_at: time('When it was closed; null while it is open.'),
    created_at: time('When it was opened.'),
    updated_at: time('When it last changed.'),
  },
  derived: {
    full_name: fullNameOf('repository'),
    number: ownNumber,
    state: textFrom(stateBy({ closed: 'closed_at' }), 'open or closed.'),
    user_login: loginOf('user', 'who opened it'),
  },
})

/** The thread a record belongs to: always exactly one of the two. */
const parent = {
  issue: optional(refersTo('issues', 'The issue it belongs to; absent if pull_request is there.')),
  pull_request: optional(
    refersTo('pull_requests', 'The pull request it belongs to; absent if issue is there.'),
  ),
}

export const issue_comments = defineKind({
  type: 'issue_comment',
  summary: 'Comments on issues, and on pull requests outside of their diffs.',
  columns: {
    url: text('Identity: https://H/o/r/issues/N#issuecomment-I, or pull in place of issues.'),
    ...parent,
    user: actor('Who wrote it; null for a deleted account.'),
    body: text('The text, as formatter says.'),
    formatter: text('How body is written: markdown, or email if it was sent by mail.'),
    reactions,
    created_at: time('When it was written; later changes leave no date.'),
  },
  derived: {
    id: ownId,
    ...placeIn(firstOf('issue', 'pull_request')),
    user_login: loginOf('user', 'who wrote it'),
  },
})

export const issue_events = defineKind({
  type: 'issue_event',
  summary: 'Events of issues and pull requests, apart from comments and reviews.',
  columns: {
    url: text('Identity: https://H/o/r/issues/N#event-I, or pull in place of issues.'),
    ...parent,
    actor: actor('Who did it.'),
    event: text('The event, such as closed, labeled, merged or renamed.'),
    // Members that only some events have.
    title_was: optional(text('Title before; of base_ref_changed the old branch.')),
    title_is: optional(text('Title after; of base_ref_changed the new branch.')),
    commit_id: optional(text('The commit that merged it or mentions it, 40 hexadecimal digits.')),
    ref: optional(text('Name of the branch that was pushed by force.')),
    before_commit_oid: optional(text('Commit at its end before, 40 hexadecimal digits.')),
    after_commit_oid: optional(text('Commit at its end after, 40 hexadecimal digits.')),
    commit_repository: optional(
      refersTo('repositories', 'The repository of the commits; may lead nowhere.'),
    ),
    label: optional(refersTo('labels', 'The label; leads nowhere if it was deleted since.')),
    label_name: optional(text('Name of the label at that time.')),
    label_color: optional(text('Color of the label, six hexadecimal digits without #.')),
    label_text_color: optional(text('Color that its name is readable in: ffffff or 000000.')),
    subject: optional(
      refersTo(
        [...ACTORS, 'repositories', 'issues'],
        'Whom or what it was done to: a person, a repository or an issue, as event says.',
      ),
    ),
    referencing_pull_request: optional(
      refersTo('pull_requests', 'The pull request that closed the issue.'),
    ),
    milestone_title: optional(text('Title of the milestone, no url.')),
    milestone: optional(text('The same, as some other tools write it.')),
    created_at: time('When it happened.'),
  },
  derived: {
    id: ownId,
    ...placeIn(firstOf('issue', 'pull_request')),
    actor_login: loginOf('actor', 'who did it'),
  },
})
