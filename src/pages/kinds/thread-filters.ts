import { findLabel, listLabels } from '../../reading/labels.ts'
import type { Repository } from '../../reading/library.ts'
import { milestoneTitled, newestMilestones } from '../../reading/milestones.ts'
import { urlsOfOtherLogin } from '../../reading/people/logins.ts'
import { peopleOf, type ThreadFilter } from '../../reading/threads/list-threads.ts'
import { type Html, html, isolated } from '../html.ts'
import type { PageRequest } from '../page.ts'
import { avatar, labelPill } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'

/** The filters in the query of a list. */
export function filterOf(query: URLSearchParams, repository: Repository): ThreadFilter {
  const label = query.get('label')
  const found = label === null ? undefined : findLabel(repository, label)
  const milestone = query.get('milestone')
  return {
    label: label === null ? undefined : (found?.url ?? ''),
    milestone: milestone === null ? undefined : `${repository.url}/milestones/${milestone}`,
    author: query.get('author') ?? undefined,
    assignee: assigneeOf(query, repository),
    sort: query.get('sort') === 'oldest' ? 'oldest' : 'newest',
  }
}

/** The url of the assignee; an unknown login finds nothing. */
function assigneeOf(query: URLSearchParams, { store, url }: Repository): string | undefined {
  const login = query.get('assignee')
  if (login === null) return undefined
  const host = /^\w+:\/\/[^/]+/.exec(url)?.[0] ?? ''
  return urlsOfOtherLogin(store, login)[0] ?? `${host}/${login}`
}

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

/** Menus that narrow a list: each entry is a link. */
export function filterMenus(
  repository: Repository,
  kind: 'issues' | 'pulls',
  request: PageRequest,
): Html {
  const { query } = request
  const labels = listLabels(repository).slice(0, MOST)
  const milestones = newestMilestones(repository, MOST)
  const menu = (name: string, parameter: string, entries: readonly [string, Html][]) => {
    if (entries.length === 0) return ''
    const chosen = query.get(parameter)
    const all =
      chosen === null
        ? ''
        : html`<li><a href="${withQuery(request, { [parameter]: undefined })}">Any</a></li>`
    return html`<details class="menu"><summary>${name}${chosen === null ? '' : ' ✓'}</summary><ul>${all}${entries.map(
      ([value, text]) =>
        html`<li><a href="${withQuery(request, { [parameter]: value })}"${value === chosen ? html` aria-current="true"` : ''}>${text}</a></li>`,
    )}</ul></details>`
  }
  const people = (logins: readonly string[]) =>
    logins.map((login): [string, Html] => [
      login,
      html`${avatar(login, 'small')} ${isolated(login)}`,
    ])
  const { authors, assignees } = peopleOf(repository, kind)
  return html`<div class="menus">${menu('Author', 'author', people(authors))}${menu(
    'Label',
    'label',
    labels.map((label) => [label.name, labelPill(label)]),
  )}${menu(
    'Milestone',
    'milestone',
    milestones.map(({ number, title }) => [String(number), isolated(title ?? String(number))]),
  )}${menu('Assignee', 'assignee', people(assignees))}${menu('Sort', 'sort', [
    ['newest', html`Newest`],
    ['oldest', html`Oldest`],
  ])}</div>`
}
