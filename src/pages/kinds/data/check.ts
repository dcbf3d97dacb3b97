import { type ImportLine, importTable } from '../../../conformance/checks/importer.ts'
import { html, isolated } from '../../html.ts'
import type { PageRequest, PageResult } from '../../page.ts'
import { blank, formatNumber, plural } from '../../parts/elements.ts'
import { storeChooser, storeOf } from './shown-store.ts'

/** The findings of `marc check`. It runs on request: a check of a large archive takes minutes. */
export async function checkPage(request: PageRequest): Promise<PageResult> {
  const { query, path } = request
  const store = storeOf(request)
  if (!store) return undefined
  const db = query.get('db')
  const title = 'Check'
  if (query.get('run') !== '1') {
    const body = html`<div class="bar-above"><h1>Check</h1></div>
${storeChooser(request)}<p class="about">Would an importer accept these archives? This looks at every record, file and Git object, and may take minutes.</p>
<form action="${path}">${db === null ? '' : html`<input type="hidden" name="db" value="${db}">`}<input type="hidden" name="run" value="1"><button type="submit" class="act">Check the archives</button></form>`
    return { title, body }
  }
  const outcome = await request.check(store)
  if (outcome === 'running') {
    const body = html`<div class="bar-above"><h1>Check</h1></div><div class="blank" data-again><h2>The check is running</h2><p><a href="${path}?${String(query)}">Look again</a> in a moment.</p></div>`
    return { title, body }
  }
  if ('message' in outcome) {
    return {
      title,
      body: html`<div class="bar-above"><h1>Check</h1></div>${blank('The check failed', outcome.message)}`,
    }
  }
  const { ok, checks, git, findings, incomplete, importer } = outcome
  const body = html`<div class="bar-above"><h1>${ok ? 'An importer would accept this' : 'An importer may refuse this'}</h1></div>
<p class="about">${plural(checks, 'check')} · ${plural(findings.length, 'finding')}${incomplete.length === 0 ? '' : ` · ${plural(incomplete.length, 'check')} could not look at everything`} · Git data of ${plural(git.repositories, 'repository', 'repositories')} verified${git.unverified === null ? '' : `, other Git data not: ${git.unverified}`}</p>
${findings.length === 0 ? blank('Nothing was found') : html`<div class="box">${findings.map(({ code, severity, summary, count, places }) => html`<details class="finding"><summary><span class="pill-${severity === 'error' ? 'note' : 'line'}">${severity}</span> <code>${code}</code> ${isolated(summary)} <span class="muted">${formatNumber(count)}</span></summary><ul>${places.map((place) => html`<li>${isolated(place)}</li>`)}</ul></details>`)}</div>`}
${incomplete.length === 0 ? '' : html`<h2 class="about">Not looked at</h2><ul class="box rows">${incomplete.map(({ code, why }) => html`<li class="row-commit"><div><code>${code}</code> ${isolated(why)}</div></li>`)}</ul>`}
${importView(importer)}`
  return { title, body }
}

/** What becomes of each kind in an import. */
function importView(lines: readonly ImportLine[]) {
  const { columns, rows } = importTable(lines)
  const isNumber = (column: number) => column >= 1 && column <= 4
  const cell = (value: string | number | null) =>
    typeof value === 'number' ? formatNumber(value) : isolated(value ?? '')
  return html`<h2 class="about">What the GitHub Enterprise Importer takes</h2>
<section class="scroll box" tabindex="0" aria-label="What an importer takes"><table class="data"><thead><tr>${columns.map((name, i) => html`<th scope="col"${isNumber(i) ? html` class="num"` : ''}>${name}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((value, i) => html`<td${isNumber(i) ? html` class="num"` : ''}>${cell(value)}</td>`)}</tr>`)}</tbody></table></section>`
}
