import type { Library, Repository } from '../../reading/library.ts'
import { findPerson, type Member, membersOfTeam } from '../../reading/people/profiles.ts'
import { asList, objectsOf } from '../../reading/values.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import { localPathOf } from '../link.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import { inRepository, type PageRequest, type PageResult } from '../page.ts'
import {
  blank,
  bounded,
  formatNumber,
  lastItem,
  pathTo,
  person,
  personWithAvatar,
  plural,
  when,
} from '../parts/elements.ts'
import { elsewhere } from '../parts/event.ts'
import { createMarkdownContext } from '../text-context.ts'

interface TeamRow {
  url: string
  slug: string | null
  name: string | null
  description: string | null
  privacy: string | null
  permissions: string | null
  members: readonly Member[]
}

/** The teams of an organization, as rows. */
export function teamsOf(library: Library, login: string): TeamRow[] {
  const found = findPerson(library, login)
  if (!found) return []
  const { store, person } = found
  const sql =
    'SELECT url, slug, name, description, privacy, permissions FROM teams WHERE organization = ? ORDER BY name LIMIT 1000'
  const rows = store.all<Omit<TeamRow, 'members'>>(sql, person.url)
  return rows.map((row) => ({ ...row, members: membersOfTeam(store, row.url) }))
}

/** A list of teams. */
export const teamList = (login: string, teams: readonly TeamRow[], level: 2 | 3 = 3): Html =>
  html`<ul class="rows box">${teams.map(({ slug, name, description, members }) => html`<li class="row-thread">${icon('people')}<div>${level === 2 ? html`<h2>${teamLink(login, slug, name)}</h2>` : html`<h3>${teamLink(login, slug, name)}</h3>`}${description ? html`<p class="about" dir="auto">${isolated(description)}</p>` : ''}<p class="meta">${plural(members.length, 'member')}</p></div></li>`)}</ul>`

const teamLink = (login: string, slug: string | null, name: string | null): Html =>
  html`<a href="${pathTo('orgs', login, 'teams', slug ?? '')}">${isolated(name ?? slug ?? '')}</a>`

/** The teams of an organization. */
export function teamsPage({ library, params }: PageRequest): PageResult {
  const login = params.login ?? ''
  const found = findPerson(library, login)
  if (found?.person.kind !== 'organization') return undefined
  const teams = teamsOf(library, login)
  const body = html`<div class="bar-above"><h1>${plural(teams.length, 'team')} of ${person(found.login)}</h1></div>${teams.length === 0 ? blank('No teams') : teamList(found.login, teams, 2)}`
  return { title: `Teams of ${found.login}`, body }
}

/** The members of an organization are on its page. */
export const membersPage = ({ library, params }: PageRequest): PageResult => {
  const found = findPerson(library, params.login ?? '')
  return found && { redirect: pathTo(found.login) }
}

/** Members and repositories of a team. */
const MOST = 500

/** A team: its members and permissions. */
export function teamPage({ library, params }: PageRequest): PageResult {
  const login = params.login ?? ''
  const team = teamsOf(library, login).find(({ slug }) => slug === params.team)
  if (!team) return undefined
  const { name, slug, description, privacy, permissions, members } = team
  const rights = objectsOf(permissions).flatMap(({ repository, access, role }) =>
    typeof repository === 'string' ? [{ repository, right: String(role ?? access ?? '') }] : [],
  )
  const body = html`<div class="bar-above"><h1>${isolated(name ?? slug ?? '')}</h1><p class="muted">a team of ${person(login)}${privacy === 'secret' ? html` <span class="pill-line">Secret</span>` : ''}</p></div>
${description ? html`<p class="about" dir="auto">${isolated(description)}</p>` : ''}
<div class="columns"><div class="main-column"><section><h2>What it may do</h2>${
    rights.length === 0
      ? blank('In no repository')
      : html`<ul class="rows box">${bounded(
          rights,
          MOST,
          ({ repository, right }) => {
            const path = localPathOf(library, repository)
            const text = isolated(repository.split('/').slice(-2).join('/'))
            return html`<li class="row-commit"><div>${path === undefined ? html`${text} <span class="muted">not in the archive</span>` : html`<a href="${path}">${text}</a>`}</div><span class="pill-line">${right}</span></li>`
          },
          lastItem,
        )}</ul>`
  }</section></div>
<aside aria-label="Members"><section><h2>${plural(members.length, 'member')}</h2><ul class="plain">${bounded(members, MOST, (one) => html`<li class="row">${personWithAvatar(one.login)}${one.role === 'maintainer' ? html` <span class="muted">maintainer</span>` : ''}</li>`, lastItem)}</ul></section>
<ul class="elsewhere"><li><a href="/-/raw?url=${encodeURIComponent(team.url)}" data-raw>${icon('file-code')} Raw record</a></li></ul></aside></div>`
  return { title: `${name ?? slug} · ${login}`, body }
}

interface ProjectRow {
  url: string
  name: string | null
  body: string | null
  columns: string | null
  creator: string | null
  created_at: string | null
}

const projectsOf = ({ store, url }: Repository): ProjectRow[] =>
  store.all<ProjectRow>(
    'SELECT url, name, body, columns, creator, created_at FROM projects WHERE url > ? AND url < ? ORDER BY rowid LIMIT 200',
    `${url}/projects/`,
    `${url}/projects0`,
  )

const numberOf = ({ url }: ProjectRow): string => url.slice(url.lastIndexOf('/') + 1)

/** The classic project boards of a repository. */
export const projectsPage = inRepository((repository) => {
  const projects = projectsOf(repository)
  if (projects.length === 0) return undefined
  const { owner, name } = repository
  const body = html`<div class="bar-above"><h1>${plural(projects.length, 'project')}</h1></div>
<ul class="rows box">${projects.map((one) => html`<li class="row-thread">${icon('project')}<div><h2><a href="${pathTo(owner, name, 'projects', numberOf(one))}">${isolated(one.name ?? 'Untitled')}</a></h2><p class="meta">${when(one.created_at)}</p></div></li>`)}</ul>`
  return { title: 'Projects', body, repository, tab: 'projects' as const }
})

/** A board: its columns with their cards. */
export const projectPage = inRepository((repository, { library, params }) => {
  const project = projectsOf(repository).find((one) => numberOf(one) === params.number)
  if (!project) return undefined
  const markdown = { ...createMarkdownContext(library, repository), level: 2 }
  const columns = objectsOf(project.columns)
  const body = html`<div class="bar-above"><h1>${isolated(project.name ?? 'Untitled')}</h1></div>
${project.body ? html`<div class="body" dir="auto">${renderMarkdown(project.body, markdown)}</div>` : ''}
${
  columns.length === 0
    ? blank('This board has no columns')
    : html`<div class="board">${bounded(columns, MOST_COLUMNS, ({ name, cards }) => {
        const all = asList(JSON.stringify(cards ?? []))
        return html`<section class="box"><h2>${isolated(String(name ?? 'Column'))} <span class="counter">${formatNumber(all.length)}</span></h2><ul>${bounded(all, MOST_CARDS, (card) => html`<li class="card in">${cardHtml(card, library, (text) => renderMarkdown(text, markdown))}</li>`, lastItem)}</ul></section>`
      })}</div>`
}`
  return { title: project.name ?? 'Project', body, repository, tab: 'projects' as const }
})

const MOST_COLUMNS = 50
const MOST_CARDS = 100

/** A card: a note, or a link to a thread. */
function cardHtml(card: unknown, library: Library, render: (text: string) => Html): Html {
  if (card === null || typeof card !== 'object') return html`${isolated(String(card))}`
  const members: Readonly<Record<string, unknown>> = { ...card }
  if (typeof members.note === 'string' && members.note !== '') return render(members.note)
  const url = Object.values(members).find((value) =>
    /^https?:\/\/.*\/(?:issues|pull)\/\d+$/.test(String(value)),
  )
  const path = typeof url === 'string' ? localPathOf(library, url) : undefined
  if (typeof url === 'string' && library.hides(url)) return elsewhere(url)
  return path === undefined
    ? html`${isolated(String(url ?? 'A card'))}`
    : html`<a href="${path}">${isolated(path.slice(1))}</a>`
}
