import { notFound } from '../../http/http-error.ts'
import { findLabel, type Label, listLabels } from '../../reading/labels.ts'
import { foldCase } from '../../reading/names.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import { toLabel, toMilestone } from '../resources/labels.ts'
import { labelsOfThread, readThread } from '../resources/threads.ts'
import { findThread, inRepository, numberInPath, readerOf, renderingOf } from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

/** The labels that a repository has, in the order of its record. */
export const repositoryLabels: Handler = inRepository((context, repository) =>
  answerLabels(context, repository, listLabels(repository)),
)

export const label: Handler = inRepository((context, repository) => {
  const found = findLabel(repository, context.params.label_name ?? '')
  if (!found) throw notFound()
  return { status: 200, body: toLabel(renderingOf(context), repository, found) }
})

/** A page of labels. */
function answerLabels(
  context: RequestContext,
  repository: IndexedRepository,
  labels: readonly Label[],
): Answer {
  const rendering = renderingOf(context)
  const items = (offset: number, limit: number) =>
    labels.slice(offset, offset + limit).map((label) => toLabel(rendering, repository, label))
  return { status: 200, list: { total: labels.length, items } }
}

/** The labels of an issue or pull request. */
export const issueLabels: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const record = readThread(rendering, findThread(context, repository, 'issue_number'))
  if (!record) throw notFound()
  const labels = labelsOfThread(rendering, record)
  const items = (offset: number, limit: number) => labels.slice(offset, offset + limit)
  return { status: 200, list: { total: labels.length, items } }
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
    [...ids.slice(offset, offset + limit)].flatMap(
      (id) => toMilestone(rendering, repository, id) ?? [],
    )
  return { status: 200, list: { total: ids.length, items } }
})

/** The place of the milestone in the path in the index. */
function findMilestone(context: RequestContext, repository: IndexedRepository): number {
  const number = numberInPath(context, 'milestone_number')
  const id = readerOf(context).milestones.findByNumber(repository, number)
  if (id === undefined) throw notFound()
  return id
}

export const milestone: Handler = inRepository((context, repository) => {
  const id = findMilestone(context, repository)
  const found = toMilestone(renderingOf(context), repository, id)
  if (!found) throw notFound()
  return { status: 200, body: found }
})

/** The labels of the issues and pull requests in a milestone, in the order of the repository. */
export const milestoneLabels: Handler = inRepository((context, repository) => {
  const names = readerOf(context).milestones.labels(findMilestone(context, repository))
  const labels = listLabels(repository).filter(({ name }) => names.has(foldCase(name)))
  return answerLabels(context, repository, labels)
})
