import { escapeControls, escapeControlsButNewlines } from '../../base/escape-controls.ts'
import {
  authorName,
  circumstances,
  commentInWords,
  dateInWords,
  describeUpload,
  factsOf,
  kindInWords,
  linesOfHunk,
  reactionsOf,
  verdictInWords,
} from '../threads/in-words.ts'
import type { ReviewThread, Text, Thread, TimelineItem } from '../threads/thread.ts'

/** A document that is a file of a folder has these. */
export interface DocumentLinks {
  /** A text with links that lead to other files of the folder. */
  body(text: string): string
  /** The address of the file of an upload; undefined if the folder does not have it. */
  upload(url: string): string | undefined
  /** The name by which links find a comment, review or event; undefined without one. */
  anchor(url: string): string | undefined
}

export const NO_LINKS: DocumentLinks = {
  body: (text) => text,
  upload: () => undefined,
  anchor: () => undefined,
}

/**
 * A thread as Markdown, a piece at a time. Texts are quoted, so that they cannot change the structure of the document;
 * control characters are escaped.
 */
export function* threadMarkdown(
  thread: Thread,
  timeline: Iterable<TimelineItem>,
  links: DocumentLinks = NO_LINKS,
): Generator<string> {
  const place = `${thread.full_name ?? ''}#${thread.number ?? ''}`
  yield `# ${plain(thread.title ?? '')} (${plain(place)})\n\n`
  yield `${plain(kindInWords(thread))}, opened by ${who(thread.author)}, ${plain(dateInWords(thread.created_at))}: <${addressOf(thread.url)}>\n`
  const facts = factsOf(thread)
  if (facts.length > 0) yield `\n`
  for (const [name, value] of facts) yield `- ${escapeControls(name)}: ${plain(value)}\n`
  yield* textMarkdown(thread, links)
  let before = ''
  for (const item of timeline) {
    if (item.kind !== 'event' || before !== 'event') yield `\n`
    yield* writeItem(item, links)
    before = item.kind
  }
}

function* writeItem(item: TimelineItem, links: DocumentLinks): Generator<string> {
  switch (item.kind) {
    case 'event':
      yield `- ${anchor(item, links)}${who(item.author)} ${plain(item.sentence)}, ${plain(dateInWords(item.created_at))}\n`
      break
    case 'comment':
      yield `${anchor(item, links)}${who(item.author)} ${commentInWords(item)}, ${plain(dateInWords(item.created_at))}:\n`
      yield* textMarkdown(item, links)
      break
    case 'review':
      yield `${anchor(item, links)}${who(item.author)} ${plain(verdictInWords(item.state))}, ${plain(dateInWords(item.created_at))}\n`
      yield* textMarkdown(item, links)
      for (const thread of item.threads) yield* writeReviewThread(thread, links)
      break
    case 'review_thread':
      yield* writeReviewThread(item, links)
  }
}

function* writeReviewThread(thread: ReviewThread, links: DocumentLinks): Generator<string> {
  const hunk = linesOfHunk(thread.diff_hunk).map(escapeControls)
  // A fence must be longer than any fence in the code.
  const fence = '`'.repeat(
    Math.max(3, ...hunk.map((line) => (/`+/.exec(line)?.[0].length ?? 0) + 1)),
  )
  yield `\n${plain((thread.path ?? 'an unknown file') + circumstances(thread))}:\n`
  if (hunk.length > 0) yield `\n${fence}diff\n${hunk.join('\n')}\n${fence}\n`
  for (const comment of thread.comments) {
    yield `\n${anchor(comment, links)}${who(comment.author)}, ${plain(dateInWords(comment.created_at))}:\n`
    yield* textMarkdown(comment, links)
  }
}

/** A text as a quote, and below it its reactions and uploads. */
function* textMarkdown(text: Text, links: DocumentLinks = NO_LINKS): Generator<string> {
  yield* quoteMarkdown(text.body, links)
  const foot = [
    ...reactionsOf(text).map(plain),
    ...text.attachments.map((upload) => {
      const [words, to] = [plain(describeUpload(upload)), links.upload(upload.url)]
      return to === undefined ? words : `[${words}](${to})`
    }),
  ]
  if (foot.length > 0) yield `\n${foot.map((line) => `- ${line}\n`).join('')}`
}

/** A text as a quote. */
export function* quoteMarkdown(
  text: string | null,
  { body }: Pick<DocumentLinks, 'body'>,
): Generator<string> {
  // The first line may be indented code.
  const shown = text?.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd() ?? ''
  if (shown === '') return
  const lines = body(escapeControlsButNewlines(shown)).split('\n')
  yield `\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n`
}

/** The place that links to an item lead to. */
function anchor({ url }: { url: string | null }, links: DocumentLinks): string {
  const name = url === null ? undefined : links.anchor(url)
  return name === undefined ? '' : `<a id="${name}"></a>`
}

const who = (author: string | null) => `**${plain(authorName(author))}**`

/** An address between pointed brackets. */
export const addressOf = (url: string): string =>
  escapeControls(url).replace(/[<>\s]/g, encodeURIComponent)

/** Escapes the syntax of Markdown. */
export const plain = (text: string): string =>
  escapeControls(
    text.replace(/[\\`*_[\]<>|#~&]/g, (sign, at: number, all: string) =>
      sign === '#' && at > 0 && all[at - 1] !== '\n' ? sign : `\\${sign}`,
    ),
  )
