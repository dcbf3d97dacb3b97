import type { Language } from '../../git/history/count-languages.ts'
import { objectsOf } from '../../thread/names.ts'
import { type Html, html, isolated, outwardHref } from '../html.ts'
import { icon } from '../icons.ts'
import { inRepository } from '../page.ts'
import { blank, labelPill, plural, when } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { outward, progressBar } from '../parts/thread-aside.ts'
import { threadList } from '../parts/thread-list.ts'
import type { Repository } from '../read/library.ts'
import { countTabs, findThreads, labelsOf, readThreadRows } from '../read/lists.ts'
import { countMilestone } from '../read/thread-facts.ts'
import { frontOf, languageBar } from './git/front.ts'

interface RepositoryRow {
  description: string | null
  website: string | null
  created_at: string | null
  default_branch: string | null
  is_archived: number | null
  repository_topics: string | null
}

const RECENT = 8

/** A repository: its description and its latest activity. */
export const repositoryPage = inRepository(async (repository, request) => {
  const { library } = request
  const { store, url } = repository
  const base = repositoryPath(repository)
  const row = store.get<RepositoryRow>(
    'SELECT description, website, created_at, default_branch, is_archived, repository_topics FROM repositories WHERE url = ?',
    url,
  )
  const code = await frontOf(repository, request)
  if (code) {
    const body = html`<h1 class="hidden">${repository.fullName}</h1>
<div class="columns"><div class="main-column">${code.html}</div>${about(repository, row, library.audience === 'all', code.languages)}</div>`
    const title = row?.description ?? 'Repository'
    return { title, body, repository, tab: 'code', prev: code.prev, next: code.next }
  }
  const issues = readThreadRows(
    repository,
    'issues',
    findThreads(repository, 'issues', {}).slice(0, RECENT),
  )
  const pulls = readThreadRows(
    repository,
    'pulls',
    findThreads(repository, 'pulls', {}).slice(0, RECENT),
  )
  const latest = (title: string, path: string, list: Html, isEmpty: boolean) =>
    isEmpty
      ? ''
      : html`<section><div class="bar-above"><h2>${title}</h2><a href="${path}">All</a></div><div class="box">${list}</div></section>`
  const body = html`<h1 class="hidden">${repository.fullName}</h1>
<div class="columns"><div class="main-column">
${latest('Latest issues', `${base}/issues`, threadList(issues, 'issues', base), issues.length === 0)}
${latest('Latest pull requests', `${base}/pulls`, threadList(pulls, 'pulls', base), pulls.length === 0)}
${issues.length + pulls.length === 0 ? blank('No threads', 'The archive has no issues or pull requests of this repository.') : ''}
</div>${about(repository, row, library.audience === 'all')}</div>`
  return { title: row?.description ?? 'Repository', body, repository, tab: 'code' }
})

function about(
  repository: Repository,
  row: RepositoryRow | undefined,
  hasRaw: boolean,
  languages: readonly Language[] = [],
): Html {
  const base = repositoryPath(repository)
  const { releases } = countTabs(repository)
  const milestones = repository.store.remember(`milestones ${repository.url}`, () =>
    repository.store.count('SELECT count(*) FROM milestones WHERE repository = ?', repository.url),
  )
  const website = outwardHref(row?.website ?? '')
  const topics = objectsOf(row?.repository_topics ?? null).flatMap(({ name }) =>
    typeof name === 'string' ? [name] : [],
  )
  return html`<aside aria-label="About this repository">
<section><h2>About</h2>${row?.description ? html`<p dir="auto">${isolated(row.description)}</p>` : html`<p class="muted">No description.</p>`}
${website === undefined ? '' : html`<p>${icon('globe')} <a href="${website}" rel="noreferrer nofollow">${isolated(row?.website ?? '')}</a></p>`}
${topics.length === 0 ? '' : html`<p class="labels">${topics.map((name) => html`<span class="topic">${isolated(name)}</span> `)}</p>`}
${row?.is_archived ? html`<p><span class="pill-note">Archived on the host</span></p>` : ''}
<p class="muted">${row?.created_at ? html`Created ${when(row.created_at)}` : 'The archive has no record of it'}</p></section>
<section><h2>Contents</h2><ul class="plain">
<li><a href="${base}/labels">${icon('tag')} ${plural(labelsOf(repository).size, 'label')}</a></li>
<li><a href="${base}/milestones">${icon('milestone')} ${plural(milestones, 'milestone')}</a></li>
${releases === 0 ? '' : html`<li><a href="${base}/releases">${icon('tag')} ${plural(releases, 'release')}</a></li>`}
</ul></section>
${languageBar(languages)}
<ul class="elsewhere">
${hasRaw ? html`<li><a href="/-/raw?url=${encodeURIComponent(repository.url)}" data-raw>${icon('file-code')} Raw record</a></li>` : ''}
${outward(repository.url)}</ul></aside>`
}

/** All labels with their threads. */
export const labelsPage = inRepository((repository) => {
  const base = repositoryPath(repository)
  const labels = [...labelsOf(repository).values()].sort((a, b) =>
    a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1,
  )
  const counts = repository.store.remember(
    `label counts ${repository.url}`,
    () => countLabels(repository),
    (map) => map.size * 100,
  )
  const body = html`<div class="bar-above"><h1>${plural(labels.length, 'label')}</h1></div>
${
  labels.length === 0
    ? blank('No labels')
    : html`<ul class="rows box">${labels.map(
        (label) =>
          html`<li class="row-label"><span>${labelPill(label, base)}</span><p class="about" dir="auto">${isolated(label.description ?? '')}</p><a href="${base}/labels/${encodeURIComponent(label.name)}">${plural(counts.get(label.url) ?? 0, 'thread')}</a></li>`,
      )}</ul>`
}`
  return { title: 'Labels', body, repository, tab: 'issues' }
})

function countLabels({ store, url }: Repository): ReadonlyMap<string, number> {
  const rows = store.all<{ label: unknown; count: number }>(
    `SELECT e.value AS label, count(*) AS count FROM (
       SELECT labels FROM issues WHERE repository = ? UNION ALL SELECT labels FROM pull_requests WHERE repository = ?) AS o,
       json_each(CASE WHEN json_valid(o.labels) THEN o.labels END) AS e GROUP BY e.value`,
    ...[url, url],
  )
  return new Map(
    rows.flatMap(({ label, count }) => (typeof label === 'string' ? [[label, count]] : [])),
  )
}

/** Milestones with their progress. */
export const milestonesPage = inRepository((repository) => {
  const base = repositoryPath(repository)
  const rows = repository.store.all<{
    url: string
    number: number | null
    title: string | null
    state: string | null
    due_on: string | null
  }>(
    "SELECT url, number, title, state, due_on FROM milestones WHERE repository = ? ORDER BY state = 'open' DESC, number DESC LIMIT 1000",
    repository.url,
  )
  const body = html`<div class="bar-above"><h1>${plural(rows.length, 'milestone')}</h1></div>
${
  rows.length === 0
    ? blank('No milestones')
    : html`<ul class="rows box">${rows.map(({ url, number, title, state, due_on }) => {
        const { open, closed } = countMilestone(repository.store, url)
        return html`<li class="row-label"><div><h2><a href="${base}/milestone/${number}">${isolated(title ?? 'Untitled')}</a></h2><p class="meta">${state === 'open' ? 'Open' : 'Closed'}${due_on === null ? '' : html` · due ${when(due_on)}`}</p></div><div>${progressBar(closed, open + closed)}<p class="meta">${closed} of ${open + closed} done</p></div></li>`
      })}</ul>`
}`
  return { title: 'Milestones', body, repository, tab: 'issues' }
})

/** A class for each color of the labels of a repository: no page has styles of its own. */
export const labelColors = inRepository((repository) => {
  const colors = new Set([...labelsOf(repository).values()].flatMap(({ color }) => color ?? []))
  const css = [...colors].sort().map((color) => `.c-${color}{--c:#${color}}`)
  return { type: 'text/css; charset=utf-8', bytes: Buffer.from(`${css.join('\n')}\n`) }
})
