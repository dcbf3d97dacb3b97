import type { Library, Repository } from '../../reading/library.ts'
import { countTabs } from '../../reading/repository-facts.ts'
import { readRepositoryRecord } from '../../reading/repository-record.ts'
import { Memo } from '../../reading/store.ts'
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
${pager.nav}${library.audience === 'all' && page === 1 ? activity(library) : ''}`
  return { title: 'Repositories', body, prev: pager.prev, next: pager.next }
}

function row(repository: Repository) {
  const { store, url, isPrivate } = repository
  const { issues, pulls, releases } = countTabs(repository)
  const record = readRepositoryRecord(repository)
  const base = repositoryPath(repository)
  const newest = store.remember(NEWEST, url, () => newestThread(repository))
  return html`<li class="row-thread">${icon(isPrivate ? 'lock' : 'repo')}<div><h2><a href="${base}">${isolated(repository.fullName)}</a></h2>
${isPrivate ? html` <span class="pill-line">Private</span>` : ''}${record?.isArchived ? html` <span class="pill-note">Archived</span>` : ''}
${record?.description ? html`<p class="about" dir="auto">${isolated(record.description)}</p>` : ''}
<p class="meta"><a href="${base}/issues">${plural(issues, 'open issue')}</a> · <a href="${base}/pulls">${plural(pulls, 'open pull request')}</a>${releases === 0 ? '' : html` · <a href="${base}/releases">${plural(releases, 'release')}</a>`}${record?.createdAt ? html` · created ${when(record.createdAt)}` : ''}${String(when(newest)) === '' ? '' : html` · last opened ${when(newest)}`}</p></div></li>`
}

const NEWEST = new Memo<string | null>()

/** When the newest issue or pull request of a repository was opened. */
const newestThread = ({ store, url }: Repository): string | null =>
  store.get<{ newest: string | null }>(
    `SELECT max(created_at) AS newest FROM (SELECT max(created_at) AS created_at FROM issues WHERE repository = ?
     UNION ALL SELECT max(created_at) FROM pull_requests WHERE repository = ?)`,
    url,
    url,
  )?.newest ?? null

interface Month {
  readonly month: string
  readonly issues: number
  readonly pulls: number
}

const MONTHS = new Memo<readonly Month[]>()

/** Issues and pull requests by the month in which they were opened. */
function activity({ stores }: Library) {
  const months = new Map<string, [number, number]>()
  for (const store of stores) {
    const rows = store.remember(MONTHS, '', () =>
      store.all<Month>(
        `SELECT substr(created_at, 1, 7) AS month, sum(NOT is_pull) AS issues, sum(is_pull) AS pulls FROM (
           SELECT created_at, 0 AS is_pull FROM issues UNION ALL SELECT created_at, 1 FROM pull_requests)
         WHERE created_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-*' GROUP BY 1 LIMIT 2000`,
      ),
    )
    for (const { month, issues, pulls } of rows) {
      const [before = 0, others = 0] = months.get(month) ?? []
      months.set(month, [before + issues, others + pulls])
    }
  }
  if (months.size < 2) return html``
  const rows = [...months].sort().map(([month, counts]) => [month, ...counts])
  const drawn = chart({ columns: ['month', 'issues_opened', 'pull_requests_opened'], rows })
  return html`<section class="box pulse home-chart"><h2>Activity</h2>${drawn}</section>`
}

type Summary = Record<'issues' | 'pulls' | 'comments' | 'accounts' | 'archives', number>

const SUMMARIES = new Memo<Summary>()

function summary({ stores }: Library) {
  const counts = stores.map((store) =>
    store.remember(
      SUMMARIES,
      '',
      (): Summary => ({
        issues: store.count('SELECT count(*) FROM issues'),
        pulls: store.count('SELECT count(*) FROM pull_requests'),
        comments: store.count(
          'SELECT (SELECT count(*) FROM issue_comments) + (SELECT count(*) FROM pull_request_review_comments)',
        ),
        accounts: store.count('SELECT count(*) FROM people'),
        archives: store.count('SELECT count(*) FROM archives'),
      }),
    ),
  )
  const sum = (name: keyof Summary) => counts.reduce((total, one) => total + one[name], 0)
  const facts: [number, string, string | undefined][] = [
    [sum('archives'), 'archives', '/-/archives'],
    [sum('accounts'), 'accounts', '/-/people'],
    [sum('issues'), 'issues', '/-/threads'],
    [sum('pulls'), 'pull requests', '/-/threads'],
    [sum('comments'), 'comments', undefined],
  ]
  return html`<ul class="figures">${facts.map(([count, word, path]) => {
    const text = html`<b>${formatNumber(count)}</b> ${count === 1 ? word.slice(0, -1) : word}`
    return html`<li>${path === undefined ? text : html`<a href="${path}">${text}</a>`}</li>`
  })}</ul>`
}
