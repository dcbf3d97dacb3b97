import { rowsOf, tablesOf } from '../../../reading/tables.ts'
import { html, isolated } from '../../html.ts'
import type { PageRequest, PageResult } from '../../page.ts'
import { formatNumber, plural } from '../../parts/elements.ts'
import { storeChooser, storeOf, storeQuery } from './shown-store.ts'

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
