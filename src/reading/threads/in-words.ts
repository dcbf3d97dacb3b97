/** What people read of a thread outside of pages, in a terminal and in Markdown. */

import { formatByteSize } from '../../base/byte-size.ts'
import { parseTime } from '../times.ts'
import type { Reactions, ReviewThread, Text, Thread, TimelineItem, Upload } from './thread.ts'

const KINDS = { issue: 'issue', pull_request: 'pull request', discussion: 'discussion' }

/** `closed issue`, `open draft pull request`. */
export const kindInWords = ({ kind, state, pull_request }: Thread): string =>
  [state, pull_request?.draft && 'draft', KINDS[kind]].filter(Boolean).join(' ')

/** The facts about a thread, by name. */
export function factsOf(thread: Thread): [name: string, value: string][] {
  const { labels, assignees, category, pull_request: pull } = thread
  const facts: [string, string | null | undefined][] = [
    ['category', category],
    ['labels', labels.join(', ')],
    ['assignees', assignees.join(', ')],
    ['milestone', milestoneInWords(thread)],
    ['locked', thread.locked ? (thread.lock_reason ?? 'yes') : null],
    ['branch', pull && `${pull.head ?? '?'} → ${pull.base ?? '?'}`],
    ['reviewers', pull?.review_requests.join(', ')],
    ['closes', pull?.closes.join(', ')],
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

/** The verb for a comment: answered, replied or commented. */
export const commentInWords = ({ in_reply_to, is_answer }: Comment): string =>
  is_answer ? 'answered' : in_reply_to ? 'replied' : 'commented'

type Comment = Pick<Extract<TimelineItem, { kind: 'comment' }>, 'in_reply_to' | 'is_answer'>

/** The title of a milestone, or its number if it is not in the archive. */
function milestoneInWords({ milestone, milestone_url }: Thread): string | null {
  if (milestone !== null || milestone_url === null) return milestone
  return `milestone ${/\d+$/.exec(milestone_url)?.[0] ?? milestone_url}, not in the archive`
}

/** The lines below a text: reactions and uploads. */
export const footOf = (text: Text): string[] => [
  ...reactionsOf(text),
  ...text.attachments.map(describeUpload),
]

/** The line of reactions to a text, if it has any. */
export const reactionsOf = ({ reactions }: Text): string[] =>
  Object.keys(reactions).length > 0 ? [describeReactions(reactions)] : []

const EMOJI: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  heart: '💜',
  tada: '🎉',
  rocket: '🚀',
  eyes: '👀',
  smile: '😄',
  laugh: '😄',
  thinking_face: '🤔',
  confused: '🤔',
  hooray: '🎉',
}

const describeReactions = (reactions: Reactions): string =>
  Object.entries(reactions)
    .map(
      ([content, count]) => `${Object.hasOwn(EMOJI, content) ? EMOJI[content] : content} ${count}`,
    )
    .join('  ')

/** The line of a file attached to a text. */
export function describeUpload({ url, name, media_type, size, state }: Upload): string {
  const bytes = size === null ? undefined : formatByteSize(size)
  const missing = state === 'missing' ? 'missing from the archive' : undefined
  const facts = [media_type, bytes, missing].filter(Boolean)
  return `📎 ${name ?? url}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
}

const VERDICTS: Readonly<Record<string, string>> = {
  approved: 'approved this',
  changes_requested: 'requested changes',
  commented: 'reviewed this',
  dismissed: 'reviewed this; the review was dismissed',
  pending: 'began a review',
}

/** The result of a review, to follow the name of the reviewer. */
export const verdictInWords = (state: string | null): string =>
  VERDICTS[state ?? ''] ?? 'reviewed this'

/** The name of an author. */
export const authorName = (author: string | null): string => author ?? 'a deleted account'

// Intl.DateTimeFormat takes 15 ms to load what it knows of all languages.
const MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** `3 May 2021`, in UTC; an invalid date unchanged. */
export function dateInWords(date: string | null): string {
  if (date === null || date === '') return 'at an unknown time'
  const seconds = parseTime(date)
  if (seconds === undefined) return date
  const time = new Date(seconds * 1000)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}`
}

/** The lines, whether the code changed since, and whether the thread is resolved. */
export function circumstances(thread: ReviewThread): string {
  const { line, start_line, outdated, resolved_at, resolver } = thread
  const lines =
    line === null
      ? ''
      : start_line === null || start_line === line
        ? `, line ${line}`
        : `, lines ${start_line} to ${line}`
  const resolved =
    resolved_at === null ? '' : `; resolved by ${authorName(resolver)}, ${dateInWords(resolved_at)}`
  return lines + (outdated ? ', changed since' : '') + resolved
}

/** Lines of code shown above a comment, which is about the last of them. */
const MOST_LINES = 8

/** The last lines of a hunk. */
export function linesOfHunk(hunk: string | null): string[] {
  const lines = hunk === null || hunk === '' ? [] : hunk.replace(/\n$/, '').split(/\r?\n/)
  return lines.length <= MOST_LINES ? lines : ['…', ...lines.slice(-MOST_LINES)]
}
