import type { Relation } from '../../../database/schema/relation.ts'
import type { SqlValue } from '../../../query/run-query.ts'
import {
  type Browsing,
  COUNTED_ROWS,
  countValues,
  type Facet,
  facetsOf,
  hasRowids,
  PAGE_ROWS,
  selectRows,
} from '../../../reading/browse-table.ts'
import type { Store } from '../../../reading/store.ts'
import { rowsOf, tablesOf } from '../../../reading/tables.ts'
import { answerOf } from '../../../tasks/answer.ts'
import { type Html, html, isolated } from '../../html.ts'
import { localPathOf } from '../../link.ts'
import type { PageRequest, PageResult } from '../../page.ts'
import { dataTable } from '../../parts/data-table.ts'
import { blank, formatNumber, plural } from '../../parts/elements.ts'
import { filterChips, keptFields, withQuery } from '../../parts/query.ts'
import { storeOf, storeQuery } from './shown-store.ts'

/** Before the name of a column in the address: a filter. */
const FILTER = 'is.'
/** Characters of a filter. */
const LONGEST = 1_000

/** A table: its rows a page at a time, sorted and filtered by column, and its columns. */
export async function tablePage(request: PageRequest): Promise<PageResult> {
  const { params, library, query } = request
  const store = storeOf(request)
  const table = store && tablesOf(store).find(({ name }) => name === params.table)
  if (!store || !table) return undefined
  const { name, summary, columns } = table
  const browsing = browsingOf(table, query)
  const withRowids = hasRowids(store, table)
  const [outcome, facets] = await Promise.all([
    askRows(request, store, table, { browsing, withRowids }),
    query.has('facets') ? askFacets(request, store, table, browsing) : undefined,
  ])
  const head = html`<div class="bar-above"><h1><code>${isolated(name)}</code></h1><p class="buttons">${facets === undefined ? html`<a href="${withQuery(request, { facets: '1', after: undefined })}">Count values</a>` : html`<a href="${withQuery(request, { facets: undefined })}">Leave counts out</a>`}<a href="/-/schema${storeQuery(request)}">All tables</a></p></div>
<p class="about">${isolated(summary)}</p>${columnList(table)}${chosen(request, browsing)}`
  if ('message' in outcome) {
    return {
      title: name,
      body: html`${head}${blank('This could not be answered', outcome.message)}`,
    }
  }
  const { rows, next } = pageOf(outcome.rows, { browsing, withRowids })
  const nextPage = next === undefined ? undefined : withQuery(request, { after: String(next) })
  const rowsTable = dataTable(
    { columns: columns.map((column) => column.name), rows },
    `Rows of ${name}`,
    (url) => localPathOf(library, url),
    { headings: headings(request, table, browsing), filters: filterRow(table, browsing) },
  )
  const body = html`${head}${facets}
<div class="change-bar"><h2>${heading(store, table, browsing, rows.length)}</h2></div>
${filterForm(request, table)}${rowsTable}
${pagerOf(request, browsing, nextPage)}`
  return { title: name, body, next: nextPage }
}

/** Links to the first rows and to the next ones; nothing if these are all. */
function pagerOf(request: PageRequest, { after }: Browsing, next: string | undefined): Html {
  if (after === undefined && next === undefined) return html``
  const first = withQuery(request, { after: undefined })
  return html`<nav class="pager" aria-label="Pages"><ul>${after === undefined ? '' : html`<li><a href="${first}">‹ First rows</a></li>`}${next === undefined ? '' : html`<li><a rel="next" href="${next}">Next rows ›</a></li>`}</ul></nav>`
}

/** The filters, order and place that an address names; it may name columns that the table does not have. */
function browsingOf({ columns }: Relation, query: URLSearchParams): Browsing {
  const names = new Set(columns.map(({ name }) => name))
  const filters = new Map<string, string>()
  for (const [parameter, value] of query) {
    const column = parameter.startsWith(FILTER) ? parameter.slice(FILTER.length) : undefined
    if (column !== undefined && names.has(column) && value !== '') {
      filters.set(column, value.slice(0, LONGEST))
    }
  }
  const [column = '', direction] = (query.get('sort') ?? '').split(/:(?=[^:]*$)/)
  const after = query.get('after') ?? ''
  return {
    filters,
    sort: names.has(column) ? { column, isDescending: direction === 'desc' } : undefined,
    after: /^-?\d{1,15}$/.test(after) ? Number(after) : undefined,
  }
}

function askRows(
  { ask }: PageRequest,
  store: Store,
  table: Relation,
  { browsing, withRowids }: { browsing: Browsing; withRowids: boolean },
) {
  const { sql, parameters } = selectRows(table, browsing, withRowids)
  // In the order of the table, no more rows are read than are shown.
  const isPlain = withRowids && browsing.sort === undefined && browsing.filters.size === 0
  return isPlain ? answerOf(store.database, sql, parameters) : ask(store, sql, parameters)
}

/** The rows of a page, and what the next one comes after. */
function pageOf(
  found: readonly (readonly SqlValue[])[],
  { browsing, withRowids }: { browsing: Browsing; withRowids: boolean },
) {
  const page = found.slice(0, PAGE_ROWS)
  const hasMore = found.length > PAGE_ROWS
  if (!withRowids) {
    return { rows: page, next: hasMore ? (browsing.after ?? 0) + PAGE_ROWS : undefined }
  }
  return {
    rows: page.map((row) => row.slice(1)),
    next: hasMore ? Number(page.at(-1)?.[0]) : undefined,
  }
}

function heading(store: Store, table: Relation, browsing: Browsing, count: number): string {
  const isWhole = table.type === 'table' && browsing.filters.size === 0
  if (isWhole) return `${plural(count, 'row')} of ${formatNumber(rowsOf(store, table.name))}`
  return plural(count, 'row')
}

/** Headings that sort: ascending first, then the other way. */
function headings(request: PageRequest, { columns }: Relation, { sort }: Browsing) {
  return columns.map(({ name }) => {
    const isSorted = sort?.column === name
    const next = isSorted && !sort?.isDescending ? `${name}:desc` : `${name}:asc`
    const sign = isSorted ? (sort?.isDescending ? ' ▾' : ' ▴') : ''
    return {
      sort: isSorted ? (sort?.isDescending ? 'descending' : 'ascending') : undefined,
      html: html`<a href="${withQuery(request, { sort: next, after: undefined })}">${isolated(name)}${sign}</a>`,
    }
  })
}

const FORM = 'filters'

/** The form of the filters, whose fields stand in the head of the table. */
function filterForm({ path, query }: PageRequest, { columns }: Relation): Html {
  const names = new Set(columns.map(({ name }) => `${FILTER}${name}`))
  const kept = keptFields(query, (name) => names.has(name) || name === 'after')
  return html`<form id="${FORM}" class="about" action="${path}">${kept}A field below a heading takes a part of a text, or <code>=</code> and all of it. <button type="submit" class="act">Filter</button></form>`
}

const filterRow = ({ columns }: Relation, { filters }: Browsing) =>
  columns.map(
    ({ name }) =>
      html`<input type="text" form="${FORM}" name="${FILTER}${name}" value="${filters.get(name) ?? ''}" aria-label="Filter ${name}" size="8" autocomplete="off">`,
  )

/** The filters and the order that are chosen, each with a link that removes it. */
function chosen(request: PageRequest, { filters, sort }: Browsing): Html {
  const chip = (text: string, parameter: string) => ({
    text: isolated(text),
    without: withQuery(request, { [parameter]: undefined, after: undefined }),
  })
  return filterChips([
    ...[...filters].map(([name, value]) => chip(inWords(name, value), `${FILTER}${name}`)),
    ...(sort ? [chip(`sorted by ${sort.column}`, 'sort')] : []),
  ])
}

function inWords(name: string, value: string): string {
  if (value === '=') return `${name} is NULL`
  return value.startsWith('=') ? `${name} = ${value.slice(1)}` : `${name} has ${value}`
}

async function askFacets(
  request: PageRequest,
  store: Store,
  table: Relation,
  browsing: Browsing,
): Promise<Html> {
  const { sql, parameters } = countValues(table, browsing.filters)
  const outcome = await request.ask(store, sql, parameters)
  if ('message' in outcome) return html`<p class="about">${outcome.message}</p>`
  const facets = facetsOf(table, outcome.rows)
  if (facets.length === 0) return html`<p class="about">No column has few values.</p>`
  const isAll = table.type === 'table' && rowsOf(store, table.name) <= COUNTED_ROWS
  return html`<section class="facets" aria-label="Values"><h2 class="about">Values${isAll ? '' : ` of the first ${formatNumber(COUNTED_ROWS)} rows`}</h2><ul>${facets.map((facet) => facetList(request, facet))}</ul></section>`
}

const facetList = (request: PageRequest, { column, values }: Facet): Html =>
  html`<li><h3><code>${isolated(column)}</code></h3><ul class="plain">${values.map(
    ({ value, count }) => {
      const filter = { [`${FILTER}${column}`]: `=${value ?? ''}`, after: undefined }
      // An empty text cannot be told from NULL in an address.
      const text = value === null ? html`<span class="muted">NULL</span>` : isolated(value)
      return html`<li>${value === '' ? html`<span class="muted">empty</span>` : html`<a href="${withQuery(request, filter)}">${text}</a>`} <span class="counter">${formatNumber(count)}</span></li>`
    },
  )}</ul></li>`

const columnList = ({ columns }: Relation): Html =>
  html`<details class="box statement"><summary>${plural(columns.length, 'column')}</summary><section class="scroll" tabindex="0" aria-label="Columns"><table class="data"><thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col">What it holds</th></tr></thead><tbody>
${columns.map((column) => html`<tr><td><code>${isolated(column.name)}</code></td><td>${column.type.split(' ')[0]}</td><td>${isolated(column.description)}</td></tr>\n`)}</tbody></table></section></details>`
