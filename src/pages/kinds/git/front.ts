import type { Language } from '../../../git/history/count-languages.ts'
import { readCommit } from '../../../git/history/walk-commits.ts'
import { isUnreadable } from '../../../git/open-git.ts'
import { languagesOf } from '../../../reading/git/languages.ts'
import { listRefs } from '../../../reading/git/refs.ts'
import { defaultRevision, openGit } from '../../../reading/git/repository-git.ts'
import type { Repository } from '../../../reading/library.ts'
import { type Html, html, isolated } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { PageRequest } from '../../page.ts'
import { blank, pathTo, plural } from '../../parts/elements.ts'
import { gitPath } from '../../parts/git.ts'
import { repositoryPath } from '../../parts/layout.ts'
import { findFile, folderView } from './folder.ts'

/** The root folder of a repository, with branches, tags and languages; undefined if it has no commits. */
export async function frontOf(
  repository: Repository,
  request: PageRequest,
): Promise<
  | {
      html: Html
      languages: readonly Language[]
      prev?: string | undefined
      next?: string | undefined
    }
  | undefined
> {
  try {
    const git = openGit(repository)
    const revision = git && defaultRevision(repository, git)
    if (!revision) return undefined
    const commit = readCommit(git.objects, revision.oid)
    const place = { ...request, repository, git, revision, place: [] }
    const view = await folderView(place, commit, commit.tree)
    if (!view) return undefined
    const languages = await languagesOf(git, commit.tree)
    const count = (prefix: string) => listRefs(git.database, git.name, prefix).count
    const [branches, tags] = [count('refs/heads/'), count('refs/tags/')]
    const base = repositoryPath(repository)
    const bar = html`<div class="git-head"><p class="refs"><a class="ref-name" href="${gitPath(repository, 'tree', revision.name)}">${icon('git-branch')} ${isolated(revision.name)}</a> <a href="${base}/branches">${plural(branches, 'branch', 'branches')}</a> <a href="${base}/tags">${plural(tags, 'tag')}</a></p>${request.isStatic ? '' : html`<div class="buttons">${findFile(repository, revision)}${cloneMenu(repository)}</div>`}</div>`
    return { html: html`${bar}${view.html}`, languages, prev: view.prev, next: view.next }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return { html: blank('The Git data cannot be read', error.message), languages: [] }
  }
}

/** The line that clones the repository from this server; a script puts its address in front. */
const cloneMenu = ({ owner, name }: Repository): Html =>
  html`<details class="menu"><summary>Clone</summary><div><p class="copied"><code data-copy data-origin="git clone ">${pathTo(owner, `${name}.git`)}</code></p></div></details>`

/** Languages that are named. The others are summed up. */
const NAMED = 6
const WIDTH = 264

/** The languages of a repository as a bar, and in words. */
export function languageBar(languages: readonly Language[]): Html {
  const total = languages.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total === 0) return html``
  const others = languages.slice(NAMED).reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = [
    ...languages.slice(0, NAMED),
    ...(others > 0 ? [{ name: 'Other', bytes: others }] : []),
  ]
  let x = 0
  const bars = shown.map(({ bytes }, i) => {
    const width = (bytes / total) * WIDTH
    const bar = html`<rect class="lang-${i}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`
    x += width
    return bar
  })
  return html`<section><h2>Languages</h2><svg class="bar" aria-hidden="true" width="100%" height="8" viewBox="0 0 ${WIDTH} 8" preserveAspectRatio="none">${bars}</svg>
<ul class="plain langs">${shown.map(({ name, bytes }, i) => html`<li><svg class="dot-lang" aria-hidden="true" width="10" height="10" viewBox="0 0 10 10"><circle class="lang-${i}" cx="5" cy="5" r="5"/></svg> ${name} <span class="muted">${share(bytes / total)}</span></li>`)}</ul></section>`
}

const share = (part: number): string => (part < 0.001 ? '< 0.1 %' : `${(part * 100).toFixed(1)} %`)
