import { anObject, aText, checkArguments } from '../check-arguments.ts'

/** What is known of an event, by member: people by login, commits by their beginning, issues by place. */
type EventWords = Readonly<Record<string, string | undefined>>

/**
 * What somebody did, by event. `{member}` is what the event says of it, `{member|words}` has words for where it
 * says nothing, and what stands in brackets is left out there.
 */
export const EVENT_SENTENCES: Readonly<Record<string, string>> = {
  added_to_project: 'put this on a project board',
  assigned: 'assigned {subject|somebody}',
  base_ref_changed: 'changed the branch to merge into[ from {title_was}][ to {title_is}]',
  base_ref_force_pushed:
    'force-pushed the branch to merge into[, {ref},][ from {before_commit_oid}][ to {after_commit_oid}]',
  closed: 'closed this[ with {referencing_pull_request}][ in commit {commit_id}]',
  comment_deleted: 'deleted a comment[ by {subject}]',
  connected: 'tied this to {subject|another issue}',
  convert_to_draft: 'made this a draft again',
  converted_note_to_issue: 'made this out of a note on a project board',
  copilot_work_finished: 'finished work as the coding agent',
  copilot_work_finished_failure: 'gave up work as the coding agent',
  copilot_work_started: 'began to work as the coding agent',
  demilestoned: 'took this out of {milestone_title|its milestone}',
  disconnected: 'untied this from {subject|another issue}',
  head_ref_deleted: 'deleted the branch',
  head_ref_force_pushed:
    'force-pushed {ref|the branch}[ from {before_commit_oid}][ to {after_commit_oid}]',
  head_ref_restored: 'restored the branch',
  labeled: 'labeled this {label_name|with a label}',
  locked: 'locked this: only collaborators may comment',
  marked_as_duplicate: 'marked this as a duplicate',
  mentioned: 'was mentioned',
  merged: 'merged this[ as {commit_id}]',
  milestoned: 'planned this for {milestone_title|a milestone}',
  moved_columns_in_project: 'moved this to another column of a project board',
  pinned: 'pinned this',
  ready_for_review: 'declared this ready for review',
  referenced: 'mentioned this in commit {commit_id|message}[ of {commit_repository}]',
  removed_from_project: 'took this off a project board',
  renamed: 'renamed this[ from “{title_was}”][ to “{title_is}”]',
  reopened: 'reopened this',
  review_dismissed: 'dismissed a review',
  review_request_removed: 'no longer asks {subject|somebody} for a review',
  review_requested: 'asked {subject|somebody} for a review',
  subscribed: 'subscribed',
  transferred: 'transferred this here[ from {subject}]',
  unassigned: 'unassigned {subject|somebody}',
  unlabeled: 'removed the label[ {label_name}]',
  unlocked: 'unlocked this: everybody may comment',
  unmarked_as_duplicate: 'no longer calls this a duplicate',
  unpinned: 'unpinned this',
  unsubscribed: 'unsubscribed',
  user_blocked: 'blocked somebody because of a comment here',
}

/** What was done, to stand behind the name of who did it; an event that nobody knows is named as it is. */
export function eventSentence(event: string, words: EventWords): string {
  checkArguments({ event, words }, { event: aText, words: anObject })
  const sentence = Object.hasOwn(EVENT_SENTENCES, event) ? EVENT_SENTENCES[event] : undefined
  if (sentence === undefined) return `did what the host calls “${event}”`
  const known = { ...words, milestone_title: words.milestone_title ?? words.milestone }
  const wordOf = (member: string) => (known as EventWords)[member]
  return sentence
    .replace(/\[([^\]]*)\]/g, (_, part: string) => {
      const member = /\{(\w+)\}/.exec(part)?.[1] ?? ''
      return wordOf(member) === undefined ? '' : part
    })
    .replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, member: string, otherwise = '') => {
      return wordOf(member) ?? otherwise
    })
}
