import { quoteName } from '../../../database/quote.ts'
import { rowsOf, tablesOf } from '../../../reading/tables.ts'
import { answerOf } from '../../answer.ts'
import { html, isolated } from '../../html.ts'
import { localPathOf } from '../../link.ts'
import type { PageRequest, PageResult } from '../../page.ts'
import { dataTable } from '../../parts/data-table.ts'
import { formatNumber, plural } from '../../parts/elements.ts'
import { storeChooser, storeOf, storeQuery } from './shown-store.ts'

/** Rows of a table that its page shows. */
const SHOWN = 100

/** All tables and views, with their descriptions and numbers of rows. */
export function schemaPage(request: PageRequest): PageResult {
  const store = storeOf(request)
  if (!store) return undefined
  const tables = tablesOf(store)
  const db = storeQuery(request)
  const body = html`<div class="bar-above"><h1>${plural(tables.length, 'table')}</h1><p class="buttons">${request.isStatic ? '' : html`<a href="/-/sql${db}">SQL</a> `}<a href="/-/questions${db}">Questions</a></p></div>
${storeChooser(request)}<section class="scroll box" tabindex="0" aria-label="Tables"><table class="data"><thead><tr><th scope="col">Table</th><th scope="col">What it holds</th><th scope="col" class="num">Rows</th></tr></thead><tbody>
${tables.map(({ name, type, summary }) => {
  // Views may take long to count.
  const rows = type === 'table' ? rowsOf(store, name) : undefined
  return html`<tr><td><a href="/-/schema/${encodeURIComponent(name)}${db}"><code>${isolated(name)}</code></a></td><td>${isolated(summary)}</td><td class="num">${rows === undefined ? 'view' : formatNumber(rows)}</td></tr>\n`
})}</tbody></table></section>`
  return { title: 'Tables', body }
}

/** The columns of a table, and its first rows. */
export async function tablePage(request: PageRequest): Promise<PageResult> {
  const { params, library } = request
  const store = storeOf(request)
  const table = store && tablesOf(store).find(({ name }) => name === params.table)
  if (!store || !table) return undefined
  const { name, summary, columns } = table
  const sql = `SELECT * FROM ${quoteName(name)} LIMIT ${SHOWN}`
  const outcome =
    table.type === 'table' ? answerOf(store.database, sql, {}) : await request.ask(store, sql, {})
  const rows =
    'message' in outcome
      ? html`<p class="about">${outcome.message}</p>`
      : dataTable(outcome, `Rows of ${name}`, (url) => localPathOf(library, url))
  const body = html`<div class="bar-above"><h1><code>${isolated(name)}</code></h1><p class="buttons"><a href="/-/schema${storeQuery(request)}">All tables</a></p></div>
<p class="about">${isolated(summary)}</p>
<section class="scroll box" tabindex="0" aria-label="Columns"><table class="data"><thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col">What it holds</th></tr></thead><tbody>
${columns.map((column) => html`<tr><td><code>${isolated(column.name)}</code></td><td>${column.type.split(' ')[0]}</td><td>${isolated(column.description)}</td></tr>\n`)}</tbody></table></section>
<h2 class="about">First rows</h2>${rows}`
  return { title: name, body }
}
