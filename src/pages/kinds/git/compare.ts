import { compareHistories } from '../../../git/history/compare-histories.ts'
import { readCommit } from '../../../git/history/walk-commits.ts'
import { changesBetween } from '../../../reading/git/changes.ts'
import { LISTED } from '../../../reading/git/pull-requests.ts'
import { type Revision, revisionOf } from '../../../reading/git/revisions.ts'
import { html, isolated } from '../../html.ts'
import { icon } from '../../icons.ts'
import { formatNumber, plural } from '../../parts/elements.ts'
import { fileDiffs } from '../../parts/file-diffs.ts'
import { commitList, gitPath } from '../../parts/git.ts'
import { readDiff } from '../../read/git-diff.ts'
import { fileNumber } from './commit.ts'
import { type GitRequest, revisionParts, withGit } from './git-page.ts'

/**
 * The commits and changes of one revision that another does not have: `main...topic` compares with the last commit that both
 * have, `main..topic` with the other one itself.
 */
export const comparePage = withGit(async (request) => {
  const { library, repository, git, path } = request
  const between = revisionParts(request).join('/')
  const dots = between.includes('...') ? '...' : '..'
  const at = between.indexOf(dots)
  if (at < 0) return undefined
  const before = revisionOf(git, between.slice(0, at))
  const after = revisionOf(git, between.slice(at + dots.length))
  if (!before || !after) return undefined
  const { bases, ahead } = compareHistories(git.objects, before.oid, after.oid)
  const from = dots === '...' ? bases[0] : before.oid
  const only = fileNumber(request)
  const trees = [from, after.oid].map((oid) => oid && readCommit(git.objects, oid).tree)
  const diff = await readDiff(git, changesBetween(git, trees[0], trees[1] as string), only)
  if (only !== undefined && !diff.files[only - 1]) return undefined
  const listed = ahead.slice(0, LISTED).map((oid) => readCommit(git.objects, oid))
  const name = (revision: Revision) => revisionName(request, revision)
  const title = `${before.name}${dots}${after.name}`
  const more =
    ahead.length > LISTED
      ? html`<p class="note-line">${formatNumber(ahead.length - LISTED)} more commits are not listed.</p>`
      : ''
  const none = bases.length === 0 ? html`<p class="about">They have no commit in common.</p>` : ''
  const body = html`<div class="bar-above"><h1>Compare</h1><p class="refs">${name(before)} ${icon('git-compare')} ${name(after)}</p></div>
${none}${only === undefined ? html`<h2 class="about">${plural(ahead.length, 'commit')}</h2>${commitList(library, repository, listed, 3)}${more}` : ''}
${fileDiffs(diff, { path, only, versions: { repository, before: from, after: after.oid } })}`
  return { title, body, repository, tab: 'code' }
})

const revisionName = ({ repository }: GitRequest, { name, kind }: Revision) =>
  html`<a class="ref-name" href="${gitPath(repository, 'tree', name)}">${icon(kind === 'tag' ? 'tag' : 'git-branch')} ${isolated(name)}</a>`
