import { type Commit, subjectOf } from '../../git/parse/parse-commit.ts'
import { type Person, timeOf } from '../../git/parse/parse-person.ts'
import { isFolder, isLink, isSubmodule, type TreeEntry } from '../../git/parse/parse-tree.ts'
import { isAddressable } from '../../reading/git/folders.ts'
import { loginOfEmail } from '../../reading/git/repository-git.ts'
import type { Revision } from '../../reading/git/revisions.ts'
import type { Library, Repository } from '../../reading/library.ts'
import { shortOid } from '../../reading/names.ts'
import { type Html, html, isolated, joinHtml } from '../html.ts'
import { icon } from '../icons.ts'
import { avatar, pathTo, when } from './elements.ts'

/** Pages that have a revision and a path in their address. */
export type GitWord = 'tree' | 'blob' | 'blame' | 'find' | 'raw' | 'commits'

/** The address of a file, folder or history. */
export const gitPath = (
  { owner, name }: Repository,
  word: GitWord,
  revision: string,
  path: readonly string[] = [],
): string => pathTo(owner, name, word, ...revision.split('/'), ...path)

export const commitPath = ({ owner, name }: Repository, oid: string): string =>
  pathTo(owner, name, 'commit', oid)

/** The folders above a page as links, from the root of the repository. */
export function breadcrumbs(
  repository: Repository,
  revision: Revision,
  path: readonly string[],
  word: 'tree' | 'commits' = 'tree',
): Html {
  const root = html`<a href="${gitPath(repository, word, revision.name)}">${isolated(repository.name)}</a>`
  const parts = path.map((part, i) =>
    i === path.length - 1
      ? html`<b aria-current="page">${isolated(part)}</b>`
      : html`<a href="${gitPath(repository, word, revision.name, path.slice(0, i + 1))}">${isolated(part)}</a>`,
  )
  const sign =
    revision.kind === 'tag' ? 'tag' : revision.kind === 'commit' ? 'git-commit' : 'git-branch'
  const name = revision.kind === 'commit' ? shortOid(revision.oid) : revision.name
  return html`<nav class="crumbs" aria-label="Where this is"><span class="ref-name">${icon(sign)} ${isolated(name)}</span> <span class="parts">${joinHtml([root, ...parts], html` <span aria-hidden="true">/</span> `)}</span></nav>`
}

/** An author or committer: an account, if the archive knows whose address it is. */
export function commitPerson(
  library: Library,
  repository: Repository,
  { name, email }: Person,
): Html {
  const login = loginOfEmail(library, repository, email)
  if (login === undefined)
    return html`${avatar(name || '?', 'small')} <span class="person">${isolated(name || 'nobody')}</span>`
  return html`${avatar(login, 'small')} <a class="person" href="${pathTo(login)}">${isolated(login)}</a>`
}

/** The subject of a commit, cut; a commit without one is shown by its id. */
export function commitSubject(commit: Commit): string {
  const subject = subjectOf(commit)
  if (subject === '') return shortOid(commit.oid)
  return subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)} …` : subject
}

const LONGEST_SUBJECT = 240

/** Above a folder or file: the latest commit, and the way to the history. */
export function latestCommit(
  library: Library,
  repository: Repository,
  commit: Commit,
  history: Html,
): Html {
  return html`<div class="box-head latest"><p>${commitPerson(library, repository, commit.author)} <a class="subject" href="${commitPath(repository, commit.oid)}">${isolated(commitSubject(commit))}</a></p>
<p class="meta"><a href="${commitPath(repository, commit.oid)}"><code>${shortOid(commit.oid)}</code></a> · ${when(timeOf(commit.committer))} · ${history}</p></div>`
}

/** The rows of a folder. */
export function folderTable(
  repository: Repository,
  revision: Revision,
  path: readonly string[],
  entries: readonly TreeEntry[],
  changes: ReadonlyMap<string, Commit>,
): Html {
  const up =
    path.length === 0
      ? ''
      : html`<tr><td class="name folder"><a href="${gitPath(repository, 'tree', revision.name, path.slice(0, -1))}">${icon('file-directory-fill')} .. <span class="hidden">the folder above</span></a></td><td class="change"></td><td class="date"></td></tr>\n`
  return html`<table class="files" aria-label="Files"><colgroup><col class="name"><col class="change"><col class="date"></colgroup><thead class="hidden"><tr><th scope="col">Name</th><th scope="col">Latest change</th><th scope="col">Date</th></tr></thead><tbody>
${up}${entries.map((entry) => folderRow(repository, revision, path, entry, changes.get(entry.bytes)))}</tbody></table>`
}

function folderRow(
  repository: Repository,
  revision: Revision,
  path: readonly string[],
  entry: TreeEntry,
  change: Commit | undefined,
): Html {
  const { name, oid } = entry
  const sign = isFolder(entry)
    ? 'file-directory-fill'
    : isSubmodule(entry)
      ? 'file-submodule'
      : isLink(entry)
        ? 'file-symlink-file'
        : 'file'
  const word = isFolder(entry)
    ? 'folder'
    : isSubmodule(entry)
      ? 'submodule'
      : isLink(entry)
        ? 'link'
        : 'file'
  const to = isFolder(entry) ? 'tree' : 'blob'
  const shown = isSubmodule(entry)
    ? html`<span>${isolated(name)} @ <code>${shortOid(oid)}</code></span>`
    : isAddressable(entry)
      ? html`<a href="${gitPath(repository, to, revision.name, [...path, name])}">${isolated(name)}</a>`
      : html`<span>${isolated(name)}</span>`
  const changed =
    change &&
    html`<a href="${commitPath(repository, change.oid)}">${isolated(commitSubject(change))}</a>`
  return html`<tr><td class="name ${word}">${icon(sign)} <span class="hidden">${word} </span>${shown}</td><td class="change">${changed}</td><td class="date">${change && when(timeOf(change.committer))}</td></tr>\n`
}

/** Commits by day, latest first. */
export function commitList(
  library: Library,
  repository: Repository,
  commits: readonly Commit[],
  level: 2 | 3 = 2,
): Html {
  const days: { day: string | null; commits: Commit[] }[] = []
  for (const commit of commits) {
    const day = timeOf(commit.committer)?.slice(0, 10) ?? null
    const last = days.at(-1)
    if (last?.day === day) last.commits.push(commit)
    else days.push({ day, commits: [commit] })
  }
  return html`${days.map(
    ({
      day,
      commits: all,
    }) => html`<section class="day">${level === 2 ? html`<h2>${dayOf(day)}</h2>` : html`<h3>${dayOf(day)}</h3>`}
<ul class="box rows">${all.map((commit) => commitRow(library, repository, commit, level))}</ul></section>`,
  )}`
}

const dayOf = (day: string | null) => (day === null ? 'Without a date' : when(`${day}T00:00:00Z`))

function commitRow(library: Library, repository: Repository, commit: Commit, level: 2 | 3): Html {
  const { oid, author, committer } = commit
  const isOther = author.email !== committer.email && committer.name !== 'GitHub'
  const subject = html`<a href="${commitPath(repository, oid)}">${isolated(commitSubject(commit))}</a>`
  const by = isOther
    ? html` wrote it, ${commitPerson(library, repository, committer)} committed it on`
    : html` on`
  return html`<li class="row-commit"><div>${level === 2 ? html`<h3>${subject}</h3>` : html`<h4>${subject}</h4>`}
<p class="meta">${commitPerson(library, repository, author)}${by} ${when(timeOf(committer))}</p></div>
<p class="oid"><a href="${commitPath(repository, oid)}"><code>${shortOid(oid)}</code></a></p></li>`
}
