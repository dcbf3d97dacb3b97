import { readCommit } from '../../../git/history/walk-commits.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { isFolder, isSubmodule, type TreeEntry } from '../../../git/parse/parse-tree.ts'
import { readGitFile } from '../../../reading/git/files.ts'
import {
  type Folder,
  findAt,
  findReadme,
  isMarkdown,
  lastChanges,
  readFolder,
} from '../../../reading/git/folders.ts'
import type { Revision } from '../../../reading/git/revisions.ts'
import type { Repository } from '../../../reading/library.ts'
import { type Html, html, isolated } from '../../html.ts'
import { icon } from '../../icons.ts'
import { renderMarkdown } from '../../markdown/render-markdown.ts'
import { type PageResult, pageNumber } from '../../page.ts'
import { blank, formatNumber, plural } from '../../parts/elements.ts'
import { breadcrumbs, folderTable, gitPath, latestCommit } from '../../parts/git.ts'
import { createPager } from '../../parts/pager.ts'
import { createMarkdownContext } from '../../text-context.ts'
import { atPlace, type PlaceRequest } from './git-page.ts'

/** Entries on one page. */
const SIZE = 1_000

/** A folder with its README below. */
export const treePage = atPlace(async (request): Promise<PageResult> => {
  const { repository, git, revision, place: path } = request
  const commit = readCommit(git.objects, revision.oid)
  const entry = findAt(git, commit.tree, path)
  if (!entry || isSubmodule(entry)) return undefined
  if (!isFolder(entry)) return { redirect: gitPath(repository, 'blob', revision.name, path) }
  const view = await folderView(request, commit, entry.oid)
  if (view === undefined) return undefined
  const title = path.length === 0 ? revision.name : `${path.join('/')} at ${revision.name}`
  const body = html`<h1 class="hidden">${path.join('/') || repository.fullName}</h1>
<div class="git-head">${breadcrumbs(repository, revision, path)}${permanentLink(request, 'tree')}</div>
${view.html}`
  return { title, body, repository, tab: 'code', prev: view.prev, next: view.next }
})

/** A permalink: the same page at its commit. */
export function permanentLink(
  { repository, revision, place, isStatic }: PlaceRequest,
  word: 'tree' | 'blob',
): Html {
  if (isStatic) return html``
  const permanent =
    revision.kind === 'commit'
      ? ''
      : html`<a href="${gitPath(repository, word, revision.oid, place)}" data-permanent>${icon('link')} Permanent link</a>`
  return html`<p class="buttons">${findFile(repository, revision)}${permanent}</p>`
}

/** A link to the list of all files. */
export const findFile = (repository: Repository, revision: Revision): Html =>
  html`<a href="${gitPath(repository, 'find', revision.name)}" data-find-file>${icon('search')} Go to file</a>`

/** The latest commit, the entries and the README of a folder; undefined for a page that it does not have. */
export async function folderView(
  request: PlaceRequest,
  commit: Commit,
  tree: string,
): Promise<{ html: Html; prev: string | undefined; next: string | undefined } | undefined> {
  const { library, repository, git, revision, place: path, query } = request
  const folder = readFolder(git, tree)
  const { more } = folder
  const rank = (entry: TreeEntry) => (isFolder(entry) || isSubmodule(entry) ? 0 : 1)
  // Folders come first; in each group the order stays Git's.
  const entries = folder.entries.toSorted((a, b) => rank(a) - rank(b))
  const page = pageNumber(query)
  if (page > 1 && (page - 1) * SIZE >= entries.length) return undefined
  const words = { prev: 'Before', next: 'After' }
  const pager = createPager(request.path, query, { page, total: entries.length, size: SIZE }, words)
  const changes = lastChanges(git, revision.oid, path)
  const shown = entries.slice((page - 1) * SIZE, page * SIZE)
  const history = html`<a href="${gitPath(repository, 'commits', revision.name, path)}">${icon('history')} History</a>`
  const rest =
    more === 0
      ? ''
      : html`<p class="note-line">${formatNumber(more)} more entries are not shown: the folder has ${plural(entries.length + more, 'entry', 'entries')}.</p>`
  const table =
    entries.length === 0
      ? blank('This folder is empty')
      : folderTable(repository, revision, path, shown, changes)
  return {
    html: html`<div class="box folder">${latestCommit(library, repository, commit, history)}${table}${rest}</div>${pager.nav()}
${await readme(request, folder)}`,
    prev: pager.prev,
    next: pager.next,
  }
}

async function readme(request: PlaceRequest, folder: Folder): Promise<Html> {
  const entry = findReadme(folder)
  if (!entry) return html``
  const { git, repository, revision, place: path } = request
  const { text } = await readGitFile(git, entry.oid)
  if (text === undefined) return html``
  const address = gitPath(repository, 'blob', revision.name, [...path, entry.name])
  return html`<section class="box readme" aria-labelledby="readme"><div class="box-head"><h2 id="readme">${icon('book')} <a href="${address}">${isolated(entry.name)}</a></h2></div>
<div class="in body" dir="auto">${proseOf(request, entry, text, { origin: address, level: 2 })}</div></section>`
}

/** The text of a file: rendered if it is Markdown, otherwise as it is. */
export function proseOf(
  { library, repository }: Pick<PlaceRequest, 'library' | 'repository'>,
  { name }: Pick<TreeEntry, 'name'>,
  text: string,
  { origin, level }: { origin: string; level: number },
): Html {
  if (!isMarkdown(name)) return html`<pre class="plain">${text.slice(0, LONGEST_PLAIN)}</pre>`
  return renderMarkdown(text, { ...createMarkdownContext(library, repository, origin), level })
}

const LONGEST_PLAIN = 200_000
