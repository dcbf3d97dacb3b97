import { findLabel, lostLabel } from '../../reading/labels.ts'
import type { Repository } from '../../reading/library.ts'
import { readMilestone } from '../../reading/milestones.ts'
import {
  countThreads,
  type ListName,
  type ListQuery,
  listCategories,
  listThreads,
} from '../../reading/threads/list-threads.ts'
import { InvalidSearch } from '../../search/grammar/invalid-search.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import {
  inRepository,
  type PageRequest,
  type PageResult,
  type PageView,
  pageNumber,
} from '../page.ts'
import { blank, formatNumber, labelPill, plural, when } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'
import { withQuery } from '../parts/query.ts'
import { progressBar } from '../parts/thread-aside.ts'
import { threadList } from '../parts/thread-list.ts'
import { createMarkdownContext } from '../text-context.ts'
import { AGAIN, findIn, refused } from './find-in.ts'
import {
  chosenFilters,
  filterMenus,
  filterOf,
  menusOf,
  pageOfQuery,
  queryField,
} from './thread-filters.ts'

/** Threads on a page of a list. Lists in files are longer: nothing filters them, and each is a file. */
const sizeOf = ({ isStatic }: PageRequest): number => (isStatic ? 100 : 25)

export const issuesPage = inRepository((repository, request) =>
  listPage(repository, 'issues', request),
)
export const pullsPage = inRepository((repository, request) =>
  listPage(repository, 'pulls', request),
)

const NAMES = { issues: 'Issues', pulls: 'Pull requests', discussions: 'Discussions' } as const

async function listPage(
  repository: Repository,
  kind: 'issues' | 'pulls',
  request: PageRequest,
): Promise<PageResult> {
  const { query, library, isStatic } = request
  const base = repositoryPath(repository)
  const head = html`<div class="bar-above"><h1>${NAMES[kind]}</h1>
<ul class="buttons"><li><a href="${base}/labels">${icon('tag')} Labels</a></li><li><a href="${base}/milestones">${icon('milestone')} Milestones</a></li></ul></div>
${isStatic ? '' : queryField(request, repository)}`
  const show = (content: Html, more: Partial<PageView> = {}): PageView => ({
    title: NAMES[kind],
    body: html`${head}${content}`,
    repository,
    tab: kind,
    ...more,
  })
  const place = placeOfQuery(request, repository, kind)
  if (place) return 'refusal' in place ? show(place.refusal) : place
  const numbers = await numbersWith(request, repository)
  if (numbers && 'body' in numbers) {
    return show(numbers.body, numbers.part === undefined ? {} : { again: AGAIN })
  }
  const filter = { ...filterOf(query), numbers: numbers?.numbers }
  const state = query.get('state') === 'closed' ? 'closed' : 'open'
  const list = openList(repository, kind, { ...filter, state }, request)
  if (!list) return undefined
  const other = countThreads(library, repository, kind, {
    ...filter,
    state: state === 'open' ? 'closed' : 'open',
  })
  const counts = state === 'open' ? [list.total, other] : [other, list.total]
  const menus = isStatic ? [] : menusOf(library, repository, kind)
  const content = html`${chosenFilters(menus, request)}${numbers?.notes}<div class="box"><div class="box-head"><ul class="states">
<li><a href="${withQuery(request, { state: undefined })}"${state === 'open' ? html` aria-current="true"` : ''}>${icon(kind === 'issues' ? 'issue-opened' : 'git-pull-request')} ${formatNumber(counts[0] ?? 0)} Open</a></li>
<li><a href="${withQuery(request, { state: 'closed' })}"${state === 'closed' ? html` aria-current="true"` : ''}>${icon('check')} ${formatNumber(counts[1] ?? 0)} Closed</a></li></ul>
${isStatic ? '' : filterMenus(menus, request)}</div>
${list.rows}</div>${list.pager.nav()}`
  return show(content, { prev: list.pager.prev, next: list.pager.next })
}

/** Where a query in the address leads, or why it leads nowhere. */
function placeOfQuery(
  request: PageRequest,
  repository: Repository,
  kind: 'issues' | 'pulls',
): { redirect: string } | { refusal: Html } | undefined {
  try {
    const redirect = pageOfQuery(request, repository, kind)
    return redirect === undefined ? undefined : { redirect }
  } catch (error) {
    if (!(error instanceof InvalidSearch)) throw error
    return { refusal: refused('This search is invalid', error.message) }
  }
}

/** Texts that are looked at for the words of a list: their threads are the list. */
const MOST_TEXTS = 1_000
const TEXTS = ['issue', 'pull_request', 'comment', 'review', 'review_comment']

/** The numbers of threads that have the words of a list in one of their texts; undefined without words. */
async function numbersWith(
  request: PageRequest,
  repository: Repository,
): Promise<
  { numbers: number[]; notes: readonly Html[] } | { body: Html; part?: number } | undefined
> {
  const words = request.query.get('words') ?? ''
  if (words.trim() === '' || request.isStatic) return undefined
  if (request.library.audience !== 'all') {
    return { body: blank('Texts are not searched here', 'Filters without words narrow the list.') }
  }
  const options = { repository: repository.fullName, kinds: TEXTS, limit: MOST_TEXTS }
  const answered = await findIn(request, repository.store, words, options)
  if ('body' in answered) return answered
  const { found, notes } = answered
  const numbers = [...new Set(found.flatMap(({ number }) => number ?? []))]
  const cut = html`<p class="about">The list has the threads of the best ${formatNumber(MOST_TEXTS)} texts: more words find fewer.</p>`
  return { numbers, notes: found.length < MOST_TEXTS ? notes : [...notes, cut] }
}

/** The rows of a page of a list with its pager; undefined for a page beyond its end. */
function openList(repository: Repository, kind: ListName, query: ListQuery, request: PageRequest) {
  const { total, rows: read } = listThreads(request.library, repository, kind, query)
  const page = pageNumber(request.query)
  const size = sizeOf(request)
  if (page > 1 && (page - 1) * size >= total) return undefined
  const rows = read((page - 1) * size, size)
  const pager = createPager(request.path, request.query, { page, total, size })
  const shown =
    total === 0
      ? blank('Nothing here', 'No thread of the archive fits.')
      : threadList(rows, kind, repositoryPath(repository))
  return { total, pager, rows: shown }
}

/** A label, with its threads. One without a record has a page if a thread has it. */
export const labelPage = inRepository((repository, request) => {
  const name = request.params.name ?? ''
  const known = findLabel(repository, name)
  const label = known ?? lostLabel(`${repository.url}/labels/${encodeURIComponent(name)}`)
  const kind = request.query.get('kind') === 'pulls' ? 'pulls' : 'issues'
  const list = openList(repository, kind, { labels: [label.name] }, request)
  if (!list) return undefined
  const other = kind === 'issues' ? 'pulls' : 'issues'
  const others = countThreads(request.library, repository, other, { labels: [label.name] })
  if (!known && list.total + others === 0) return undefined
  const counts = { [kind]: list.total, [other]: others }
  const body = html`<div class="bar-above"><h1>${labelPill(label)}</h1><p class="muted">${isolated(label.description ?? '')}</p></div>
${twoLists(request, counts as Record<'issues' | 'pulls', number>, kind, list.rows)}${list.pager.nav()}`
  return {
    title: `Label ${label.name}`,
    body,
    repository,
    tab: 'issues',
    prev: list.pager.prev,
    next: list.pager.next,
  }
})

function twoLists(
  request: PageRequest,
  counts: Record<'issues' | 'pulls', number>,
  kind: 'issues' | 'pulls',
  rows: Html,
): Html {
  return html`<div class="box"><div class="box-head"><ul class="states">
<li><a href="${withQuery(request, { kind: undefined })}"${kind === 'issues' ? html` aria-current="true"` : ''}>${icon('issue-opened')} ${plural(counts.issues, 'issue')}</a></li>
<li><a href="${withQuery(request, { kind: 'pulls' })}"${kind === 'pulls' ? html` aria-current="true"` : ''}>${icon('git-pull-request')} ${plural(counts.pulls, 'pull request')}</a></li></ul></div>${rows}</div>`
}

/** A milestone, with its threads. */
export const milestonePage = inRepository((repository, request) => {
  const milestone = Number(request.params.number)
  const url = `${repository.url}/milestones/${request.params.number}`
  const row = readMilestone(repository, url)
  if (!row) return undefined
  const kind = request.query.get('kind') === 'pulls' ? 'pulls' : 'issues'
  const list = openList(repository, kind, { milestone }, request)
  if (!list) return undefined
  const other = kind === 'issues' ? 'pulls' : 'issues'
  const counts = {
    [kind]: list.total,
    [other]: countThreads(request.library, repository, other, { milestone }),
  }
  const { openThreads: open, closedThreads: closed } = row
  const context = createMarkdownContext(request.library, repository)
  const body = html`<div class="thread-head"><h1><bdi dir="auto">${isolated(row.title ?? 'Untitled')}</bdi></h1>
<p class="line"><span class="state ${row.state === 'open' ? 'open' : 'merged'}">${icon('milestone')} ${row.state === 'open' ? 'Open' : 'Closed'}</span> ${closed} of ${open + closed} done${row.dueAt === null ? '' : html` · due ${when(row.dueAt)}`}${row.closedAt === null ? '' : html` · closed ${when(row.closedAt)}`}</p>${progressBar(closed, open + closed)}</div>
<div class="body" dir="auto">${renderMarkdown(row.description ?? '', context)}</div>
${twoLists(request, counts as Record<'issues' | 'pulls', number>, kind, list.rows)}${list.pager.nav()}`
  return {
    title: `Milestone ${row.title ?? ''}`,
    body,
    repository,
    tab: 'issues',
    prev: list.pager.prev,
    next: list.pager.next,
  }
})

/** Discussions, newest first, and by category. */
export const discussionsPage = inRepository((repository, request) => {
  const category = request.query.get('category')
  const categories = listCategories(repository)
  const chosen = categories.find(({ name }) => name === category)?.url
  if (category !== null && chosen === undefined) return undefined
  const list = openList(repository, 'discussions', { category: chosen }, request)
  if (!list) return undefined
  const body = html`<div class="bar-above"><h1>Discussions</h1></div>
<nav class="chips" aria-label="Categories"><ul><li><a href="${withQuery(request, { category: undefined })}"${category === null ? html` aria-current="true"` : ''}>All</a></li>${categories.map(
    ({ name }) =>
      html`<li><a href="${withQuery(request, { category: name ?? '' })}"${name === category ? html` aria-current="true"` : ''}>${isolated(name ?? '')}</a></li>`,
  )}</ul></nav>
<div class="box">${list.rows}</div>${list.pager.nav()}`
  return {
    title: 'Discussions',
    body,
    repository,
    tab: 'discussions',
    prev: list.pager.prev,
    next: list.pager.next,
  }
})
