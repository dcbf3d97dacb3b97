import { escapeControls, escapeControlsButNewlines } from '../../base/escape-controls.ts'
import {
  circumstances,
  dateInWords,
  factsOf,
  footOf,
  kindInWords,
  linesOfHunk,
  nameOf,
  verdictInWords,
} from '../threads/in-words.ts'
import type { ReviewThread, Text, Thread, TimelineItem } from '../threads/thread.ts'

/**
 * A thread as Markdown, a piece at a time. Texts are quoted, so that they cannot change the structure of the document;
 * control characters are escaped.
 */
export function* threadMarkdown(
  thread: Thread,
  timeline: Iterable<TimelineItem>,
): Generator<string> {
  const place = `${thread.full_name ?? ''}#${thread.number ?? ''}`
  yield `# ${plain(thread.title ?? '')} (${plain(place)})\n\n`
  yield `${plain(kindInWords(thread))}, opened by ${who(thread.author)}, ${plain(dateInWords(thread.created_at))}: <${escapeControls(thread.url)}>\n`
  const facts = factsOf(thread)
  if (facts.length > 0) yield `\n`
  for (const [name, value] of facts) yield `- ${escapeControls(name)}: ${plain(value)}\n`
  yield* quoted(thread)
  let before = ''
  for (const item of timeline) {
    if (item.kind !== 'event' || before !== 'event') yield `\n`
    yield* writeItem(item)
    before = item.kind
  }
}

function* writeItem(item: TimelineItem): Generator<string> {
  switch (item.kind) {
    case 'event':
      yield `- ${who(item.author)} ${plain(item.sentence)}, ${plain(dateInWords(item.created_at))}\n`
      break
    case 'comment':
      yield `${who(item.author)} commented, ${plain(dateInWords(item.created_at))}:\n`
      yield* quoted(item)
      break
    case 'review':
      yield `${who(item.author)} ${plain(verdictInWords(item.state))}, ${plain(dateInWords(item.created_at))}\n`
      yield* quoted(item)
      for (const thread of item.threads) yield* writeReviewThread(thread)
      break
    case 'review_thread':
      yield* writeReviewThread(item)
  }
}

function* writeReviewThread(thread: ReviewThread): Generator<string> {
  const hunk = linesOfHunk(thread.diff_hunk).map(escapeControls)
  // A fence must be longer than any fence in the code.
  const fence = '`'.repeat(
    Math.max(3, ...hunk.map((line) => (/`+/.exec(line)?.[0].length ?? 0) + 1)),
  )
  yield `\n${plain((thread.path ?? 'an unknown file') + circumstances(thread))}:\n`
  if (hunk.length > 0) yield `\n${fence}diff\n${hunk.join('\n')}\n${fence}\n`
  for (const comment of thread.comments) {
    yield `\n${who(comment.author)}, ${plain(dateInWords(comment.created_at))}:\n`
    yield* quoted(comment)
  }
}

function* quoted(text: Text): Generator<string> {
  const body = text.body?.trim() ? escapeControlsButNewlines(text.body.trim()).split('\n') : []
  if (body.length > 0) yield `\n${body.map((line) => `> ${line}`.trimEnd()).join('\n')}\n`
  const foot = footOf(text)
  if (foot.length > 0) yield `\n${foot.map((line) => `- ${plain(line)}\n`).join('')}`
}

const who = (author: string | null) => `**${plain(nameOf(author))}**`

/** Escapes the syntax of Markdown. */
const plain = (text: string): string =>
  escapeControls(
    text.replace(/[\\`*_[\]<>|#~]/g, (sign, at: number, all: string) =>
      sign === '#' && at > 0 && all[at - 1] !== '\n' ? sign : `\\${sign}`,
    ),
  )
