import { readCommit } from '../../../git/history/walk-commits.ts'
import { isFolder, isLink, isSubmodule } from '../../../git/parse/parse-tree.ts'
import { readGitFile } from '../../../reading/git/files.ts'
import { findAt } from '../../../reading/git/folders.ts'
import { shortOid } from '../../../reading/names.ts'
import type { BlameRun } from '../../../tasks/blame-runs.ts'
import { type Html, html, isolated } from '../../html.ts'
import { icon } from '../../icons.ts'
import { threadPath } from '../../link.ts'
import type { PageResult } from '../../page.ts'
import { blank, plural, when } from '../../parts/elements.ts'
import { breadcrumbs, commitPath, commitPerson, gitPath } from '../../parts/git.ts'
import { codeTable, MOST_LINES } from './file.ts'
import { atPlace, type PlaceRequest } from './git-page.ts'

/** Where each line of a file comes from: its commit, and the pull request that brought it. */
export const blamePage = atPlace(async (request): Promise<PageResult> => {
  const { repository, git, revision, place: path } = request
  const entry = findAt(git, readCommit(git.objects, revision.oid).tree, path)
  if (!entry || path.length === 0 || isSubmodule(entry)) return undefined
  if (isFolder(entry)) return { redirect: gitPath(repository, 'tree', revision.name, path) }
  const blob = gitPath(repository, 'blob', revision.name, path)
  const { text } = await readGitFile(git, entry.oid)
  if (text === undefined || isLink(entry)) return { redirect: blob }
  const file = path.join('/')
  const head = html`<h1 class="hidden">Blame of ${file}</h1>
<div class="git-head">${breadcrumbs(repository, revision, path)}<p class="buttons"><a href="${blob}" data-lines>${icon('code')} File</a><a href="${gitPath(repository, 'commits', revision.name, path)}">${icon('history')} History</a></p></div>`
  const runs = await request.blame(repository.store, {
    repository: git.name,
    rev: revision.oid,
    file,
    lines: MOST_LINES,
  })
  const body =
    'message' in runs
      ? html`${head}${blank('The lines could not be followed', `${runs.message}.`)}`
      : html`${head}<div class="box file">${blameTable(request, entry.name, text, runs)}</div>`
  return { title: `Blame of ${file} at ${revision.name}`, body, repository, tab: 'code' }
})

function blameTable(
  request: PlaceRequest,
  name: string,
  text: string,
  runs: readonly BlameRun[],
): Html {
  const { repository, revision, place: path } = request
  const commits = new Set(runs.map(({ oid }) => oid)).size
  const starts = new Map(runs.map((run) => [run.line, run]))
  const cellAt = (line: number): Html => {
    const run = starts.get(line)
    return run === undefined
      ? html``
      : html`<td class="by" rowspan="${run.count}"><div>${origin(request, run)}</div></td>`
  }
  const raw = gitPath(repository, 'raw', revision.name, path)
  return html`<div class="box-head facts"><p class="meta">Lines of ${plural(commits, 'commit')}</p></div>${codeTable(name, text, raw, { heading: 'Commit', cellAt })}`
}

/** The commit that lines come from: its author, subject, pull request and date. */
function origin({ library, repository, place }: PlaceRequest, run: BlameRun): Html {
  const { oid, author, subject, time, path, brought } = run
  const commit = commitPath(repository, oid)
  const pull = brought && threadPath(repository, brought.number, '', 'pull')
  const isMoved = path !== place.join('/')
  return html`<p class="subject">${commitPerson(library, repository, author)} <a href="${commit}" title="${subject}">${isolated(subject === '' ? shortOid(oid) : subject)}</a></p>
<p class="meta">${brought === undefined ? '' : html`${pull === undefined ? html`#${brought.number}` : html`<a href="${pull}" title="${brought.title ?? ''}">#${brought.number}</a>`}${brought.found_by === 'title' ? html`<span title="Only the title of the commit names the pull request">?</span>` : ''} · `}<a href="${commit}"><code>${shortOid(oid)}</code></a> · ${when(time)}${isMoved ? html` · <span title="The file was ${path} then">moved</span>` : ''}</p>`
}
