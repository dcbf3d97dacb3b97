import type { SqlValue } from '../../query/run-query.ts'
import type { Answer } from '../../tasks/answer.ts'
import { cut, type Html, html, isolated, shown } from '../html.ts'
import { formatNumber } from './elements.ts'

/** Rows that a page shows; CSV and JSON have all of an answer. */
const SHOWN = 1_000
/** Columns that paper has room for. */
const FEW_COLUMNS = 8
/** Characters of a cell. */
const LONGEST = 400

/** The addresses that cells link to. */
export type LinkCell = (url: string) => string | undefined

/** The head of a table that sorts and filters. */
export interface TableHead {
  /** Headings in place of the names, and in which direction one sorts. */
  readonly headings: readonly { readonly html: Html; readonly sort?: string | undefined }[]
  /** A second row, below the headings. */
  readonly filters: readonly Html[]
}

/** Rows as a table; urls of records lead to their pages. */
export function dataTable(
  { columns, rows }: Pick<Answer, 'columns' | 'rows'>,
  name: string,
  link: LinkCell,
  head?: TableHead,
): Html {
  const isWide = columns.length > FEW_COLUMNS
  /** On paper a cell of a wide table says itself which column it is of. */
  const columnOf = (i: number) => (isWide ? html` data-column="${columns[i] ?? ''}"` : '')
  const classes = columns.map((_, i) => classOf(rows.slice(0, SHOWN).map((row) => row[i])))
  return html`<section class="scroll box" tabindex="0" aria-label="${name}"><table class="${isWide ? 'data many' : 'data'}"><thead><tr>${columns.map(
    (column, i) => {
      const { html: heading = isolated(column), sort } = head?.headings[i] ?? {}
      return html`<th scope="col"${classes[i] === '' ? '' : html` class="${classes[i]}"`}${sort && html` aria-sort="${sort}"`}>${heading}</th>`
    },
  )}</tr>${head && html`<tr>${head.filters.map((filter) => html`<td>${filter}</td>`)}</tr>`}</thead><tbody>
${rows.slice(0, SHOWN).map((row) => html`<tr>${row.map((value, i) => (isNumeric(value) ? html`<td class="num"${columnOf(i)}>${printNumber(value)}</td>` : html`<td${columnOf(i)}>${cell(value, link)}</td>`))}</tr>\n`)}</tbody></table></section>
${rows.length > SHOWN ? html`<p class="note-line">The first ${formatNumber(SHOWN)} rows of ${formatNumber(rows.length)} are shown.</p>` : ''}`
}

/** If texts broke anywhere, columns of a wide table would be one letter wide. */
function classOf(values: readonly (SqlValue | undefined)[]): string {
  if (values.some(isNumeric)) return 'num'
  const longest = values.reduce<number>(
    (most, value) => (typeof value === 'string' ? Math.max(most, value.length) : most),
    0,
  )
  return longest > 60 ? 'much' : longest > 16 ? 'some' : ''
}

const isNumeric = (value: SqlValue | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

// Without separators: most numbers of an archive are identifiers.
const printNumber = (value: number | bigint): string => String(value)

function cell(value: SqlValue, link: LinkCell): Html {
  if (value === null) return html`<span class="muted">–</span>`
  const text = String(value)
  if (/^https?:\/\/\S{1,500}$/.test(text)) {
    const path = link(text)
    if (path !== undefined) return html`<a href="${path}">${isolated(text)}</a>`
  }
  return html`<span dir="auto">${shown(cut(text, LONGEST))}</span>`
}

/** Rows as CSV (RFC 4180); a cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvOf({ columns, rows }: Pick<Answer, 'columns' | 'rows'>): string {
  const line = (values: readonly SqlValue[]) =>
    `${values.map((value) => quote(value === null ? '' : typeof value === 'string' ? unformulate(value) : String(value))).join(',')}\n`
  return [columns, ...rows].map(line).join('')
}

const unformulate = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const quote = (text: string): string =>
  /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text

/** Rows as JSON, an object each; integers that a double cannot hold are texts. */
export function jsonOf({ columns, rows }: Pick<Answer, 'columns' | 'rows'>): string {
  const plain = (value: SqlValue) =>
    typeof value === 'bigint'
      ? Number.isSafeInteger(Number(value))
        ? Number(value)
        : String(value)
      : value
  const objects = rows.map((row) =>
    JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, plain(row[i] ?? null)]))),
  )
  return `[${objects.join(',\n')}]\n`
}
