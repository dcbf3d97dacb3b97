import { readCommit } from '../../../git/history/walk-commits.ts'
import { findAt } from '../../../reading/git/folders.ts'
import { listCommits } from '../../../reading/git/history.ts'
import { html } from '../../html.ts'
import { pageNumber } from '../../page.ts'
import { blank, formatNumber } from '../../parts/elements.ts'
import { breadcrumbs, commitList } from '../../parts/git.ts'
import { atPlace } from './git-page.ts'

/** Commits on one page. */
export const COMMITS_OF_PAGE = 40

/** The history of a ref, or of a file or folder in it, by day. */
export const commitsPage = atPlace(async (request) => {
  const { library, repository, git, revision, place: path, query } = request
  const page = pageNumber(query)
  const offset = (page - 1) * COMMITS_OF_PAGE
  if (path.length > 0) {
    const { tree } = readCommit(git.objects, revision.oid)
    if (!findAt(git, tree, path)) return undefined
  }
  const list = listCommits(git, revision.oid, { path })
  await list.reach(offset + COMMITS_OF_PAGE + 1)
  const oids = list.oids(offset, COMMITS_OF_PAGE)
  const hasNext = list.count > offset + COMMITS_OF_PAGE
  if (oids.length === 0 && page > 1) return undefined
  const commits = oids.map((oid) => readCommit(git.objects, oid))
  const to = (number: number) => (number === 1 ? request.path : `${request.path}?page=${number}`)
  const prev = page > 1 ? to(page - 1) : undefined
  const next = hasNext ? to(page + 1) : undefined
  const pager =
    prev === undefined && next === undefined
      ? ''
      : html`<nav class="pager" aria-label="Pages"><ul>
<li>${prev === undefined ? html`<span>‹ Newer</span>` : html`<a rel="prev" href="${prev}">‹ Newer</a>`}</li>
<li><span>Page ${formatNumber(page)}</span></li>
<li>${next === undefined ? html`<span>Older ›</span>` : html`<a rel="next" href="${next}">Older ›</a>`}</li></ul></nav>`
  const end =
    list.isCut && !hasNext
      ? html`<p class="note-line">The history goes on, but the commits before are not in the archive, or too many to list.</p>`
      : ''
  const title = path.length === 0 ? `Commits of ${revision.name}` : `History of ${path.join('/')}`
  const body = html`<h1 class="hidden">${title}</h1>
<div class="git-head">${breadcrumbs(repository, revision, path, 'commits')}</div>
${commits.length === 0 ? blank('No commits') : commitList(library, repository, commits)}${end}${pager}`
  return { title, body, repository, tab: 'code', prev, next }
})
