import { authorName, dateInWords, footOf } from '../../reading/threads/in-words.ts'
import type { Text } from '../../reading/threads/thread.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { displayWidth } from '../output/display-width.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { markdownLines } from '../output/markdown/render-markdown.ts'
import { type Styles, stylesFor } from '../output/styles.ts'
import { type Span, wrapSpans } from '../output/wrap-spans.ts'

/** Longer lines are hard to read. */
const WIDEST = 100

/** The width and styles of a page. */
export interface Paper {
  width: number
  styles: Styles
}

export const paperFor = ({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Paper => ({
  // In a pipe lines are not wrapped.
  width: stdout.isTTY ? Math.min(stdout.columns || 80, WIDEST) : Number.POSITIVE_INFINITY,
  styles: stylesFor(stdout, env),
})

export const wrapped = ({ width }: Paper, spans: readonly Span[], indent = safe``): SafeText[] =>
  wrapSpans(spans, width - displayWidth(indent)).map((line) => safe`${indent}${line}`)

/** The lines of a text, its reactions and uploads, indented. */
export function* describeText(text: Text, paper: Paper, indent: SafeText): Generator<SafeText> {
  const width = paper.width - indent.length
  const moved = (line: SafeText) => (line === '' ? line : safe`${indent}${line}`)
  let isBelow = false
  if (text.body?.trim()) {
    for (const line of markdownLines(text.body, { width, styles: paper.styles })) {
      yield moved(line)
      isBelow = true
    }
  }
  for (const foot of footOf(text)) {
    if (isBelow) yield safe``
    isBelow = false
    yield* wrapSpans([{ text: escapeControls(foot) }], width).map(moved)
  }
}

/** `lea-marsh commented, 30 October 2022`. */
export const heading = (
  { author, created_at }: Pick<Text, 'author' | 'created_at'>,
  done: string,
  { bold, dim }: Styles,
): Span[] => [
  { text: escapeControls(authorName(author)), style: bold },
  { text: escapeControls(`${done}, ${dateInWords(created_at)}`), style: dim },
]
