import { ArchiveError } from '../../../base/errors.ts'
import { hasRelation } from '../../../database/schema/schema.ts'
import type { SavedQuery } from '../../../query/parse-saved-query.ts'
import type { SqlValue } from '../../../query/run-query.ts'
import { valuesOf } from '../../../query/saved-parameters.ts'
import { type NamedQuery, readQueries, SHIPPED_QUERIES } from '../../../query/saved-queries.ts'
import { namesFor, namesInAll } from '../../../reading/databases/resolve-name.ts'
import type { Store } from '../../../reading/store.ts'
import { type Html, html, isolated } from '../../html.ts'
import { icon } from '../../icons.ts'
import { localPathOf } from '../../link.ts'
import type { PageRequest, PageResult, PageView, SiteLink } from '../../page.ts'
import { blank } from '../../parts/elements.ts'
import { AGAIN } from '../find-in.ts'
import { answerView, sendAnswer } from './show-answer.ts'
import { askedChooser, askedOf, notAnswered } from './shown-store.ts'

let known: NamedQuery[] | undefined

/** The saved questions of this program. */
export function savedQuestions(): readonly NamedQuery[] {
  known ??= readQueries(SHIPPED_QUERIES)
  return known
}

/** All saved questions. */
export function questionsPage(request: PageRequest): PageResult {
  const asked = askedOf(request)
  if (!asked) return undefined
  const { db } = asked
  const body = html`<div class="bar-above"><h1>Questions</h1>${request.isStatic ? '' : html`<p class="buttons"><a href="/-/sql${db}">${icon('database')} Ask in SQL</a> <a href="/-/schema${db}">${icon('table')} Tables</a></p>`}</div>
${askedChooser(request, asked)}<ul class="rows box">${savedQuestions().map(({ name, summary }) => html`<li class="row-commit"><div><h2><a href="/-/questions/${encodeURIComponent(name)}${db}">${isolated(summary)}</a></h2><p class="meta"><code>${name}</code></p></div></li>`)}</ul>`
  return { title: 'Questions', body }
}

/** A saved question with its answer: a form for its parameters, a chart, a table, CSV and JSON. */
export async function questionPage(request: PageRequest): Promise<PageResult> {
  const { params, query, isStatic, library, path } = request
  const asked = askedOf(request)
  const question = savedQuestions().find(({ name }) => name === params.name)
  if (!question || !asked) return undefined
  const { summary, needs, sql, name } = question
  const given = givenIn(question, query)
  const head = html`<div class="bar-above"><h1>${isolated(summary)}</h1><p class="buttons"><a href="/-/questions${asked.db}">All questions</a></p></div>
${askedChooser(request, asked)}${isStatic ? defaults(question) : form(question, query, path)}`
  const show = (content: Html, status = 200): PageView => ({
    title: summary,
    body: html`${head}${content}${statement(sql)}`,
    status,
  })
  if (needs && !asked.stores.some(({ database }) => hasRelation(database, needs.table))) {
    return show(blank('There is nothing to ask yet', `Run this first: ${needs.command}`))
  }
  if (given === undefined) {
    return show(
      blank(
        isStatic ? 'This question needs a value' : 'Give the values above',
        isStatic ? 'marc serve answers it for any.' : '',
      ),
    )
  }
  const values = await checked(given, question, asked.stores)
  if (values instanceof ArchiveError) {
    const { message, meant } = values
    const text = meant === undefined ? message : `${message}; did you mean ${meant}?`
    return show(blank('These values cannot be asked for', text), 422)
  }
  const outcome = await asked.ask(sql, values)
  if ('message' in outcome) return show(notAnswered(outcome))
  if ('part' in outcome) return { ...show(notAnswered(outcome)), again: AGAIN }
  const format = query.get('format')
  if (format === 'csv' || format === 'json') return sendAnswer(outcome, format, name)
  const here = isStatic ? path : `${path}?${withoutFormat(query)}`
  return show(
    answerView(outcome, {
      name: summary,
      here,
      request,
      link: (url) => localPathOf(library, url),
    }),
  )
}

function withoutFormat(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  rest.delete('format')
  return rest
}

/** Values from the address; undefined if a required one is missing. */
function givenIn(
  { parameters }: Pick<SavedQuery, 'parameters'>,
  query: URLSearchParams,
): Record<string, string> | undefined {
  const given = parameters.flatMap(({ name }): [string, string][] => {
    const typed = query.get(name)
    return typed === null || typed === '' ? [] : [[name, typed]]
  })
  const values = Object.fromEntries(given)
  const isMissing = parameters.some((one) => one.standard === undefined && !(one.name in values))
  return isMissing ? undefined : values
}

/** The values of all parameters, or what is wrong with one, as on the command line. */
const checked = (
  given: Record<string, string>,
  question: SavedQuery,
  stores: readonly Store[],
): Promise<Record<string, SqlValue> | ArchiveError> =>
  valuesOf(given, question, async () =>
    namesFor(namesInAll(stores.map(({ database }) => database))),
  ).catch((error: unknown) => {
    if (error instanceof ArchiveError) return error
    throw error
  })

function form({ parameters }: SavedQuery, query: URLSearchParams, path: string): Html {
  if (parameters.length === 0) return html``
  const db = query.get('db')
  return html`<form class="asked" action="${path}">${db === null ? '' : html`<input type="hidden" name="db" value="${db}">`}${parameters.map(
    ({ name, description, standard }) =>
      html`<label><span><b>${name.replaceAll('_', ' ')}</b> <span class="muted">${description}</span></span><input type="text" name="${name}" value="${query.get(name) ?? ''}" placeholder="${standard === undefined || standard === null ? '' : String(standard)}"></label>`,
  )}<button type="submit">Ask</button></form>`
}

const defaults = ({ parameters }: SavedQuery): Html =>
  parameters.length === 0
    ? html``
    : html`<p class="about">With ${parameters.map(({ name, standard }) => `${name} = ${standard === null || standard === undefined ? 'any' : standard}`).join(', ')}. marc serve asks with other values.</p>`

const statement = (sql: string): Html =>
  html`<details class="box statement"><summary>The statement</summary><section class="scroll" tabindex="0" aria-label="SQL"><pre class="record">${sql}</pre></section></details>`

/** In a site, the answer to a question is also there as CSV and JSON. */
export function questionInSite({ query, params }: PageRequest, file: string): SiteLink {
  const format = query.get('format')
  if (format !== 'csv' && format !== 'json') return { file }
  const name = `${params.name}.${format}`
  return { file: `-/questions/${name}`, download: name }
}
