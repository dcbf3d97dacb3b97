import { objectsOf } from '../../thread/names.ts'
import { type Html, html, isolated, outwardHref } from '../html.ts'
import { icon } from '../icons.ts'
import { type PageRequest, type PageResult, pageNumber } from '../page.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'
import {
  avatar,
  blank,
  formatNumber,
  pathTo,
  plural,
  stateOf,
  titleOf,
  when,
} from '../parts/small.ts'
import { outward } from '../parts/thread-aside.ts'
import { foldCase, type Library } from '../read/library.ts'
import { findPerson, findTraces } from '../read/people.ts'
import { teamList, teamsOf } from './groups.ts'

interface PersonRow {
  login: string
  name: string | null
  bio: string | null
  company: string | null
  website: string | null
  location: string | null
  created_at: string | null
}

const MOST = 100

/** A person, bot or organization. Also an owner without a record, by what is theirs. */
export function personPage({ library, params, path, isStatic }: PageRequest): PageResult {
  const login = params.login ?? ''
  const own = library.repositories().filter(({ owner }) => foldCase(owner) === foldCase(login))
  const found = findPerson(library, login)
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
  const isGroup = found?.table === 'organizations'
  const columns = isGroup
    ? 'login, name, description AS bio, NULL AS company, website, location, created_at'
    : 'login, name, bio, company, website, location, created_at'
  const row =
    found &&
    store.get<PersonRow>(
      `SELECT ${found.table === 'bots' ? 'login, name, bio, company, website, location, created_at' : columns} FROM ${found.table} WHERE url = ?`,
      found.url,
    )
  const url = found?.url ?? traces?.url ?? first?.url.slice(0, first.url.lastIndexOf('/')) ?? ''
  const threads = library.audience === 'all' ? opened(store, url) : []
  const body = html`<div class="columns aside-first"><aside aria-label="Profile"><section class="profile">${avatar(login, 'large')}<h1>${row?.name ? html`<bdi dir="auto">${isolated(row.name)}</bdi> ` : ''}<span class="login">${isolated(found?.login ?? login)}</span></h1>
${row?.bio ? html`<p dir="auto">${isolated(row.bio)}</p>` : ''}
${profile(row)}
${library.audience === 'all' ? activity(store, url, isStatic ? undefined : login) : ''}</section>
<ul class="elsewhere">${library.audience === 'all' && found ? html`<li><a href="/-/raw?url=${encodeURIComponent(url)}" data-raw>${icon('file-code')} Raw record</a></li>` : ''}${outward(url)}</ul></aside>
<div class="main-column">
${own.length === 0 ? '' : html`<section><h2>Repositories</h2><ul class="rows box">${own.map((one) => html`<li class="row-thread">${icon(one.isPrivate ? 'lock' : 'repo')}<div><h3><a href="${repositoryPath(one)}">${isolated(one.fullName)}</a></h3></div></li>`)}</ul></section>`}
${isGroup && library.audience === 'all' ? members(store, url) : ''}
${isGroup && library.audience === 'all' ? teamsSection(library, login) : ''}
${threads.length === 0 ? '' : html`<section><h2>Opened last</h2><ul class="rows box">${threads.map(threadRow)}</ul></section>`}
${own.length + threads.length === 0 && !isGroup ? blank('Nothing else', 'They opened no thread of the archive.') : ''}
</div></div>`
  return { title: row?.name ?? login, body }
}

function teamsSection(library: Library, login: string): Html {
  const teams = teamsOf(library, login)
  if (teams.length === 0) return html``
  return html`<section><h2><a href="${pathTo('orgs', login, 'teams')}">Teams</a></h2>${teamList(login, teams)}</section>`
}

function profile(row: PersonRow | undefined): Html {
  if (!row) return html`<p class="muted">The archive has no record of this account.</p>`
  const website = outwardHref(row.website ?? '')
  return html`<ul class="plain">
${row.company ? html`<li>${icon('organization')} ${isolated(row.company)}</li>` : ''}
${row.location ? html`<li>${icon('globe')} ${isolated(row.location)}</li>` : ''}
${row.website ? html`<li>${icon('link')} ${website === undefined ? isolated(row.website) : html`<a href="${website}" rel="noreferrer nofollow">${isolated(row.website)}</a>`}</li>` : ''}
${row.created_at ? html`<li class="muted">Joined ${when(row.created_at)}</li>` : ''}</ul>`
}

type Store = NonNullable<ReturnType<typeof findPerson>>['store']

/** What somebody wrote, in numbers; `login` links them to a search for all of it. */
function activity(store: Store, url: string, login: string | undefined): Html {
  const counts: [string, number][] = [
    ['issue', store.count('SELECT count(*) FROM issues WHERE user = ?', url)],
    ['pull request', store.count('SELECT count(*) FROM pull_requests WHERE user = ?', url)],
    ['comment', store.count('SELECT count(*) FROM issue_comments WHERE user = ?', url)],
    ['review', store.count('SELECT count(*) FROM pull_request_reviews WHERE user = ?', url)],
  ]
  const some = counts.filter(([, count]) => count > 0)
  return some.length === 0
    ? html``
    : html`<ul class="plain">${some.map(([word, count]) => html`<li>${plural(count, word)}</li>`)}${login === undefined ? '' : html`<li><a href="/search?q=${encodeURIComponent(`author:${login}`)}">All that they wrote</a></li>`}</ul>`
}

interface OpenedRow {
  full_name: string | null
  number: number | null
  title: string | null
  state: string | null
  created_at: string | null
  kind: 'issues' | 'pulls'
}

const opened = (store: Store, url: string): OpenedRow[] =>
  store.all<OpenedRow>(
    `SELECT full_name, number, title, state, created_at, kind FROM (
       SELECT full_name, number, title, state, created_at, 'issues' AS kind FROM issues WHERE user = ?
       UNION ALL SELECT full_name, number, title, state, created_at, 'pulls' FROM pull_requests WHERE user = ?)
     WHERE full_name IS NOT NULL AND number IS NOT NULL ORDER BY unixepoch(created_at) DESC LIMIT 30`,
    ...[url, url],
  )

function threadRow({ full_name, number, title, state, created_at, kind }: OpenedRow): Html {
  const { icon: sign, word, name } = stateOf(kind, { state })
  const path = pathTo(
    ...(full_name ?? '').split('/'),
    kind === 'issues' ? 'issues' : 'pull',
    number ?? 0,
  )
  return html`<li class="row-thread"><span class="tone-${name}" title="${word}">${icon(sign)}</span><div><h3><a href="${path}"><bdi dir="auto">${isolated(titleOf(title))}</bdi></a></h3><p class="meta">${isolated(full_name ?? '')}#${number} · ${word} · ${when(created_at)}</p></div></li>`
}

function members(store: Store, url: string): Html {
  const json = store.get<{ members: string | null }>(
    'SELECT members FROM organizations WHERE url = ?',
    url,
  )?.members
  const people = objectsOf(json ?? null).flatMap(({ user, role }) =>
    typeof user === 'string'
      ? [
          {
            login: user.slice(user.lastIndexOf('/') + 1),
            role: typeof role === 'string' ? role : '',
          },
        ]
      : [],
  )
  return html`<section><h2>${plural(people.length, 'member')}</h2><ul class="faces">${people
    .slice(0, MOST)
    .map(
      ({ login, role }) =>
        html`<li><a href="${pathTo(login)}" title="${login} (${role.replace('direct_', '')})">${avatar(login, 'large')}<span class="hidden">${login}</span></a></li>`,
    )}</ul></section>`
}

/** Everybody, by login. */
export function peoplePage({ library, path, query }: PageRequest): PageResult {
  const size = 100
  const page = pageNumber(query)
  const all = library.stores.map((store) => store.count('SELECT count(*) FROM people'))
  const total = all.reduce((sum, count) => sum + count, 0)
  if (page > 1 && (page - 1) * size >= total) return undefined
  const rows: { login: string | null; name: string | null; kind: string }[] = []
  let skip = (page - 1) * size
  for (const [i, store] of library.stores.entries()) {
    const here = all[i] ?? 0
    if (skip < here && rows.length < size) {
      rows.push(
        ...store.all<(typeof rows)[number]>(
          'SELECT login, name, kind FROM people ORDER BY lower(login), url LIMIT ? OFFSET ?',
          size - rows.length,
          skip,
        ),
      )
    }
    skip = Math.max(0, skip - here)
  }
  const pager = createPager(path, query, { page, total, size }, { prev: 'Before', next: 'After' })
  const body = html`<div class="bar-above"><h1>${formatNumber(total)} ${total === 1 ? 'person' : 'people'}, bots and organizations</h1></div>
<ul class="people">${rows.map(({ login, name, kind }) => html`<li>${avatar(login, 'large')}<div><a href="${pathTo(login ?? '')}">${isolated(login ?? '')}</a><p class="meta">${isolated(name ?? '')}${kind === 'user' ? '' : html` <span class="pill-line">${kind === 'bot' ? 'Bot' : 'Organization'}</span>`}</p></div></li>`)}</ul>${pager.nav}`
  return { title: 'People', body, prev: pager.prev, next: pager.next }
}
