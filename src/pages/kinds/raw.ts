import { findRecord } from '../../database/rows/read-record.ts'
import type { Library } from '../../reading/library.ts'
import { cut, type Html, html, isolated, LONGEST_NAME, shown } from '../html.ts'
import { icon } from '../icons.ts'
import { localPathOf } from '../link.ts'
import type { PageRequest, PageResult } from '../page.ts'
import { formatNumber } from '../parts/elements.ts'

/** A record as in the archive; what it refers to is a link. */
export function rawPage({ library, query }: PageRequest): PageResult {
  const url = query.get('url') ?? ''
  if (url === '') return undefined
  for (const store of library.stores) {
    const record = findRecord(store.database, url)
    if (!record) continue
    const page = localPathOf(library, url)
    const body = html`<div class="bar-above"><h1>Record</h1>${page === undefined ? '' : html`<a href="${page}">${icon('eye')} Read it as a page</a>`}</div>
<p class="about">${isolated(url)}</p>
<div class="box"><section class="scroll" tabindex="0" aria-label="The record as JSON"><pre class="record">${jsonHtml(record, { library, room: LONGEST_RECORD }, 0)}</pre></section></div>`
    return { title: 'Record', body }
  }
  return undefined
}

/** Characters of a text in a record. */
const LONGEST_TEXT = 262_144
/** Characters of names and values of a record, roughly: what follows is left out. */
const LONGEST_RECORD = 2 ** 20
/** Nested deeper, JSON is printed as it is. */
const DEEPEST = 60

/** Where a record is printed, and how many characters of it still are. */
interface Print {
  readonly library: Library
  room: number
}

function jsonHtml(value: unknown, print: Print, depth: number): Html {
  if (depth > DEEPEST) {
    const text = JSON.stringify(value)
    print.room -= text.length
    return html`${shown(cut(text, LONGEST_TEXT))}`
  }
  if (typeof value === 'string') return stringHtml(value, print)
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value) ?? String(value)
    print.room -= text.length
    return html`<span class="hl-literal">${text}</span>`
  }
  if (Array.isArray(value))
    return listHtml(value, '[]', depth, (item) => jsonHtml(item, print, depth + 1), print)
  return listHtml(
    Object.entries(value),
    '{}',
    depth,
    ([name, item]) =>
      html`<span class="hl-name">${shown(JSON.stringify(cut(name, LONGEST_NAME)))}</span>: ${jsonHtml(item, print, depth + 1)}`,
    print,
  )
}

/** The items of a list or the members of an object, each on a line, as long as there is room. */
function listHtml<Item>(
  items: readonly Item[],
  [open, close]: string,
  depth: number,
  show: (item: Item) => Html,
  print: Print,
): Html {
  if (items.length === 0) return html`${open}${close}`
  const pad = '  '.repeat(depth + 1)
  const lines: Html[] = []
  for (const [i, item] of items.entries()) {
    if (print.room <= 0) {
      lines.push(html`${pad}${leftOut(items.length - i, 'lines')}\n`)
      break
    }
    print.room -= 20
    lines.push(html`${pad}${show(item)}${i < items.length - 1 ? ',' : ''}\n`)
  }
  return html`${open}\n${lines}${'  '.repeat(depth)}${close}`
}

const leftOut = (count: number, noun: string): Html =>
  html`<span class="muted">… and ${formatNumber(count)} more ${noun}: <code>marc cat</code> prints them</span>`

function stringHtml(text: string, print: Print): Html {
  const { library } = print
  const rest = text.length - LONGEST_TEXT
  print.room -= Math.min(text.length, LONGEST_TEXT)
  if (rest > 0) {
    return html`<span class="hl-string">${shown(JSON.stringify(text.slice(0, LONGEST_TEXT)).slice(0, -1))}</span> ${leftOut(rest, 'characters')}`
  }
  const printed = shown(JSON.stringify(text))
  const path =
    /^https?:\/\/\S+$/.test(text) && text.length < 2048 ? localPathOf(library, text) : undefined
  return path === undefined
    ? html`<span class="hl-string">${printed}</span>`
    : html`<a href="${path}">${printed}</a>`
}
