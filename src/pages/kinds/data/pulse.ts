import { html, isolated } from '../../html.ts'
import { inRepository, type PageResult } from '../../page.ts'
import { chart } from '../../parts/chart.ts'
import { blank } from '../../parts/elements.ts'
import { parametersOf, savedQuestions } from './questions.ts'

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
  const { store, fullName } = repository
  const { ask, library, isStatic } = request
  const parts = []
  for (const wanted of CHARTS) {
    const question = savedQuestions().find(({ name }) => name === wanted)
    const parameter = question?.parameters.find(({ type }) => type === 'repository')
    if (!question || !parameter) continue
    const values = parametersOf(question, new URLSearchParams({ [parameter.name]: fullName }))
    const outcome = values && (await ask(store, question.sql, values))
    if (!outcome || 'message' in outcome) continue
    const drawn = chart(outcome)
    if (String(drawn) === '') continue
    const to = `/-/questions/${wanted}?${parameter.name}=${encodeURIComponent(fullName)}`
    const title = isolated(question.summary)
    parts.push(
      html`<section class="box pulse"><h2>${library.audience === 'all' && !isStatic ? html`<a href="${to}">${title}</a>` : title}</h2>${drawn}</section>`,
    )
  }
  const body = html`<div class="bar-above"><h1>Charts</h1></div>
${parts.length === 0 ? blank('There is nothing to draw yet') : html`<div class="pulses">${parts}</div>`}`
  return { title: 'Charts', body, repository, tab: 'charts' }
})
