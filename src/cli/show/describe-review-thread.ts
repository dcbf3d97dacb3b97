import type { ReviewThread } from '../../reading/threads/thread.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls, escapeControlsButNewlines } from '../output/escape-controls.ts'
import type { Styles } from '../output/styles.ts'
import { cutLine } from '../output/wrap-spans.ts'
import { describeText, heading, type Paper, wrapped } from './describe-text.ts'
import { dateInWords, nameOf } from './facts.ts'

/** Lines of code shown above a comment, which is about the last of them. */
const MOST_LINES = 8

/** Comments on a diff, below the code they are about. */
export function* describeReviewThread(
  thread: ReviewThread,
  paper: Paper,
  indent: SafeText,
): Generator<SafeText> {
  const { styles } = paper
  yield* wrapped(
    paper,
    [
      { text: escapeControls(thread.path ?? 'an unknown file'), style: styles.cyan },
      { text: escapeControls(circumstances(thread)), style: styles.dim },
    ],
    indent,
  )
  yield* describeHunk(thread.diff_hunk, paper, indent)
  for (const comment of thread.comments) {
    yield* wrapped(paper, heading(comment, '', styles), safe`${indent}  `)
    yield* describeText(comment, paper, safe`${indent}    `)
  }
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
    resolved_at === null ? '' : `; resolved by ${nameOf(resolver)}, ${dateInWords(resolved_at)}`
  return lines + (outdated ? ', changed since' : '') + resolved
}

function describeHunk(hunk: string | null, { width, styles }: Paper, indent: SafeText): SafeText[] {
  return linesOfHunk(hunk).flatMap((line) =>
    cutLine(
      escapeControlsButNewlines(line).replaceAll('\t', safe`    `),
      width - indent.length - 4,
    ).map((part) =>
      safe`${indent}  ${styles.dim(safe`│`)} ${styleOf(line, styles)(part)}`.trimEnd(),
    ),
  )
}

/** The last lines of a hunk. */
export function linesOfHunk(hunk: string | null): string[] {
  const lines = hunk === null || hunk === '' ? [] : hunk.replace(/\n$/, '').split(/\r?\n/)
  return lines.length <= MOST_LINES ? lines : ['…', ...lines.slice(-MOST_LINES)]
}

const styleOf = (line: string, { green, red, dim }: Styles) =>
  line.startsWith('+')
    ? green
    : line.startsWith('-')
      ? red
      : line.startsWith('@@')
        ? dim
        : (text: SafeText) => text
