import type { ReviewThread, Text, Thread, TimelineItem } from '../../reading/threads/thread.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls, escapeControlsButNewlines } from '../output/escape-controls.ts'
import { circumstances, linesOfHunk } from './describe-review-thread.ts'
import { dateInWords, factsOf, footOf, kindInWords, nameOf, verdictInWords } from './facts.ts'

/** A thread as Markdown. Texts are quoted, so that they cannot change the structure of the document. */
export function* threadMarkdown(
  thread: Thread,
  timeline: Iterable<TimelineItem>,
): Generator<SafeText> {
  const place = `${thread.full_name ?? ''}#${thread.number ?? ''}`
  yield safe`# ${plain(thread.title ?? '')} (${plain(place)})\n\n`
  yield safe`${plain(kindInWords(thread))}, opened by ${who(thread.author)}, ${plain(dateInWords(thread.created_at))}: <${escapeControls(thread.url)}>\n`
  const facts = factsOf(thread)
  if (facts.length > 0) yield safe`\n`
  for (const [name, value] of facts) yield safe`- ${escapeControls(name)}: ${plain(value)}\n`
  yield* quoted(thread)
  let before = ''
  for (const item of timeline) {
    if (item.kind !== 'event' || before !== 'event') yield safe`\n`
    yield* writeItem(item)
    before = item.kind
  }
}

function* writeItem(item: TimelineItem): Generator<SafeText> {
  switch (item.kind) {
    case 'event':
      yield safe`- ${who(item.author)} ${plain(item.sentence)}, ${plain(dateInWords(item.created_at))}\n`
      break
    case 'comment':
      yield safe`${who(item.author)} commented, ${plain(dateInWords(item.created_at))}:\n`
      yield* quoted(item)
      break
    case 'review':
      yield safe`${who(item.author)} ${plain(verdictInWords(item.state))}, ${plain(dateInWords(item.created_at))}\n`
      yield* quoted(item)
      for (const thread of item.threads) yield* writeReviewThread(thread)
      break
    case 'review_thread':
      yield* writeReviewThread(item)
  }
}

function* writeReviewThread(thread: ReviewThread): Generator<SafeText> {
  const hunk = linesOfHunk(thread.diff_hunk).map(escapeControls)
  // A fence must be longer than any fence in the code.
  const fence = ownText('`').repeat(
    Math.max(3, ...hunk.map((line) => (/`+/.exec(line)?.[0].length ?? 0) + 1)),
  )
  yield safe`\n${plain((thread.path ?? 'an unknown file') + circumstances(thread))}:\n`
  if (hunk.length > 0) yield safe`\n${fence}diff\n${hunk.join('\n')}\n${fence}\n`
  for (const comment of thread.comments) {
    yield safe`\n${who(comment.author)}, ${plain(dateInWords(comment.created_at))}:\n`
    yield* quoted(comment)
  }
}

function* quoted(text: Text): Generator<SafeText> {
  const body = text.body?.trim() ? escapeControlsButNewlines(text.body.trim()).split('\n') : []
  if (body.length > 0) yield safe`\n${body.map((line) => safe`> ${line}`.trimEnd()).join('\n')}\n`
  const foot = footOf(text)
  if (foot.length > 0) yield safe`\n${foot.map((line) => safe`- ${plain(line)}\n`).join('')}`
}

const who = (author: string | null) => safe`**${plain(nameOf(author))}**`

/** Escapes the syntax of Markdown. */
const plain = (text: string): SafeText =>
  escapeControls(
    text.replace(/[\\`*_[\]<>|#~]/g, (sign, at: number, all: string) =>
      sign === '#' && at > 0 && all[at - 1] !== '\n' ? sign : `\\${sign}`,
    ),
  )
