import { html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import type { PageRequest, PageView } from '../page.ts'
import { pageNumber } from '../page.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'
import { blank, formatNumber, plural, when } from '../parts/small.ts'
import type { Library, Repository } from '../read/library.ts'
import { countTabs } from '../read/lists.ts'

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
${pager.nav}`
  return { title: 'Repositories', body, prev: pager.prev, next: pager.next }
}

function row(repository: Repository) {
  const { store, url, isPrivate } = repository
  const { issues, pulls, releases } = countTabs(repository)
  const record = store.get<{
    description: string | null
    created_at: string | null
    is_archived: number | null
  }>('SELECT description, created_at, is_archived FROM repositories WHERE url = ?', url)
  const base = repositoryPath(repository)
  return html`<li class="row-thread">${icon(isPrivate ? 'lock' : 'repo')}<div><h2><a href="${base}">${isolated(repository.fullName)}</a></h2>
${isPrivate ? html` <span class="pill-line">Private</span>` : ''}${record?.is_archived ? html` <span class="pill-note">Archived</span>` : ''}
${record?.description ? html`<p class="about" dir="auto">${isolated(record.description)}</p>` : ''}
<p class="meta"><a href="${base}/issues">${plural(issues, 'open issue')}</a> · <a href="${base}/pulls">${plural(pulls, 'open pull request')}</a>${releases === 0 ? '' : html` · <a href="${base}/releases">${plural(releases, 'release')}</a>`}${record?.created_at ? html` · created ${when(record.created_at)}` : ''}</p></div></li>`
}

function summary({ stores }: Library) {
  const counts = stores.map((store) =>
    store.remember('summary', () => ({
      issues: store.count('SELECT count(*) FROM issues'),
      pulls: store.count('SELECT count(*) FROM pull_requests'),
      comments: store.count(
        'SELECT (SELECT count(*) FROM issue_comments) + (SELECT count(*) FROM pull_request_review_comments)',
      ),
      people: store.count('SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM bots)'),
      archives: store.count('SELECT count(*) FROM archives'),
    })),
  )
  const sum = (name: 'issues' | 'pulls' | 'comments' | 'people' | 'archives') =>
    counts.reduce((total, one) => total + one[name], 0)
  const facts: [number, string, string | undefined][] = [
    [sum('archives'), 'archives', '/-/archives'],
    [sum('people'), 'people', '/-/people'],
    [sum('issues'), 'issues', undefined],
    [sum('pulls'), 'pull requests', undefined],
    [sum('comments'), 'comments', undefined],
  ]
  return html`<ul class="figures">${facts.map(([count, word, path]) => {
    const text = html`<b>${formatNumber(count)}</b> ${count === 1 && word !== 'people' ? word.slice(0, -1) : word}`
    return html`<li>${path === undefined ? text : html`<a href="${path}">${text}</a>`}</li>`
  })}</ul>`
}
