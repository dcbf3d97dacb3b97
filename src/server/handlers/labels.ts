import { notFound } from '../http/http-error.ts'
import type { Handler } from '../request-context.ts'
import { findLabel, labelUrls, toLabel, toMilestone } from '../resources/labels.ts'
import { inRepository, numberInPath, readerOf, renderingOf } from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

/** The labels that a repository has, in the order of its record. */
export const repositoryLabels: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const urls = labelUrls(rendering, repository)
  const items = (offset: number, limit: number) =>
    urls.slice(offset, offset + limit).map((url) => toLabel(rendering, repository, url))
  return { status: 200, list: { total: urls.length, items } }
})

export const label: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const url = findLabel(rendering, repository, context.params.label_name ?? '')
  if (url === undefined) throw notFound()
  return { status: 200, body: toLabel(rendering, repository, url) }
})

/** The milestones of a repository, open ones unless others are asked for. */
export const repositoryMilestones: Handler = inRepository((context, repository) => {
  const parameters = new ListParameters(context.query, 'Milestone')
  const state = parameters.word('state', ['open', 'closed', 'all'])
  const sort = parameters.word('sort', ['due_on', 'completeness'])
  const direction = parameters.word('direction', ['asc', 'desc'])
  parameters.check()
  const rendering = renderingOf(context)
  const ids = rendering.reader.milestones.list(repository, { state, sort, direction })
  const items = (offset: number, limit: number) =>
    [...ids.subarray(offset, offset + limit)].flatMap(
      (id) => toMilestone(rendering, repository, id) ?? [],
    )
  return { status: 200, list: { total: ids.length, items } }
})

export const milestone: Handler = inRepository((context, repository) => {
  const number = numberInPath(context, 'milestone_number')
  const id = readerOf(context).milestones.findByNumber(repository, number)
  const found = id === undefined ? null : toMilestone(renderingOf(context), repository, id)
  if (!found) throw notFound()
  return { status: 200, body: found }
})
