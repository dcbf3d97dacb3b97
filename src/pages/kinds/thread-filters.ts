import { listLabels } from '../../reading/labels.ts'
import type { Repository } from '../../reading/library.ts'
import { milestoneTitled, newestMilestones } from '../../reading/milestones.ts'
import { type ListQuery, peopleOf } from '../../reading/threads/list-threads.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import type { PageRequest } from '../page.ts'
import { avatar, labelPill } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'

/** The filters in the query of a list. */
export function filterOf(query: URLSearchParams): ListQuery {
  const text = (name: string) => query.get(name) ?? undefined
  const [label, milestone] = [text('label'), text('milestone')]
  return {
    labels: label === undefined ? undefined : [label],
    milestone: milestone === undefined ? undefined : numberIn(milestone),
    author: text('author'),
    assignee: text('assignee'),
    direction: query.get('sort') === 'oldest' ? 'asc' : 'desc',
  }
}

/** A number that a milestone can have; otherwise -1, which none has. */
const numberIn = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

const TOKEN = /(?:([a-z]+):)?("[^"]*"|\S+)/gi

/**
 * Where a query in the host's language leads, as links in texts have it: `issues?q=is:open label:bug`. That is a list if
 * a list can be narrowed so, or else the search.
 *
 * @returns undefined without a query, and if there is no search
 */
export function pageOfQuery(
  { query, library, isStatic }: PageRequest,
  repository: Repository,
  kind: 'issues' | 'pulls',
): string | undefined {
  const typed = query.get('q')
  if (typed === null || isStatic) return undefined
  const narrowed = new URLSearchParams()
  const words: string[] = []
  let list = kind
  let isNarrowed = true
  for (const [token, filter = '', quoted = ''] of typed.matchAll(TOKEN)) {
    const value = quoted.replace(/^"(.*)"$/, '$1')
    const known = filter.toLowerCase()
    if (known === 'sort') {
      if (value === 'created-asc') narrowed.set('sort', 'oldest')
      continue
    }
    words.push(token)
    if (/^(?:is|type|state)$/.test(known) && /^(?:issue|pr|open|closed)$/.test(value)) {
      if (value === 'issue' || value === 'pr') list = value === 'pr' ? 'pulls' : 'issues'
      else if (value === 'closed') narrowed.set('state', value)
    } else if (/^(?:author|assignee|label)$/.test(known) && !narrowed.has(known)) {
      narrowed.set(known, value)
    } else if (known === 'milestone') {
      narrowed.set(known, String(milestoneTitled(repository, value) ?? value))
    } else isNarrowed = false
  }
  if (isNarrowed)
    return `${repositoryPath(repository)}/${list}${narrowed.size > 0 ? `?${narrowed}` : ''}`
  if (library.audience !== 'all') return undefined
  return `/search?${new URLSearchParams({ q: words.join(' '), repo: repository.fullName })}`
}

/** The same list with some parameters changed, from its first page. */
export function withQuery(
  { path, query }: PageRequest,
  changes: Record<string, string | undefined>,
): string {
  const changed = new URLSearchParams(query)
  changed.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name)
    else changed.set(name, value)
  }
  const text = changed.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Labels and milestones that a menu lists. */
const MOST = 100

/** A menu of a list: the parameter that it sets, and its entries by value. */
interface Menu {
  readonly name: string
  readonly parameter: string
  readonly entries: readonly (readonly [value: string, text: Html])[]
  /** Whether any value may be typed, since the entries are not all that there are. */
  readonly isOpenEnded?: boolean
}

function menusOf(repository: Repository, kind: 'issues' | 'pulls'): Menu[] {
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
      entries: [
        ['newest', html`Newest`],
        ['oldest', html`Oldest`],
      ],
    },
  ]
}

/** Menus that narrow a list: each entry is a link, and a name that is not among them can be typed. */
export function filterMenus(
  repository: Repository,
  kind: 'issues' | 'pulls',
  request: PageRequest,
): Html {
  const { query } = request
  const menus = menusOf(repository, kind).filter(({ entries }) => entries.length > 0)
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
  const others = [...query].filter(([other]) => other !== parameter && other !== 'page')
  return html`<form action="${path}" data-narrow>${others.map(([other, value]) => html`<input type="hidden" name="${other}" value="${value}">`)}<input type="text" name="${parameter}" aria-label="${name}" placeholder="${name}" autocomplete="off" required></form>`
}

/** What a list is narrowed to, each part with a link without it. */
export function chosenFilters(
  repository: Repository,
  kind: 'issues' | 'pulls',
  request: PageRequest,
): Html {
  const { query } = request
  const chosen = menusOf(repository, kind).flatMap(({ name, parameter, entries }) => {
    const value = query.get(parameter)
    if (value === null || (parameter === 'sort' && value === 'newest')) return []
    const text = entries.find(([each]) => each === value)?.[1] ?? isolated(value)
    return [{ name, parameter, text }]
  })
  if (chosen.length === 0) return html``
  const nothing = Object.fromEntries(chosen.map(({ parameter }) => [parameter, undefined]))
  return html`<div class="chips" role="group" aria-label="Filters"><ul>${chosen.map(
    ({ name, parameter, text }) =>
      html`<li><a href="${withQuery(request, { [parameter]: undefined })}"><span class="hidden">Remove: </span>${name}: ${text} ${icon('x')}</a></li>`,
  )}${chosen.length === 1 ? '' : html`<li><a href="${withQuery(request, nothing)}">Clear all</a></li>`}</ul></div>`
}
