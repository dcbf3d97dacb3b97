import { newestThread, threadsByMonth, totalsOf } from '../../reading/databases/totals.ts'
import type { Library, Repository } from '../../reading/library.ts'
import { countTabs } from '../../reading/repository-facts.ts'
import { readRepositoryRecord } from '../../reading/repository-record.ts'
import { html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import type { PageRequest, PageView } from '../page.ts'
import { pageNumber } from '../page.ts'
import { chart } from '../parts/chart.ts'
import { blank, formatNumber, plural, when } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'

const SIZE = 50

/** The repositories of all databases, and where they come from. */
export function homePage(request: PageRequest): PageView | undefined {
  const { library, path, query } = request
  const all = library.repositories()
  const page = pageNumber(query)
  if (page > 1 && (page - 1) * SIZE >= all.length) return undefined
  const pager = createPager(
    path,
    query,
    { page, total: all.length, size: SIZE },
    { prev: 'Before', next: 'After' },
  )
  const shown = all.slice((page - 1) * SIZE, page * SIZE)
  const body = html`<div class="bar-above"><h1>${plural(all.length, 'repository', 'repositories')}</h1></div>
${library.audience === 'all' ? summary(library) : ''}
${shown.length === 0 ? blank('No repositories', 'The archive has no record of a repository.') : html`<ul class="rows box">${shown.map(row)}</ul>`}
${pager.nav()}${library.audience === 'all' && page === 1 ? activity(library) : ''}`
  return { title: 'Repositories', body, prev: pager.prev, next: pager.next }
}

function row(repository: Repository) {
  const { isPrivate } = repository
  const { issues, pulls, releases } = countTabs(repository)
  const record = readRepositoryRecord(repository)
  const base = repositoryPath(repository)
  const newest = newestThread(repository)
  return html`<li class="row-thread">${icon(isPrivate ? 'lock' : 'repo')}<div><h2><a href="${base}">${isolated(repository.fullName)}</a></h2>
${isPrivate ? html` <span class="pill-line">Private</span>` : ''}${record?.isArchived ? html` <span class="pill-note">Archived</span>` : ''}
${record?.description ? html`<p class="about" dir="auto">${isolated(record.description)}</p>` : ''}
<p class="meta"><a href="${base}/issues">${plural(issues, 'open issue')}</a> · <a href="${base}/pulls">${plural(pulls, 'open pull request')}</a>${releases === 0 ? '' : html` · <a href="${base}/releases">${plural(releases, 'release')}</a>`}${record?.createdAt ? html` · created ${when(record.createdAt)}` : ''}${String(when(newest)) === '' ? '' : html` · last opened ${when(newest)}`}</p></div></li>`
}

/** Issues and pull requests by the month in which they were opened. */
function activity(library: Library) {
  const months = threadsByMonth(library)
  if (months.length < 2) return html``
  const rows = months.map(({ month, issues, pulls }) => [month, issues, pulls])
  const drawn = chart({ columns: ['month', 'issues_opened', 'pull_requests_opened'], rows })
  return html`<section class="box pulse home-chart"><h2>Activity</h2>${drawn}</section>`
}

function summary(library: Library) {
  const { archives, accounts, issues, pulls, comments } = totalsOf(library)
  const facts: [number, string, string | undefined][] = [
    [archives, 'archives', '/-/archives'],
    [accounts, 'accounts', '/-/people'],
    [issues, 'issues', '/-/threads'],
    [pulls, 'pull requests', '/-/threads'],
    [comments, 'comments', undefined],
  ]
  return html`<ul class="figures">${facts.map(([count, word, path]) => {
    const text = html`<b>${formatNumber(count)}</b> ${count === 1 ? word.slice(0, -1) : word}`
    return html`<li>${path === undefined ? text : html`<a href="${path}">${text}</a>`}</li>`
  })}</ul>`
}
