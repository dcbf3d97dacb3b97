import { unlessUnreadable } from '../../../git/open-git.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { timeOf } from '../../../git/parse/parse-person.ts'
import { listProtections, type Protection } from '../../../reading/git/protections.ts'
import { listRefs, type ObjectRef } from '../../../reading/git/refs.ts'
import { defaultRevision } from '../../../reading/git/repository-git.ts'
import { commitOf, findCommit, revisionOf } from '../../../reading/git/revisions.ts'
import { shortOid } from '../../../reading/names.ts'
import { listReleases, readRelease } from '../../../reading/releases.ts'
import { type Html, html, isolated } from '../../html.ts'
import { icon } from '../../icons.ts'
import { pageNumber } from '../../page.ts'
import { blank, formatNumber, plural, when } from '../../parts/elements.ts'
import { commitPath, commitPerson, commitSubject, gitPath } from '../../parts/git.ts'
import { repositoryPath } from '../../parts/layout.ts'
import { createPager } from '../../parts/pager.ts'
import { type GitRequest, withGit } from './git-page.ts'

/** Refs on one page. */
const SIZE = 50
/** Refs that are listed. */
const MOST = 20_000

/** Branches by name, the default branch first, with the rules that protect them. */
export const branchesPage = withGit((request) => {
  const { repository, git } = request
  const main = defaultRevision(repository, git)?.name
  const rules = request.library.audience === 'all' ? listProtections(repository) : []
  const all = refsOf(request, 'refs/heads/')
  const sorted = [
    ...all.filter(({ name }) => name === main),
    ...all.filter(({ name }) => name !== main),
  ]
  const patterns = rules.filter((rule) => !all.some(({ name }) => name === rule.name))
  const rest =
    patterns.length === 0
      ? html``
      : html`<section class="rules"><h2>Rules for other names</h2><ul class="box rows">${patterns.map((rule) => html`<li class="row-commit"><div><h3><code>${isolated(rule.name)}</code></h3>${ruleLine(rule)}</div></li>`)}</ul></section>`
  return listOf(
    request,
    sorted,
    { one: 'branch', many: 'branches', after: rest },
    (ref, commit) => {
      const rule = rules.find(({ name }) => name === ref.name)
      const marks = [
        ...(ref.name === main ? [html` <span class="pill-line">Default</span>`] : []),
        ...(rule ? [html` <span class="pill-line">Protected</span>`] : []),
      ]
      const name = addressedName(git, ref, 'branch')
      const compare =
        main === undefined || main === ref.name || request.isStatic
          ? ''
          : html`<a href="${repositoryPath(repository)}/compare/${encodeName(main)}...${encodeName(name)}">Compare</a>`
      return html`<li class="row-commit"><div><h2><a href="${gitPath(repository, 'tree', name)}">${icon('git-branch')} ${isolated(ref.name)}</a></h2>${marks}
${latest(request, commit)}${rule ? ruleLine(rule) : ''}</div><p class="oid">${compare}</p></li>`
    },
  )
})

const encodeName = (name: string): string => name.split('/').map(encodeURIComponent).join('/')

/** Tags, the latest name first, with their releases. */
export const tagsPage = withGit((request) => {
  const { repository, git } = request
  const published = listReleases(repository, { withDrafts: false })
  const all = refsOf(request, 'refs/tags/').reverse()
  return listOf(request, all, { one: 'tag', many: 'tags' }, (ref, commit) => {
    const found = published.find(({ tag }) => tag === ref.name)
    const release = found && readRelease(repository, found.url)
    const name = addressedName(git, ref, 'tag')
    const to = release
      ? html`<a href="${repositoryPath(repository)}/releases/tag/${encodeURIComponent(ref.name)}">${icon('tag')} Release ${release.name ? isolated(release.name) : ''}</a>`
      : ''
    return html`<li class="row-commit"><div><h2><a href="${gitPath(repository, 'tree', name)}">${icon('tag')} ${isolated(ref.name)}</a></h2>
${latest(request, commit)}</div><p class="oid">${to}</p></li>`
  })
})

/** The name of a ref in an address: its full one where the short one means something else, such as a commit with that id. */
const addressedName = (git: GitRequest['git'], ref: ShortRef, kind: 'branch' | 'tag'): string =>
  unlessUnreadable(() => revisionOf(git, ref.name))?.kind === kind
    ? ref.name
    : `refs/${kind === 'branch' ? 'heads' : 'tags'}/${ref.name}`

interface ShortRef extends ObjectRef {
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly name: string
}

const refsOf = ({ git }: GitRequest, prefix: string): ShortRef[] =>
  listRefs(git.database, git.name, prefix)
    .page(0, MOST)
    .map((ref) => ({ ...ref, name: ref.name.slice(prefix.length) }))

function listOf(
  request: GitRequest,
  refs: readonly ShortRef[],
  { one, many, after }: { one: string; many: string; after?: Html },
  row: (ref: ShortRef, commit: Commit | undefined) => Html,
) {
  const { repository, git, path, query } = request
  const page = pageNumber(query)
  if (page > 1 && (page - 1) * SIZE >= refs.length) return undefined
  const words = { prev: 'Before', next: 'After' }
  const pager = createPager(path, query, { page, total: refs.length, size: SIZE }, words)
  const rows = refs.slice((page - 1) * SIZE, page * SIZE).map((ref) => row(ref, tipOf(git, ref)))
  const count = plural(refs.length, one, many)
  const base = repositoryPath(repository)
  const other = one === 'tag' ? ['branches', 'Branches'] : ['tags', 'Tags']
  const body = html`<div class="bar-above"><h1>${count}</h1><a href="${base}/${other[0]}">${other[1]}</a></div>
${rows.length === 0 ? blank(`No ${many}`) : html`<ul class="box rows">${rows}</ul>`}${pager.nav()}${after}`
  const title = many[0]?.toUpperCase() + many.slice(1)
  return { title, body, repository, tab: 'code' as const, prev: pager.prev, next: pager.next }
}

/** The commit of a ref; undefined if it is missing, damaged or no commit. */
const tipOf = (git: GitRequest['git'], ref: ObjectRef): Commit | undefined =>
  unlessUnreadable(() => findCommit(git, commitOf(git, ref.oid) ?? ''))

function latest({ library, repository }: GitRequest, commit: Commit | undefined): Html {
  if (!commit) return html`<p class="meta">Its commit is not in the archive.</p>`
  return html`<p class="meta">${commitPerson(library, repository, commit.author)} · <a href="${commitPath(repository, commit.oid)}"><code>${shortOid(commit.oid)}</code> ${isolated(commitSubject(commit))}</a> · ${when(timeOf(commit.committer))}</p>`
}

/** Checks of a branch that are named. */
const MOST_CHECKS = 20

function ruleLine(rule: Protection): Html {
  const { reviews, checks = [] } = rule
  const parts = [
    ...(reviews ? [plural(reviews.approvals, 'approval')] : []),
    ...(reviews?.needsCodeOwners ? ['approval by owners of the code'] : []),
    ...(checks.length > 0
      ? [
          `checks: ${checks.slice(0, MOST_CHECKS).join(', ')}${checks.length > MOST_CHECKS ? ` and ${formatNumber(checks.length - MOST_CHECKS)} more` : ''}`,
        ]
      : []),
    ...(rule.needsSignatures ? ['signed commits'] : []),
    ...(rule.needsLinearHistory ? ['no merge commits'] : []),
    ...(rule.blocksForcePushes ? ['no force pushes'] : []),
    ...(rule.isForAdmins ? ['also for administrators'] : []),
  ]
  return parts.length === 0
    ? html``
    : html`<p class="meta">Rules: ${isolated(parts.join(' · '))}</p>`
}
