import { anObject, aText, checkArguments } from '../../base/check-arguments.ts'
import { placeOf, repositoryOf, shortOid } from '../names.ts'

/** The fields of an event as text: people by login, commits by abbreviated id, issues as `owner/name#12`. */
type EventWords = Readonly<Record<string, string | undefined>>

/**
 * A sentence for each event. `{field}` is replaced by the field's value, `{field|words}` by the words if the event has
 * no such field; a part in brackets is left out then.
 */
export const EVENT_SENTENCES: Readonly<Record<string, string>> = {
  added_to_project: 'added this to a project board',
  assigned: 'assigned {subject|a user}',
  base_ref_changed: 'changed the base branch[ from {title_was}][ to {title_is}]',
  base_ref_force_pushed:
    'force-pushed the base branch[ {ref}][ from {before_commit_oid}][ to {after_commit_oid}]',
  closed: 'closed this[ with {referencing_pull_request}][ in commit {commit_id}]',
  comment_deleted: 'deleted a comment[ by {subject}]',
  connected: 'linked this to {subject|another issue}',
  convert_to_draft: 'converted this to a draft',
  converted_note_to_issue: 'created this from a note on a project board',
  copilot_work_finished: 'finished work as the coding agent',
  copilot_work_finished_failure: 'stopped work as the coding agent',
  copilot_work_started: 'started work as the coding agent',
  demilestoned: 'removed this from {milestone_title|a} milestone',
  disconnected: 'unlinked this from {subject|another issue}',
  head_ref_deleted: 'deleted the branch',
  head_ref_force_pushed:
    'force-pushed {ref|the branch}[ from {before_commit_oid}][ to {after_commit_oid}]',
  head_ref_restored: 'restored the branch',
  labeled: 'labeled this {label_name|with a label}',
  locked: 'locked this and limited comments to collaborators',
  marked_as_duplicate: 'marked this as a duplicate',
  mentioned: 'was mentioned',
  merged: 'merged this[ as {commit_id}]',
  milestoned: 'added this to {milestone_title|a} milestone',
  moved_columns_in_project: 'moved this to another column of a project board',
  pinned: 'pinned this',
  ready_for_review: 'marked this as ready for review',
  referenced: 'mentioned this in commit {commit_id|message}[ of {commit_repository}]',
  removed_from_project: 'removed this from a project board',
  renamed: 'renamed this[ from “{title_was}”][ to “{title_is}”]',
  reopened: 'reopened this',
  review_dismissed: 'dismissed a review',
  review_request_removed: 'withdrew the review request[ for {subject}]',
  review_requested: 'requested a review[ from {subject}]',
  subscribed: 'subscribed',
  transferred: 'transferred this here[ from {subject}]',
  unassigned: 'unassigned {subject|a user}',
  unlabeled: 'removed the label[ {label_name}]',
  unlocked: 'unlocked this',
  unmarked_as_duplicate: 'unmarked this as a duplicate',
  unpinned: 'unpinned this',
  unsubscribed: 'unsubscribed',
  user_blocked: 'blocked a user because of a comment here',
}

/** Sentences for what exports of other hosts tell, and no archive of GitHub. */
const FOREIGN_SENTENCES: Readonly<Record<string, string>> = {
  bitbucket_content_changed: 'changed the text',
  'cross-referenced': 'mentioned this[ in {subject}]',
  gitlab_commit: 'added commits',
  gitlab_description: 'changed the description',
}

const SENTENCES = new Map([
  ...Object.entries(EVENT_SENTENCES),
  ...Object.entries(FOREIGN_SENTENCES),
])

/** Other hosts, by the first word of the events that have no like here. */
const FOREIGN_HOSTS: Readonly<Record<string, string>> = { bitbucket: 'Bitbucket', gitlab: 'GitLab' }

/**
 * Describes an event in words that follow the name of the person: `labeled this bug`.
 *
 * @param event the type of the event, such as `labeled`; an unknown type is quoted
 * @param words the fields of the event as text
 * @returns the sentence without its subject
 * @throws `option-invalid`
 * @example
 * eventSentence('milestoned', { milestone_title: '1.0' }) // 'added this to the 1.0 milestone'
 */
export function eventSentence(event: string, words: EventWords): string {
  checkArguments({ event, words }, { event: aText, words: anObject })
  return eventParts(event, words)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('')
}

/** A piece of a sentence: text, or the value of a field of the event. */
export type EventPart = string | { readonly field: string; readonly text: string }

/** The same sentence in pieces, for who shows values of fields as links. */
export function eventParts(event: string, words: EventWords): EventPart[] {
  const sentence = SENTENCES.get(event)
  if (sentence === undefined) return [unknownEvent(event)]
  const milestone = words.milestone_title ?? words.milestone
  const known = { ...words, milestone_title: milestone && `the ${milestone}` }
  const wordOf = (member: string) => (known as EventWords)[member]
  const template = sentence.replace(/\[([^\]]*)\]/g, (_, part: string) => {
    const member = /\{(\w+)\}/.exec(part)?.[1] ?? ''
    return wordOf(member) === undefined ? '' : part
  })
  const parts: EventPart[] = []
  let end = 0
  for (const { 0: whole, 1: field = '', 2: otherwise = '', index } of template.matchAll(
    /\{(\w+)(?:\|([^}]*))?\}/g,
  )) {
    const text = wordOf(field)
    parts.push(template.slice(end, index), text === undefined ? otherwise : { field, text })
    end = index + whole.length
  }
  return [...parts, template.slice(end)].filter((part) => part !== '')
}

function unknownEvent(event: string): string {
  const [, host = '', name] = /^([a-z]+)_(.+)$/s.exec(event) ?? []
  const foreign = Object.hasOwn(FOREIGN_HOSTS, host) ? FOREIGN_HOSTS[host] : undefined
  return foreign === undefined
    ? `did what the host calls “${event}”`
    : `did what ${foreign} calls “${name}”`
}

/** An event as stored. */
export interface EventRow {
  url: string | null
  author: string | null
  created_at: string | null
  event: string | null
  /** Members that only some events have. */
  [member: string]: string | null
}

/** The fields of an event as text. */
export function eventWords({ url, author, created_at, event, ...row }: EventRow): EventWords {
  const words: Record<string, string | undefined> = {}
  for (const [member, value] of Object.entries(row)) {
    if (typeof value === 'string') words[member] = inWords(member, value, url)
  }
  return words
}

function inWords(member: string, value: string, event: string | null): string | undefined {
  switch (member) {
    case 'subject':
    case 'referencing_pull_request':
      return nearby(placeOf(value) ?? value, repositoryOf(event))
    case 'commit_repository': {
      const repository = repositoryOf(value)
      return repository === repositoryOf(event) ? undefined : (repository ?? value)
    }
    case 'commit_id':
    case 'before_commit_oid':
    case 'after_commit_oid':
      return shortOid(value)
    case 'milestone':
      return isUrl(value) ? undefined : value
    default:
      return value
  }
}

const isUrl = (text: string): boolean => /^https?:\/\//.test(text)

/** Something in a repository that a reader may not know of, without its name. */
export const wordsElsewhere = (url: string): string =>
  /\/(?:issues|pull|discussions)\/\d+/.test(url)
    ? 'a thread of another repository'
    : 'another repository'

/** Shortens `owner/name#12` to `#12` in the same repository. */
const nearby = (place: string, repository: string | null): string =>
  repository !== null && place.startsWith(`${repository}#`) ? place.slice(repository.length) : place
