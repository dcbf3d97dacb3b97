import { listLabels } from '../../reading/labels.ts'
import { isIndexed, type Library, type Repository } from '../../reading/library.ts'
import { milestoneTitled, newestMilestones } from '../../reading/milestones.ts'
import { type ListQuery, peopleOf } from '../../reading/threads/list-threads.ts'
import { LIST_SORTS, parseListQuery } from '../../search/grammar/parse-filters.ts'
import { type Html, html, isolated } from '../html.ts'
import type { PageRequest } from '../page.ts'
import { avatar, labelPill } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { filterChips, keptFields, withQuery } from '../parts/query.ts'

/** The filters in the address of a list, but for words. */
export function filterOf(query: URLSearchParams): ListQuery {
  const text = (name: string) => query.get(name) ?? undefined
  const milestone = text('milestone')
  const [sort = 'created', direction] = sortOf(query).split('-') as [Sort, 'asc' | 'desc']
  return {
    labels: query.has('label') ? query.getAll('label') : undefined,
    milestone: milestone === undefined ? undefined : numberIn(milestone),
    author: text('author'),
    assignee: text('assignee'),
    sort,
    direction,
  }
}

type Sort = NonNullable<ListQuery['sort']>

/** The order that an address names; the newest first without one. */
const sortOf = (query: URLSearchParams): (typeof LIST_SORTS)[number] =>
  LIST_SORTS.find((sort) => sort === query.get('sort')) ?? 'created-desc'

/** A number that a milestone can have; otherwise -1, which none has. */
const numberIn = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/**
 * Where a query leads, as people type it and as links in texts have it: `issues?q=is:open label:bug`. That is a list with
 * these filters, or the search, if lists do not have one of them.
 *
 * @returns undefined without a query
 * @throws `InvalidSearch`
 */
export function pageOfQuery(
  { query, isStatic }: PageRequest,
  repository: Repository,
  kind: 'issues' | 'pulls',
): string | undefined {
  const text = query.get('q')
  if (text === null || isStatic) return undefined
  const { words, filters } = parseListQuery(text)
  const narrowed = new URLSearchParams()
  let list = kind
  for (const [name, value] of filters) {
    if (name === 'kind' && (value === 'issue' || value === 'pull_request')) {
      list = value === 'issue' ? 'issues' : 'pulls'
    } else if (name === 'state' && (value === 'open' || value === 'closed')) {
      if (value === 'closed') narrowed.set('state', value)
    } else if (name === 'milestone') {
      narrowed.set(name, String(milestoneTitled(repository, value) ?? value))
    } else if (name === 'sort') {
      if (value !== LIST_SORTS[0]) narrowed.set(name, value)
    } else if (name === 'kind' || name === 'state' || name === 'repo') {
      return `/search?${new URLSearchParams({ q: text, repo: repository.fullName })}`
    } else narrowed.append(name, value)
  }
  if (words !== '') narrowed.set('words', words)
  return `${repositoryPath(repository)}/${list}${narrowed.size > 0 ? `?${narrowed}` : ''}`
}

/** The query of a list as text, which `pageOfQuery` leads back from. */
function filterText({ query }: PageRequest, repository: Repository): string {
  const quoted = (value: string) =>
    /[\s()"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value
  const parts = [`is:${query.get('state') === 'closed' ? 'closed' : 'open'}`]
  for (const name of ['author', 'assignee', 'label'] as const) {
    for (const value of query.getAll(name)) parts.push(`${name}:${quoted(value)}`)
  }
  const milestone = query.get('milestone')
  if (milestone !== null) {
    const title = newestMilestones(repository, MOST).find(
      ({ number }) => String(number) === milestone,
    )?.title
    parts.push(`milestone:${quoted(title ?? milestone)}`)
  }
  if (sortOf(query) !== LIST_SORTS[0]) parts.push(`sort:${sortOf(query)}`)
  return [...parts, ...query.getAll('words')].join(' ')
}

/** The field in which a list is narrowed by a query. */
export const queryField = (request: PageRequest, repository: Repository): Html =>
  html`<form class="search-page" action="${request.path}"><input type="search" name="q" value="${request.query.get('q') ?? filterText(request, repository)} " aria-label="Filter this list"><button type="submit">Search</button></form>`

/** Labels and milestones that a menu lists. */
const MOST = 100

/** A menu of a list: the parameter that it sets, and its entries by value. */
export interface Menu {
  readonly name: string
  readonly parameter: string
  readonly entries: readonly (readonly [value: string, text: Html])[]
  /** Whether any value may be typed, since the entries are not all that there are. */
  readonly isOpenEnded?: boolean
}

const SORT_NAMES: Readonly<Record<(typeof LIST_SORTS)[number], string>> = {
  'created-desc': 'Newest',
  'created-asc': 'Oldest',
  'comments-desc': 'Most comments',
  'comments-asc': 'Fewest comments',
  'updated-desc': 'Last updated',
  'updated-asc': 'First updated',
}

/** The menus of a list. */
export function menusOf(
  library: Library,
  repository: Repository,
  kind: 'issues' | 'pulls',
): readonly Menu[] {
  const labels = listLabels(repository)
  const milestones = newestMilestones(repository, MOST)
  const { authors, assignees } = peopleOf(repository, kind)
  const people = (logins: readonly string[]) =>
    logins.map((login) => [login, html`${avatar(login, 'small')} ${isolated(login)}`] as const)
  return [
    { name: 'Author', parameter: 'author', entries: people(authors), isOpenEnded: true },
    {
      name: 'Label',
      parameter: 'label',
      entries: labels.slice(0, MOST).map((label) => [label.name, labelPill(label)]),
      isOpenEnded: labels.length > MOST,
    },
    {
      name: 'Milestone',
      parameter: 'milestone',
      entries: milestones.map(({ number, title }) => [
        String(number),
        isolated(title ?? String(number)),
      ]),
    },
    { name: 'Assignee', parameter: 'assignee', entries: people(assignees), isOpenEnded: true },
    {
      name: 'Sort',
      parameter: 'sort',
      entries: LIST_SORTS.filter((sort) => isIndexed(library) || !sort.startsWith('updated')).map(
        (sort) => [sort, html`${SORT_NAMES[sort]}`],
      ),
    },
  ]
}

/** Menus that narrow a list: each entry is a link, and a name that is not among them can be typed. */
export function filterMenus(all: readonly Menu[], request: PageRequest): Html {
  const { query } = request
  const menus = all.filter(({ entries }) => entries.length > 0)
  return html`<div class="menus">${menus.map(
    ({ name, parameter, entries, isOpenEnded = false }) => {
      const chosen = query.get(parameter)
      const links = entries.map(
        ([value, text]) =>
          html`<li><a href="${withQuery(request, { [parameter]: value })}"${value === chosen ? html` aria-current="true"` : ''}>${text}</a></li>`,
      )
      return html`<details class="menu"><summary>${name}</summary><div>${isOpenEnded ? typed(name, parameter, request) : ''}<ul>${links}</ul></div></details>`
    },
  )}</div>`
}

/** A field for a value that a menu need not have; a script narrows the menu while people type. */
function typed(name: string, parameter: string, { path, query }: PageRequest): Html {
  const kept = keptFields(query, (other) => other === parameter || other === 'page')
  return html`<form action="${path}" data-narrow>${kept}<input type="text" name="${parameter}" aria-label="${name}" placeholder="${name}" autocomplete="off" required><button type="submit" class="act">Go</button></form>`
}

/** The filters that are chosen in a list, each with a link that removes it. */
export function chosenFilters(menus: readonly Menu[], request: PageRequest): Html {
  const { query } = request
  const words: Menu = { name: 'Words', parameter: 'words', entries: [] }
  const chosen = [...menus, words].flatMap(({ name, parameter, entries }) => {
    if (parameter === 'sort' && sortOf(query) === LIST_SORTS[0]) return []
    return query.getAll(parameter).map((value) => {
      const text = entries.find(([each]) => each === value)?.[1] ?? isolated(value)
      const others = query.getAll(parameter).filter((other) => other !== value)
      const without = withQuery(request, { [parameter]: others })
      return { parameter, text: html`${name}: ${text}`, without }
    })
  })
  const nothing = Object.fromEntries(chosen.map(({ parameter }) => [parameter, undefined]))
  return filterChips(chosen, chosen.length > 1 ? withQuery(request, nothing) : undefined)
}
