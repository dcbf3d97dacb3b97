import type { Repository } from '../../../reading/library.ts'
import { Memo } from '../../../reading/store.ts'
import { type Html, html, isolated } from '../../html.ts'
import { inRepository, type PageRequest, type PageResult } from '../../page.ts'
import { chart } from '../../parts/chart.ts'
import { blank } from '../../parts/elements.ts'
import { savedQuestions } from './questions.ts'

/** Questions whose charts a repository shows, in this order. */
const CHARTS = [
  'activity-by-month',
  'backlog-by-month',
  'reviewers',
  'labels-in-use',
  'people-by-activity',
  'time-to-merge',
]

/** Charts of a repository, from the saved questions that take one. */
export const pulsePage = inRepository(async (repository, request): Promise<PageResult> => {
  const sections = await Promise.all(CHARTS.map((name) => sectionOf(name, repository, request)))
  const parts = sections.filter((section) => section !== undefined)
  const body = html`<div class="bar-above"><h1>Charts</h1></div>
${parts.length === 0 ? blank('There is nothing to draw yet') : html`<div class="pulses">${parts}</div>`}`
  return { title: 'Charts', body, repository, tab: 'charts' }
})

/** A question with its chart; undefined if it could not be answered, or has nothing to draw. */
async function sectionOf(
  name: string,
  { store, fullName }: Repository,
  { ask, library, isStatic }: PageRequest,
): Promise<Html | undefined> {
  const question = savedQuestions().find((one) => one.name === name)
  const parameter = question?.parameters.find(({ type }) => type === 'repository')
  if (!question || !parameter) return undefined
  const standards = question.parameters.map(({ name, standard = null }) => [name, standard])
  const values = { ...Object.fromEntries(standards), [parameter.name]: fullName }
  const key = `${name} ${fullName}`
  let drawn = store.recall(DRAWN, key)
  if (!drawn) {
    const outcome = await ask(store, question.sql, values)
    if ('message' in outcome) return undefined
    drawn = store.remember(DRAWN, key, () => chart(outcome))
  }
  if (String(drawn) === '') return undefined
  const to = `/-/questions/${name}?${parameter.name}=${encodeURIComponent(fullName)}`
  const title = isolated(question.summary)
  return html`<section class="box pulse"><h2>${library.audience === 'all' && !isStatic ? html`<a href="${to}">${title}</a>` : title}</h2>${drawn}</section>`
}

/** Charts take less room than the answers that they show the first rows of. */
const DRAWN = new Memo<Html>((drawn) => 2 * String(drawn).length)
