import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
type StringWidth = typeof import('string-width').default

// Created on demand: loading the tables of Unicode takes longer than many commands.
let stringWidth: StringWidth | undefined
let segmenter: Intl.Segmenter | undefined

// Latin, Greek, Cyrillic and typographic punctuation: one column a code unit. Segmenting graphemes
// is fifty times slower, and most text needs none of it.
const NARROW =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e]*$/
const ELLIPSIS = '…'

/** The columns of a terminal; a pipe takes lines of any length. */
export const columnsOf = ({
  isTTY,
  columns,
}: {
  isTTY?: boolean | undefined
  columns?: number | undefined
}): number => (isTTY ? columns || 80 : Number.POSITIVE_INFINITY)

/** The graphemes of a text, which people see as characters. */
export function* graphemes<Text extends string>(text: Text): Generator<Text> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment as Text
}

/** Columns of a terminal that a text without control characters takes. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += widthOf(grapheme)
  return width
}

/** Known widths: string-width takes up to 0.1 ms per grapheme, and texts repeat graphemes. */
const measured = new Map<string, number>()
const MOST_MEASURED = 10_000

function widthOf(grapheme: string): number {
  const known = measured.get(grapheme)
  if (known !== undefined) return known
  stringWidth ??= require('string-width').default as StringWidth
  const width = stringWidth(grapheme)
  if (measured.size >= MOST_MEASURED) measured.clear()
  // A letter may have a million combining marks.
  if (grapheme.length <= 32) measured.set(grapheme, width)
  return width
}

/** The text, cut and followed by `…` if it takes more than `width` columns. */
export function cutToWidth<Text extends string>(text: Text, width: number): Text {
  if (displayWidth(text) <= width) return text
  if (NARROW.test(text)) {
    return (text.slice(0, Math.max(0, width - 1)) + ELLIPSIS) as Text
  }
  let kept = ''
  let room = width - 1
  for (const grapheme of graphemes(text)) {
    room -= displayWidth(grapheme)
    if (room < 0) break
    kept += grapheme
  }
  return (kept + ELLIPSIS) as Text
}

/** Pads with spaces to `width` columns. */
export function padToWidth<Text extends string>(
  text: Text,
  width: number,
  side: 'left' | 'right',
): Text {
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return (side === 'left' ? padding + text : text + padding) as Text
}
