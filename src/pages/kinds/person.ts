import { lastPart } from '../../base/text.ts'
import type { Repository } from '../../reading/library.ts'
import { foldCase } from '../../reading/names.ts'
import {
  findProfile,
  findTraces,
  listPeople,
  membersOf,
  type Profile,
} from '../../reading/people/profiles.ts'
import { teamsOf } from '../../reading/people/teams.ts'
import type { Store } from '../../reading/store.ts'
import { type Html, html, isolated, outwardHref } from '../html.ts'
import { icon } from '../icons.ts'
import { type PageRequest, type PageResult, pageNumber } from '../page.ts'
import {
  avatar,
  blank,
  bounded,
  formatNumber,
  lastItem,
  pathTo,
  plural,
  when,
} from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'
import { outward } from '../parts/thread-aside.ts'
import { teamList } from './groups.ts'
import { latestOf, listOfTab, listPage, personTabs } from './person-lists.ts'

const MOST = 100

/** A person, bot or organization. An owner without a record has a page with their repositories. */
export async function personPage(request: PageRequest): Promise<PageResult> {
  const { library, params, path, query } = request
  const login = params.login ?? ''
  const own = library.repositories().filter(({ owner }) => foldCase(owner) === foldCase(login))
  const found = findProfile(library, login)
  const traces = found || own.length > 0 ? undefined : findTraces(library, login)
  const [first] = own
  if (!found) {
    if (!first && (library.audience !== 'all' || !traces)) return undefined
    if (first && first.owner !== login) return { redirect: pathTo(first.owner), isPermanent: true }
  } else if (pathTo(found.login) !== path)
    return { redirect: pathTo(found.login), isPermanent: true }
  if (library.audience !== 'all' && own.length === 0) return undefined
  const store = found?.store ?? first?.store ?? traces?.store
  if (!store) return undefined
  const url =
    found?.profile.url ?? traces?.url ?? first?.url.slice(0, first.url.lastIndexOf('/')) ?? ''
  const title = found?.profile.name ?? login
  const profile = profileOf(request, {
    url,
    login: found?.profile.login ?? login,
    row: found?.profile,
  })
  // Texts in private repositories must not be shown to others.
  const isOwn = library.audience === 'all'
  const tab = query.get('tab')
  const list = tab === null ? undefined : listOfTab(tab)
  if (tab !== null && (list === undefined || !isOwn)) return undefined
  const written = isOwn ? await request.written(library, url) : undefined
  const page = (main: Html): Html =>
    html`<div class="columns aside-first">${profile}<div class="main-column">${main}</div></div>`
  if (written && 'message' in written) {
    return { title, body: page(blank('What they wrote could not be found', `${written.message}.`)) }
  }
  const tabs = written ? personTabs(path, written.counts, list) : html``
  if (list && written) {
    const listed = listPage(written, request, list)
    if (!listed) return undefined
    const { prev, next } = listed.pager
    return {
      title: `${listed.title} · ${title}`,
      body: page(html`${tabs}${listed.html}`),
      prev,
      next,
    }
  }
  const isGroup = found?.profile.kind === 'organization' && isOwn
  const total = Object.values(written?.counts ?? {}).reduce((sum, count) => sum + count, 0)
  return {
    title,
    body: page(html`${tabs}${repositoriesSection(own)}
${isGroup ? html`${members(store, url)}${teamsSection(store, url, login)}` : ''}
${written ? latestOf(written, library) : ''}
${own.length + total === 0 && !isGroup ? blank('Nothing else', 'They wrote no text of the archive.') : ''}`),
  }
}

function profileOf(
  { library, isStatic }: PageRequest,
  { url, login, row }: { url: string; login: string; row: Profile | undefined },
): Html {
  const isOwn = library.audience === 'all'
  const search = `/search?q=${encodeURIComponent(`author:${login}`)}`
  return html`<aside aria-label="Profile"><section class="profile">${avatar(login, 'large')}<h1>${row?.name ? html`<bdi dir="auto">${isolated(row.name)}</bdi> ` : ''}<span class="login">${isolated(login)}</span></h1>
${row?.bio ? html`<p dir="auto">${isolated(row.bio)}</p>` : ''}
${facts(row)}</section>
<ul class="elsewhere">${isOwn && !isStatic ? html`<li><a href="${search}">${icon('search')} Search what they wrote</a></li>` : ''}${isOwn && row ? html`<li><a href="/-/raw?url=${encodeURIComponent(url)}" data-raw>${icon('file-code')} Raw record</a></li>` : ''}${outward(url)}</ul></aside>`
}

const repositoriesSection = (repositories: readonly Repository[]): Html =>
  repositories.length === 0
    ? html``
    : html`<section><h2>Repositories</h2><ul class="rows box">${repositories.map((one) => html`<li class="row-thread">${icon(one.isPrivate ? 'lock' : 'repo')}<div><h3><a href="${repositoryPath(one)}">${isolated(one.fullName)}</a></h3></div></li>`)}</ul></section>`

function teamsSection(store: Store, url: string, login: string): Html {
  const teams = teamsOf(store, url)
  if (teams.length === 0) return html``
  return html`<section><h2><a href="${pathTo('orgs', login, 'teams')}">Teams</a></h2>${teamList(login, teams)}</section>`
}

function facts(row: Profile | undefined): Html {
  if (!row) return html`<p class="muted">The archive has no record of this account.</p>`
  const website = outwardHref(row.website ?? '')
  return html`<ul class="plain">
${row.company ? html`<li>${icon('organization')} ${isolated(row.company)}</li>` : ''}
${row.location ? html`<li>${icon('globe')} ${isolated(row.location)}</li>` : ''}
${row.website ? html`<li>${icon('link')} ${website === undefined ? isolated(row.website) : html`<a href="${website}" rel="noreferrer nofollow">${isolated(row.website)}</a>`}</li>` : ''}
${row.createdAt ? html`<li class="muted">Joined ${when(row.createdAt)}</li>` : ''}</ul>`
}

function members(store: Store, url: string): Html {
  const people = membersOf(store, url)
  return html`<section><h2>${plural(people.length, 'member')}</h2><ul class="faces">${bounded(
    people,
    MOST,
    ({ url, login, role }) =>
      html`<li><a href="${pathTo(lastPart(url))}" title="${login} (${role})">${avatar(login, 'large')}<span class="hidden">${login}</span></a></li>`,
    lastItem,
  )}</ul></section>`
}

/** Everybody, by login. */
export function peoplePage({ library, path, query }: PageRequest): PageResult {
  const size = 100
  const page = pageNumber(query)
  const { total, rows } = listPeople(library, { offset: (page - 1) * size, limit: size })
  if (page > 1 && (page - 1) * size >= total) return undefined
  const pager = createPager(path, query, { page, total, size }, { prev: 'Before', next: 'After' })
  const body = html`<div class="bar-above"><h1>${formatNumber(total)} ${total === 1 ? 'person' : 'people'}, bots and organizations</h1></div>
<ul class="people">${rows.map(({ login, name, kind }) => html`<li>${avatar(login, 'large')}<div><a href="${pathTo(login ?? '')}">${isolated(login ?? '')}</a><p class="meta">${isolated(name ?? '')}${kind === 'user' ? '' : html` <span class="pill-line">${kind === 'bot' ? 'Bot' : 'Organization'}</span>`}</p></div></li>`)}</ul>${pager.nav()}`
  return { title: 'People', body, prev: pager.prev, next: pager.next }
}
