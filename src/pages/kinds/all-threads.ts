import {
  type AllThreads,
  allThreadsOf,
  type ThreadGroup,
  type ThreadPlace,
} from '../../reading/threads/all-threads.ts'
import { readThreadRows } from '../../reading/threads/list-threads.ts'
import { type Html, html } from '../html.ts'
import type { PageRequest, PageView } from '../page.ts'
import { pageNumber } from '../page.ts'
import { blank, formatNumber, plural } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'
import { threadRow } from '../parts/thread-list.ts'

const SIZE = 100
const PATH = '/-/threads'

/** All threads by the first letter of their titles and by year, for a search without JavaScript. */
export function allThreadsPage(request: PageRequest): PageView | undefined {
  const { library, query } = request
  const all = allThreadsOf(library)
  const [letter, year] = [query.get('letter'), query.get('year')]
  if (letter === null && year === null) {
    const body = html`<div class="bar-above"><h1>${plural(all.count, 'thread')}</h1></div>${threadGroups(all)}`
    return { title: 'All threads', body }
  }
  const groups = letter === null ? all.years() : all.letters()
  const group = groups.find(({ name }) => name === (letter ?? year))
  const page = pageNumber(query)
  if (!group || (page - 1) * SIZE >= group.count) return undefined
  const range = { offset: (page - 1) * SIZE, limit: SIZE }
  const places = letter === null ? all.ofYear(group.name, range) : all.ofLetter(group.name, range)
  const title = letter === null ? titleOfYear(group.name) : titleOfLetter(group.name)
  const words = letter === null ? undefined : { prev: 'Before', next: 'After' }
  const given = new URLSearchParams(letter === null ? { year: group.name } : { letter: group.name })
  const pager = createPager(PATH, given, { page, total: group.count, size: SIZE }, words)
  const body = html`<div class="bar-above"><h1>${title}</h1><p class="muted">${plural(group.count, 'thread')} · <a href="${PATH}">all letters and years</a></p></div>
<div class="box"><ul class="rows">${places.map(placeRow)}</ul></div>${pager.nav()}`
  return { title, body, prev: pager.prev, next: pager.next }
}

const titleOfLetter = (name: string): string =>
  name === 'other' ? 'Titles in other scripts' : `Titles that begin with ${name}`

const titleOfYear = (name: string): string =>
  name === 'other' ? 'Threads without a date' : `Threads of ${name}`

function placeRow({ repository, kind, rowid }: ThreadPlace): Html {
  const [row] = readThreadRows(repository, kind, [rowid])
  return row ? threadRow(row, kind, repositoryPath(repository), repository.fullName) : html``
}

/** Links to the lists by letter and year. */
export function threadGroups(all: AllThreads): Html {
  if (all.count === 0)
    return blank('No threads', 'The archive has no issue, pull request or discussion.')
  const links = (parameter: string, groups: readonly ThreadGroup[]) =>
    html`<nav class="chips" aria-label="${parameter === 'letter' ? 'Letters' : 'Years'}"><ul>${groups.map(
      ({ name, count }) =>
        html`<li><a href="${PATH}?${parameter}=${encodeURIComponent(name)}">${name} <span class="counter">${formatNumber(count)}</span></a></li>`,
    )}</ul></nav>`
  return html`<h2>By the first letter of the title</h2>
${links('letter', all.letters())}
<h2>By year</h2>
${links('year', all.years())}`
}
