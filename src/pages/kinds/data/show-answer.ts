import type { Answer } from '../../../tasks/answer.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { PageFile, PageRequest } from '../../page.ts'
import { type ChartChoice, chart, chartForm } from '../../parts/chart.ts'
import { csvOf, dataTable, jsonOf, type LinkCell } from '../../parts/data-table.ts'
import { blank, plural } from '../../parts/elements.ts'
import { savingHeaders } from '../../served-bytes.ts'

/** An answer: the number of rows, links to CSV and JSON, a chart if there is something to draw, and a table. */
export function answerView(
  answer: Answer,
  {
    name,
    here,
    request,
    link,
  }: { name: string; here: string; request: PageRequest; link: LinkCell },
): Html {
  const { rows, isCut, milliseconds } = answer
  const { isStatic, path, query } = request
  const choice = isStatic ? {} : choiceOf(answer, query)
  const join = here.includes('?') ? '&' : '?'
  // A file says the same on any day.
  const time = isStatic ? '' : ` in ${milliseconds < 1 ? '1' : Math.round(milliseconds)} ms`
  const count = `${plural(rows.length, 'row')}${isCut ? ' and more, or longer texts' : ''}${time}`
  return html`<div class="change-bar"><h2>${count}</h2><p class="buttons"><a href="${here}${join}format=csv">${icon('download')} CSV</a> <a href="${here}${join}format=json">${icon('download')} JSON</a></p></div>
${isStatic ? '' : chartForm(answer, choice, { path, query })}${chart(answer, choice)}${rows.length === 0 ? blank('No rows') : dataTable(answer, name, link)}`
}

/** The columns that an address names, if the answer has them. */
function choiceOf({ columns }: Answer, query: URLSearchParams): ChartChoice {
  const named = (parameter: string) => columns.find((column) => column === query.get(parameter))
  return { x: named('x'), y: named('y') }
}

/** An answer as a file to save. */
export function sendAnswer(answer: Answer, format: 'csv' | 'json', name: string): PageFile {
  const text = format === 'csv' ? csvOf(answer) : jsonOf(answer)
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json'
  return { type, bytes: Buffer.from(text), headers: savingHeaders(`${name}.${format}`) }
}
