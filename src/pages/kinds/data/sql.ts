import { html, isolated } from '../../html.ts'
import { localPathOf } from '../../link.ts'
import type { PageRequest, PageResult } from '../../page.ts'
import { plural } from '../../parts/elements.ts'
import { AGAIN } from '../find-in.ts'
import { answerView, sendAnswer } from './show-answer.ts'
import { askedChooser, askedOf, notAnswered, tablesAsked } from './shown-store.ts'

/** Characters of a statement in an address. */
const LONGEST = 16_384

/** A statement that only reads, and its answer. */
export async function sqlPage(request: PageRequest): Promise<PageResult> {
  const { query, path, library } = request
  const asked = askedOf(request)
  if (!asked) return undefined
  const sql = (query.get('sql') ?? '').slice(0, LONGEST)
  const outcome = sql.trim() === '' ? undefined : await asked.ask(sql, {})
  const format = query.get('format')
  if (outcome && 'rows' in outcome && (format === 'csv' || format === 'json')) {
    return sendAnswer(outcome, format, 'answer')
  }
  const db = query.get('db')
  const here = `${path}?${new URLSearchParams({ ...(db !== null && { db }), sql })}`
  const answer =
    outcome === undefined
      ? html`<p class="about">One statement that reads. It may take ten seconds; the first 10,000 rows are shown.</p>`
      : 'rows' in outcome
        ? answerView(outcome, {
            name: 'Answer',
            here,
            request,
            link: (url) => localPathOf(library, url),
          })
        : notAnswered(outcome)
  const tables = tablesAsked(request, asked)
  const schema = `/-/schema`
  const body = html`<div class="bar-above"><h1>SQL</h1><p class="buttons"><a href="/-/questions${asked.db}">Saved questions</a></p></div>
${askedChooser(request, asked)}<div class="columns"><div class="main-column"><form class="sql" action="${path}">${db === null ? '' : html`<input type="hidden" name="db" value="${db}">`}<textarea name="sql" rows="6" spellcheck="false" aria-label="Statement" maxlength="${LONGEST}">${sql || 'SELECT user_login, count(*) AS threads FROM threads GROUP BY 1 ORDER BY 2 DESC'}</textarea><button type="submit">Run</button></form>
${answer}</div>
<aside aria-label="Tables"><section class="tables" tabindex="0" aria-label="All tables"><h2>${plural(tables.length, 'table')}</h2><ul class="plain">${tables.map(({ name, columns, ...table }) => html`<li><details><summary><code>${isolated(name)}</code></summary><p class="meta"><a href="${schema}/${encodeURIComponent(name)}${table.db}">What it holds</a>: ${isolated(columns.join(', '))}</p></details></li>`)}</ul></section></aside></div>`
  return { title: 'SQL', body, ...(outcome && 'part' in outcome && { again: AGAIN }) }
}
