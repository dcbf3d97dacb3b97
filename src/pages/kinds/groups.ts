import type { Library } from '../../reading/library.ts'
import { findProfile, membersOfTeam } from '../../reading/people/profiles.ts'
import { readTeam, rightsOf, type Team, teamsOf, teamUrl } from '../../reading/people/teams.ts'
import { type Project, projectsOf } from '../../reading/threads/projects.ts'
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

/** A list of teams. */
export const teamList = (login: string, teams: readonly Team[], level: 2 | 3 = 3): Html =>
  html`<ul class="rows box">${teams.map((team) => html`<li class="row-thread">${icon('people')}<div>${level === 2 ? html`<h2>${teamLink(login, team)}</h2>` : html`<h3>${teamLink(login, team)}</h3>`}${team.description ? html`<p class="about" dir="auto">${isolated(team.description)}</p>` : ''}<p class="meta">${plural(membersOfTeam(team.store, team.url).length, 'member')}</p></div></li>`)}</ul>`

const teamLink = (login: string, { slug, name }: Team): Html =>
  html`<a href="${pathTo('orgs', login, 'teams', slug)}">${isolated(name)}</a>`

/** The teams of an organization. */
export function teamsPage({ library, params }: PageRequest): PageResult {
  const login = params.login ?? ''
  const found = findProfile(library, login)
  if (found?.profile.kind !== 'organization') return undefined
  const teams = teamsOf(found.store, found.profile.url)
  const body = html`<div class="bar-above"><h1>${plural(teams.length, 'team')} of ${person(found.login)}</h1></div>${teams.length === 0 ? blank('No teams') : teamList(found.login, teams, 2)}`
  return { title: `Teams of ${found.login}`, body }
}

/** The members of an organization are on its page. */
export const membersPage = ({ library, params }: PageRequest): PageResult => {
  const found = findProfile(library, params.login ?? '')
  return found && { redirect: pathTo(found.login) }
}

/** Members and repositories of a team. */
const MOST = 500

/** A team: its members and permissions. */
export function teamPage({ library, params }: PageRequest): PageResult {
  const login = params.login ?? ''
  const found = findProfile(library, login)
  const team = found && readTeam(found.store, teamUrl(found.profile.url, params.team ?? ''))
  if (!team) return undefined
  const { name, description, isSecret } = team
  const members = membersOfTeam(team.store, team.url)
  const rights = rightsOf(team)
  const body = html`<div class="bar-above"><h1>${isolated(name)}</h1><p class="muted">a team of ${person(login)}${isSecret ? html` <span class="pill-line">Secret</span>` : ''}</p></div>
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
  return { title: `${name} · ${login}`, body }
}

const numberOf = ({ url }: Project): string => url.slice(url.lastIndexOf('/') + 1)

/** The classic project boards of a repository. */
export const projectsPage = inRepository((repository) => {
  const projects = projectsOf(repository)
  if (projects.length === 0) return undefined
  const { owner, name } = repository
  const body = html`<div class="bar-above"><h1>${plural(projects.length, 'project')}</h1></div>
<ul class="rows box">${projects.map((one) => html`<li class="row-thread">${icon('project')}<div><h2><a href="${pathTo(owner, name, 'projects', numberOf(one))}">${isolated(one.name ?? 'Untitled')}</a></h2><p class="meta">${when(one.createdAt)}</p></div></li>`)}</ul>`
  return { title: 'Projects', body, repository, tab: 'projects' as const }
})

/** A board: its columns with their cards. */
export const projectPage = inRepository((repository, { library, params }) => {
  const project = projectsOf(repository).find((one) => numberOf(one) === params.number)
  if (!project) return undefined
  const markdown = { ...createMarkdownContext(library, repository), level: 2 }
  const { columns } = project
  const body = html`<div class="bar-above"><h1>${isolated(project.name ?? 'Untitled')}</h1></div>
${project.body ? html`<div class="body" dir="auto">${renderMarkdown(project.body, markdown)}</div>` : ''}
${
  columns.length === 0
    ? blank('This board has no columns')
    : html`<div class="board">${bounded(columns, MOST_COLUMNS, ({ name, cards }) => {
        return html`<section class="box"><h2>${isolated(name)} <span class="counter">${formatNumber(cards.length)}</span></h2><ul>${bounded(cards, MOST_CARDS, (card) => html`<li class="card in">${cardHtml(card, library, (text) => renderMarkdown(text, markdown))}</li>`, lastItem)}</ul></section>`
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
