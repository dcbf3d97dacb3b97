import type { Thread, TimelineItem } from '../../thread/thread.ts'
import { escapeControls } from '../output/escape-controls.ts'
import type { Styles } from '../output/styles.ts'
import { wrapSpans } from '../output/wrap-spans.ts'
import { dateInWords } from './date-words.ts'
import { describeReviewThread } from './describe-review-thread.ts'
import { describeText, heading, type Paper, wrapped } from './describe-text.ts'
import { factsOf, kindInWords, nameOf, verdictInWords } from './facts.ts'

const INDENT = '  '

/** A thread as a person reads it: what it is, what was written, what happened. */
export function* describeThread(
  thread: Thread,
  timeline: Iterable<TimelineItem>,
  paper: Paper,
): Generator<string> {
  const { bold, dim, cyan } = paper.styles
  const place = `${thread.full_name ?? ''}#${thread.number ?? ''}`
  const opened = `opened by ${nameOf(thread.author)}, ${dateInWords(thread.created_at)}`
  yield* ended([
    ...wrapped(paper, [
      { text: `${escapeControls(thread.title ?? '')} `, style: bold },
      { text: escapeControls(place), style: cyan },
    ]),
    ...wrapped(paper, [
      { text: escapeControls(kindInWords(thread)), style: stateStyle(thread.state, paper.styles) },
      { text: ` · ${escapeControls(opened)}`, style: dim },
    ]),
    ...describeFacts(thread, paper),
  ])
  const body = describeText(thread, paper, '')
  if (body.length > 0) yield* ended(['', ...body])
  let before = ''
  for (const item of timeline) {
    const isEvent = item.kind === 'event'
    // Events in a row stand close together.
    yield* ended([...(isEvent && before === 'event' ? [] : ['']), ...describeItem(item, paper)])
    before = item.kind
  }
}

const ended = (lines: readonly string[]) => lines.map((line) => `${line}\n`)

function stateStyle(state: string | null, { green, red, cyan }: Styles) {
  return state === 'open' ? green : state === 'closed' ? red : cyan
}

/** Names on the left, what they mean on the right. */
function describeFacts(thread: Thread, paper: Paper): string[] {
  const facts = factsOf(thread)
  const left = Math.max(0, ...facts.map(([name]) => name.length)) + 2
  return facts.flatMap(([name, value]) =>
    wrapSpans([{ text: escapeControls(value) }], paper.width - left).map(
      (line, i) =>
        (i === 0 ? paper.styles.dim(name) + ' '.repeat(left - name.length) : ' '.repeat(left)) +
        line,
    ),
  )
}

function describeItem(item: TimelineItem, paper: Paper): string[] {
  const { styles } = paper
  switch (item.kind) {
    case 'event':
      return wrapped(paper, [
        { text: '• ', style: styles.dim },
        { text: escapeControls(nameOf(item.author)) },
        {
          text: escapeControls(` ${item.sentence}, ${dateInWords(item.created_at)}`),
          style: styles.dim,
        },
      ])
    case 'comment':
      return [
        ...wrapped(paper, heading(item, ' commented', styles)),
        ...describeText(item, paper, INDENT),
      ]
    case 'review':
      return [
        ...wrapped(paper, heading(item, ` ${verdictInWords(item.state)}`, styles)),
        ...describeText(item, paper, INDENT),
        ...item.threads.flatMap((thread) => ['', ...describeReviewThread(thread, paper, INDENT)]),
      ]
    case 'review_thread':
      return describeReviewThread(item, paper, '')
  }
}
