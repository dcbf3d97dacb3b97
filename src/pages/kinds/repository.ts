import type { Language } from '../../git/history/count-languages.ts'
import { countLabelled, listLabels } from '../../reading/labels.ts'
import type { Repository } from '../../reading/library.ts'
import { listMilestones, readMilestone } from '../../reading/milestones.ts'
import { readRepositoryFacts } from '../../reading/repository-facts.ts'
import { type RepositoryRecord, readRepositoryRecord } from '../../reading/repository-record.ts'
import { listThreads } from '../../reading/threads/list-threads.ts'
import { type Html, html, isolated, outwardHref } from '../html.ts'
import { icon } from '../icons.ts'
import { inRepository, pageNumber } from '../page.ts'
import { blank, bounded, labelPill, plural, when } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'
import { outward, progressBar } from '../parts/thread-aside.ts'
import { threadList } from '../parts/thread-list.ts'
import { frontOf, languageBar } from './git/front.ts'

const RECENT = 8
const MOST_TOPICS = 100

/** A repository: its description and its latest activity. */
export const repositoryPage = inRepository(async (repository, request) => {
  const { library } = request
  const base = repositoryPath(repository)
  const row = readRepositoryRecord(repository)
  const code = await frontOf(repository, request)
  if (code) {
    const body = html`<h1 class="hidden">${repository.fullName}</h1>
<div class="columns"><div class="main-column">${code.html}</div>${about(repository, row, library.audience === 'all', code.languages)}</div>`
    const title = row?.description ?? 'Repository'
    return { title, body, repository, tab: 'code', prev: code.prev, next: code.next }
  }
  const issues = listThreads(library, repository, 'issues').rows(0, RECENT)
  const pulls = listThreads(library, repository, 'pulls').rows(0, RECENT)
  const latest = (title: string, path: string, list: Html, isEmpty: boolean) =>
    isEmpty
      ? ''
      : html`<section><div class="bar-above"><h2>${title}</h2><a href="${path}">All</a></div><div class="box">${list}</div></section>`
  const body = html`<h1 class="hidden">${repository.fullName}</h1>
<div class="columns"><div class="main-column">
${latest('Latest issues', `${base}/issues`, threadList(issues, 'issues', base), issues.length === 0)}
${latest('Latest pull requests', `${base}/pulls`, threadList(pulls, 'pulls', base), pulls.length === 0)}
${issues.length + pulls.length === 0 ? blank('Nothing here', 'The archive has no commits, issues or pull requests of this repository.') : ''}
</div>${about(repository, row, library.audience === 'all')}</div>`
  return { title: row?.description ?? 'Repository', body, repository, tab: 'code' }
})

function about(
  repository: Repository,
  row: RepositoryRecord | undefined,
  hasRaw: boolean,
  languages: readonly Language[] = [],
): Html {
  const base = repositoryPath(repository)
  const { releases = 0, milestones = 0 } =
    readRepositoryFacts(repository.store, repository.url) ?? {}
  const website = outwardHref(row?.website ?? '')
  const topics = row?.topics ?? []
  return html`<aside aria-label="About this repository">
<section><h2>About</h2>${row?.description ? html`<p dir="auto">${isolated(row.description)}</p>` : html`<p class="muted">No description.</p>`}
${website === undefined ? '' : html`<p>${icon('globe')} <a href="${website}" rel="noreferrer nofollow">${isolated(row?.website ?? '')}</a></p>`}
${topics.length === 0 ? '' : html`<p class="labels">${bounded(topics, MOST_TOPICS, (name) => html`<span class="topic">${isolated(name)}</span> `)}</p>`}
${row?.isArchived ? html`<p><span class="pill-note">Archived on the host</span></p>` : ''}
<p class="muted">${row?.createdAt ? html`Created ${when(row.createdAt)}` : 'The archive has no record of it'}</p></section>
<section><h2>Contents</h2><ul class="plain">
<li><a href="${base}/labels">${icon('tag')} ${plural(listLabels(repository).length, 'label')}</a></li>
<li><a href="${base}/milestones">${icon('milestone')} ${plural(milestones, 'milestone')}</a></li>
${releases === 0 ? '' : html`<li><a href="${base}/releases">${icon('tag')} ${plural(releases, 'release')}</a></li>`}
</ul></section>
${languageBar(languages)}
<ul class="elsewhere">
${hasRaw ? html`<li><a href="/-/raw?url=${encodeURIComponent(repository.url)}" data-raw>${icon('file-code')} Raw record</a></li>` : ''}
${outward(repository.url)}</ul></aside>`
}

/** Labels on a page. */
const LABELS = 500

/** All labels with their threads. */
export const labelsPage = inRepository((repository, { path, query }) => {
  const base = repositoryPath(repository)
  const labels = listLabels(repository).toSorted((a, b) =>
    a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1,
  )
  const page = pageNumber(query)
  const total = labels.length
  if (page > 1 && (page - 1) * LABELS >= total) return undefined
  const words = { prev: 'Before', next: 'After' }
  const pager = createPager(path, query, { page, total, size: LABELS }, words)
  const shown = labels.slice((page - 1) * LABELS, page * LABELS)
  const counts = countLabelled(repository)
  const body = html`<div class="bar-above"><h1>${plural(labels.length, 'label')}</h1></div>
${
  labels.length === 0
    ? blank('No labels')
    : html`<ul class="rows box">${shown.map(
        (label) =>
          html`<li class="row-label"><span>${labelPill(label, base)}</span><p class="about" dir="auto">${isolated(label.description ?? '')}</p><a href="${base}/labels/${encodeURIComponent(label.name)}">${plural(counts.get(label.url) ?? 0, 'thread')}</a></li>`,
      )}</ul>`
}${pager.nav()}`
  return { title: 'Labels', body, repository, tab: 'issues', prev: pager.prev, next: pager.next }
})

const MOST_MILESTONES = 1_000

/** Milestones with their progress. */
export const milestonesPage = inRepository((repository) => {
  const base = repositoryPath(repository)
  const query = { state: 'all', sort: 'number', direction: 'desc' } as const
  const rows = listMilestones(repository, query)
    .slice(0, MOST_MILESTONES)
    .flatMap((each) => readMilestone(repository, each) ?? [])
  const body = html`<div class="bar-above"><h1>${plural(rows.length, 'milestone')}</h1></div>
${
  rows.length === 0
    ? blank('No milestones')
    : html`<ul class="rows box">${rows.map(
        ({ number, title, state, dueAt, openThreads: open, closedThreads: closed }) => {
          return html`<li class="row-label"><div><h2><a href="${base}/milestone/${number}">${isolated(title ?? 'Untitled')}</a></h2><p class="meta">${state === 'open' ? 'Open' : 'Closed'}${dueAt === null ? '' : html` · due ${when(dueAt)}`}</p></div><div>${progressBar(closed, open + closed)}<p class="meta">${closed} of ${open + closed} done</p></div></li>`
        },
      )}</ul>`
}`
  return { title: 'Milestones', body, repository, tab: 'issues' }
})

/** A class for each color of the labels of a repository: no page has styles of its own. */
export const labelColors = inRepository((repository) => {
  const colors = new Set(listLabels(repository).flatMap(({ color }) => color ?? []))
  const css = [...colors].sort().map((color) => `.c-${color}{--c:#${color}}`)
  return { type: 'text/css; charset=utf-8', bytes: Buffer.from(`${css.join('\n')}\n`) }
})
