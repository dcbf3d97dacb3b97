import type { Token } from 'markdown-it'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { cutToWidth, displayWidth, padToWidth } from '../display-width.ts'
import { fitWidths } from '../fit-widths.ts'
import type { Styles } from '../styles.ts'
import { PLAIN_STYLES } from '../styles.ts'
import { spansOf } from './inline-spans.ts'

const GAP = safe`  `
const LEAST_WIDTH = 4
/** If cells are not cut, others are padded only to this width. */
const WIDEST_PADDING = 100

/** The lines of a table, fitted to `room` columns. `tokens` are those between its start and end. */
export function renderTable(tokens: readonly Token[], room: number, styles: Styles): SafeText[] {
  const rows: SafeText[][] = []
  for (const { type, children } of tokens) {
    if (type === 'tr_open') rows.push([])
    if (type === 'inline') rows.at(-1)?.push(cellText(children ?? []))
  }
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const wishes = Array.from({ length: columns }, (_, i) => {
    const natural = Math.max(1, ...rows.map((row) => displayWidth(row[i] ?? '')))
    return { natural, least: Math.min(natural, LEAST_WIDTH) }
  })
  const widths = fitWidths(wishes, room - GAP.length * (columns - 1))
  const isCut = Number.isFinite(room)
  const line = (row: readonly SafeText[]) =>
    widths
      .map((width, i) => {
        const cell = row[i] ?? safe``
        return isCut
          ? padToWidth(cutToWidth(cell, width), width, 'right')
          : padToWidth(cell, Math.min(width, WIDEST_PADDING), 'right')
      })
      .join(GAP)
      .trimEnd()
  const rule = widths
    .map((width) => safe`─`.repeat(Math.min(width, isCut ? width : WIDEST_PADDING)))
    .join(GAP)
  const [head = [], ...body] = rows
  return [styles.bold(line(head)), styles.dim(rule), ...body.map(line)]
}

const cellText = (children: readonly Token[]): SafeText =>
  spansOf(children, PLAIN_STYLES)
    .map(({ text }) => text.replaceAll('\n', safe` `))
    .join('')
