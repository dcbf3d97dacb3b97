import { circumstances, linesOfHunk } from '../../reading/threads/in-words.ts'
import type { ReviewThread } from '../../reading/threads/thread.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls, escapeControlsButNewlines } from '../output/escape-controls.ts'
import type { Styles } from '../output/styles.ts'
import { cutLine } from '../output/wrap-spans.ts'
import { describeText, heading, type Paper, wrapped } from './describe-text.ts'

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

const styleOf = (line: string, { green, red, dim }: Styles) =>
  line.startsWith('+')
    ? green
    : line.startsWith('-')
      ? red
      : line.startsWith('@@')
        ? dim
        : (text: SafeText) => text
