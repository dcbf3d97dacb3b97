import type { Text } from '../../thread/thread.ts'
import type { Io } from '../io.ts'
import { displayWidth } from '../output/display-width.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { renderMarkdown } from '../output/markdown/render-markdown.ts'
import { type Styles, stylesFor } from '../output/styles.ts'
import { type Span, wrapSpans } from '../output/wrap-spans.ts'
import { dateInWords } from './date-words.ts'
import { footOf, nameOf } from './facts.ts'

/** Lines that are longer are hard to read. */
const WIDEST = 100

/** The page that a thread is written on. */
export interface Paper {
  width: number
  styles: Styles
}

export const paperFor = ({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Paper => ({
  width: Math.min(stdout.columns || 80, WIDEST),
  styles: stylesFor(stdout, env),
})

export const wrapped = ({ width }: Paper, spans: readonly Span[], indent = ''): string[] =>
  wrapSpans(spans, width - displayWidth(indent)).map((line) => indent + line)

/** A text, and what stands below it, moved to the right. */
export function describeText(text: Text, paper: Paper, indent: string): string[] {
  const width = paper.width - indent.length
  const body = text.body?.trim() ? renderMarkdown(text.body, { width, styles: paper.styles }) : []
  const foot = footOf(text).flatMap((line) => wrapSpans([{ text: escapeControls(line) }], width))
  const between = body.length > 0 && foot.length > 0 ? [''] : []
  return [...body, ...between, ...foot].map((line) => (line === '' ? '' : indent + line))
}

/** `lea-marsh, 30 October 2022`, with what was done between. */
export const heading = (
  { author, created_at }: Pick<Text, 'author' | 'created_at'>,
  done: string,
  { bold, dim }: Styles,
): Span[] => [
  { text: escapeControls(nameOf(author)), style: bold },
  { text: escapeControls(`${done}, ${dateInWords(created_at)}`), style: dim },
]
