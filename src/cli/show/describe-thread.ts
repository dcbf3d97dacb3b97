import {
  authorName,
  commentInWords,
  dateInWords,
  factsOf,
  kindInWords,
  verdictInWords,
} from '../../reading/threads/in-words.ts'
import type { Thread, TimelineItem } from '../../reading/threads/thread.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import type { Styles } from '../output/styles.ts'
import { wrapSpans } from '../output/wrap-spans.ts'
import { describeReviewThread } from './describe-review-thread.ts'
import { describeText, heading, type Paper, wrapped } from './describe-text.ts'

const INDENT = safe`  `

/** A thread for people: title, facts, text and timeline. */
export function* describeThread(
  thread: Thread,
  timeline: Iterable<TimelineItem>,
  paper: Paper,
): Generator<SafeText> {
  const { bold, dim, cyan } = paper.styles
  const place = `${thread.full_name ?? ''}#${thread.number ?? ''}`
  const opened = `opened by ${authorName(thread.author)}, ${dateInWords(thread.created_at)}`
  yield* ended([
    ...wrapped(paper, [
      { text: safe`${escapeControls(thread.title ?? '')} `, style: bold },
      { text: escapeControls(place), style: cyan },
    ]),
    ...wrapped(paper, [
      { text: escapeControls(kindInWords(thread)), style: stateStyle(thread.state, paper.styles) },
      { text: safe` · ${escapeControls(opened)}`, style: dim },
    ]),
    ...describeFacts(thread, paper),
  ])
  let above = safe`\n`
  for (const line of describeText(thread, paper, safe``)) {
    yield safe`${above}${line}\n`
    above = safe``
  }
  let before = ''
  for (const item of timeline) {
    const isEvent = item.kind === 'event'
    // No empty line between events.
    if (!isEvent || before !== 'event') yield safe`\n`
    for (const line of describeItem(item, paper)) yield safe`${line}\n`
    before = item.kind
  }
}

const ended = (lines: readonly SafeText[]) => lines.map((line) => safe`${line}\n`)

function stateStyle(state: string | null, { green, red, cyan }: Styles) {
  return state === 'open' ? green : state === 'closed' ? red : cyan
}

/** Names on the left, values on the right. */
function describeFacts(thread: Thread, paper: Paper): SafeText[] {
  const facts = factsOf(thread)
  const left = Math.max(0, ...facts.map(([name]) => name.length)) + 2
  return facts.flatMap(([name, value]) =>
    wrapSpans([{ text: escapeControls(value) }], paper.width - left).map((line, i) => {
      const label = i === 0 ? escapeControls(name) : safe``
      return safe`${paper.styles.dim(label)}${safe` `.repeat(left - label.length)}${line}`
    }),
  )
}

function* describeItem(item: TimelineItem, paper: Paper): Generator<SafeText> {
  const { styles } = paper
  switch (item.kind) {
    case 'event':
      yield* wrapped(paper, [
        { text: safe`• `, style: styles.dim },
        { text: escapeControls(authorName(item.author)) },
        {
          text: escapeControls(` ${item.sentence}, ${dateInWords(item.created_at)}`),
          style: styles.dim,
        },
      ])
      break
    case 'comment':
      yield* wrapped(paper, heading(item, ` ${commentInWords(item)}`, styles))
      yield* describeText(item, paper, INDENT)
      break
    case 'review':
      yield* wrapped(paper, heading(item, ` ${verdictInWords(item.state)}`, styles))
      yield* describeText(item, paper, INDENT)
      for (const thread of item.threads) {
        yield safe``
        yield* describeReviewThread(thread, paper, INDENT)
      }
      break
    case 'review_thread':
      yield* describeReviewThread(item, paper, safe``)
  }
}
