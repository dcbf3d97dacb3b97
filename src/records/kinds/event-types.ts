import type { issue_events } from './issues.ts'

/** A value of `event` in the records of issue_events. */
export interface EventKind {
  readonly event: string
  readonly meaning: string
  /** The members that only some events have, as far as records of this event are known. */
  readonly members: readonly (keyof typeof issue_events.columns)[]
  /** GitHub's documentation, or else its records, or else other tools. */
  readonly source: 'documented' | 'seen' | 'exporters'
}

type Member = EventKind['members'][number]

const titles: readonly Member[] = ['title_was', 'title_is']
const label: readonly Member[] = ['label', 'label_name', 'label_color', 'label_text_color']
const push: readonly Member[] = [
  'ref',
  'before_commit_oid',
  'after_commit_oid',
  'commit_repository',
]

const eventFrom =
  (source: EventKind['source']) =>
  (event: string, meaning: string, members: readonly Member[] = []): EventKind => ({
    event,
    meaning,
    members,
    source,
  })

const documented = eventFrom('documented')
const seen = eventFrom('seen')
const exporters = eventFrom('exporters')

/** The known events, by name. Others are kept and shown as they are. */
export const EVENT_TYPES: readonly EventKind[] = [
  documented('added_to_project', 'A card for it was put on a project board.'),
  documented('assigned', 'Somebody, the subject, got it to work on.', ['subject']),
  seen('base_ref_changed', 'It is to be merged into another branch now.', titles),
  seen('base_ref_force_pushed', 'History of the branch to merge into was rewritten.', push),
  documented('closed', 'It was closed, by hand or by a pull request.', [
    'referencing_pull_request',
  ]),
  seen('comment_deleted', 'A comment, written by the subject, was deleted.', ['subject']),
  exporters('connected', 'It was tied by hand to an issue, the subject.', ['subject']),
  seen('convert_to_draft', 'It went back to being a draft.'),
  documented('converted_note_to_issue', 'It was made out of a note on a project board.'),
  seen('copilot_work_finished', 'The coding agent is done with its work.'),
  seen('copilot_work_finished_failure', 'The coding agent gave up its work.'),
  seen('copilot_work_started', 'The coding agent began to work.'),
  documented('demilestoned', 'It is no longer planned for a milestone.'),
  exporters('disconnected', 'A tie to an issue, made by hand, was undone.'),
  documented('head_ref_deleted', 'Its own branch was deleted.'),
  seen('head_ref_force_pushed', 'The history of its head branch was rewritten.', push),
  documented('head_ref_restored', 'Its own branch, deleted before, came back.'),
  documented('labeled', 'It got a label.', label),
  documented('locked', 'Comments were limited to collaborators.'),
  documented('marked_as_duplicate', 'It was declared to say the same as another one.'),
  documented('mentioned', 'The actor was mentioned by @name.'),
  documented('merged', 'It was merged; commit_id is the result.', ['commit_id']),
  documented('milestoned', 'It is planned for a milestone now.', ['milestone_title']),
  documented('moved_columns_in_project', 'Its card went to another column of a project board.'),
  seen('pinned', 'It was put on top of the list of issues.'),
  seen('ready_for_review', 'It is no longer a draft.'),
  documented('referenced', 'The message of a commit mentions it.', [
    'commit_id',
    'commit_repository',
  ]),
  documented('removed_from_project', 'Its card was taken off a project board.'),
  documented('renamed', 'It got another title.', titles),
  documented('reopened', 'It was opened again.'),
  documented('review_dismissed', 'A review of it no longer counts.'),
  documented('review_request_removed', 'A review is no longer asked for.'),
  documented('review_requested', 'A review by the subject was asked for.', ['subject']),
  documented('subscribed', 'The actor subscribed to notifications.'),
  documented('transferred', 'It came here from another repository, the subject.', ['subject']),
  documented('unassigned', 'Somebody, the subject, need not work on it any more.', ['subject']),
  documented('unlabeled', 'It lost a label.', label),
  documented('unlocked', 'Everybody may comment again.'),
  documented('unmarked_as_duplicate', 'It is no longer declared to say the same as another one.'),
  exporters('unpinned', 'It was unpinned from the top of the list of issues.'),
  seen('unsubscribed', 'The actor unsubscribed from notifications.'),
  documented('user_blocked', 'The organization shut somebody out because of a comment in it.'),
]

/** The kinds of issue events that the interface documents. The others are served on request only. */
export const ISSUE_EVENT_KINDS: readonly string[] = EVENT_TYPES.filter(
  ({ source }) => source === 'documented',
).map(({ event }) => event)
