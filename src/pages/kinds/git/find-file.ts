import { readCommit } from '../../../git/history/walk-commits.ts'
import { walkTree } from '../../../git/objects/walk-tree.ts'
import { type GitData, keep } from '../../../git/open-git.ts'
import { isFolder, isSubmodule } from '../../../git/parse/parse-tree.ts'
import { isAddressable } from '../../../reading/git/folders.ts'
import { html, isolated } from '../../html.ts'
import { blank, formatNumber, plural } from '../../parts/elements.ts'
import { breadcrumbs, gitPath } from '../../parts/git.ts'
import { atPlace } from './git-page.ts'

/** Files that a page lists, and that are looked at. */
const SHOWN = 1_000
const MOST = 100_000

/** The files of a revision by a part of their path: all that have it are listed, and a script narrows the list further. */
export const findFilePage = atPlace(({ repository, git, revision, place, query, path }) => {
  if (place.length > 0) return undefined
  const { files, isCut } = filesOf(git, readCommit(git.objects, revision.oid).tree)
  const part = (query.get('q') ?? '').trim()
  const wanted = part.toLowerCase()
  const found = wanted === '' ? files : files.filter((file) => file.toLowerCase().includes(wanted))
  const rest = found.length - SHOWN
  const rows = found.slice(0, SHOWN).map((file) => {
    return html`<li><a href="${gitPath(repository, 'blob', revision.name, file.split('/'))}">${isolated(file)}</a></li>\n`
  })
  const body = html`<h1 class="hidden">Files of ${revision.name}</h1>
<div class="git-head">${breadcrumbs(repository, revision, [])}</div>
<div class="find"><form class="search-page" action="${path}" data-narrow><input type="search" name="q" value="${part}" aria-label="A part of the path" placeholder="A part of the path" autocomplete="off" autofocus><button type="submit">Find</button></form>
<p class="about" role="status">${plural(found.length, 'file')}${rest > 0 ? `, of which the first ${formatNumber(SHOWN)} are listed` : ''}${isCut ? `. Only ${formatNumber(MOST)} files were looked at` : ''}</p>
${found.length === 0 ? blank('No file has this in its path') : html`<ul class="box paths">${rows}</ul>`}</div>`
  return { title: `Files of ${revision.name}`, body, repository, tab: 'code' }
})

interface Files {
  readonly files: readonly string[]
  readonly isCut: boolean
}

const keepFiles = keep<Files>(1)

/** The paths of all files of a tree that have a page. */
const filesOf = (git: GitData, tree: string): Files =>
  keepFiles(git, tree, () => {
    const files: string[] = []
    for (const entry of walkTree(git.objects, tree)) {
      if (isFolder(entry) || isSubmodule(entry) || !isAddressable(entry)) continue
      if (files.length === MOST) return { files, isCut: true }
      files.push(entry.path)
    }
    return { files, isCut: false }
  })
