import { readCommit } from '../../../git/history/walk-commits.ts'
import { isUnreadable } from '../../../git/open-git.ts'
import { type Commit, subjectOf } from '../../../git/parse/parse-commit.ts'
import { timeOf } from '../../../git/parse/parse-person.ts'
import { changesOf } from '../../../reading/git/changes.ts'
import { openGit } from '../../../reading/git/repository-git.ts'
import { commitNamed } from '../../../reading/git/revisions.ts'
import type { Library, Repository } from '../../../reading/library.ts'
import { shortOid } from '../../../reading/names.ts'
import { type CommitComment, commentsOnCommit } from '../../../reading/threads/commit-comments.ts'
import type { Text } from '../../../reading/threads/thread.ts'
import { type Html, html, joinHtml } from '../../html.ts'
import { icon } from '../../icons.ts'
import { linkText } from '../../markdown/rules/references.ts'
import { inRepository, type PageRequest, type PageResult } from '../../page.ts'
import { anchorOf, bodyOf, commentCard, permanent, type ThreadContext } from '../../parts/card.ts'
import { avatar, blank, person, when } from '../../parts/elements.ts'
import { fileDiffs } from '../../parts/file-diffs.ts'
import { commitPath, commitPerson, gitPath } from '../../parts/git.ts'
import { type FileDiff, readDiff } from '../../read/git-diff.ts'
import { threadContext } from '../../text-context.ts'

/** A commit: its message, changes and comments. */
export const commitPage = inRepository(async (repository, request): Promise<PageResult> => {
  const { library, params, path } = request
  const digits = params.oid ?? ''
  const comments = commentsOnCommit(repository, digits)
  const context = threadContext(library, repository, null)
  try {
    const git = openGit(repository)
    const oid = git && commitNamed(git, digits)
    if (!git || oid === undefined) return withoutCommit(repository, digits, comments, context)
    if (oid !== digits) return { redirect: commitPath(repository, oid) }
    const commit = readCommit(git.objects, oid)
    const only = fileNumber(request)
    const [parent] = commit.parents
    const changes = changesOf(git, commit)
    const diff = changes && (await readDiff(git, changes, only))
    if (only !== undefined && !diff?.files[only - 1]) return undefined
    const placed = new Set<CommitComment>()
    const below = (file: FileDiff, _: unknown, index: number) => {
      const here = comments.filter((one) => one.path === file.path && one.position === index)
      for (const one of here) placed.add(one)
      return here.length === 0
        ? undefined
        : html`${here.map((one) => inlineComment(one.text, context))}`
    }
    const versions = { repository, before: parent, after: oid }
    const files = diff
      ? fileDiffs(diff, { path, only, below, versions })
      : blank('The changes are unknown', 'The parent of this commit is not in the archive.')
    const rest = comments.filter((one) => !placed.has(one) && only === undefined)
    const title = subjectOf(commit) || shortOid(oid)
    const body = html`${head(library, repository, commit, context, request.isStatic)}
${files}${talk(rest, context)}`
    return { title: `${title} · ${shortOid(oid)}`, body, repository, tab: 'code' }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const why = blank('This commit cannot be shown', error.message)
    const body = html`<h1 class="hidden">Commit ${shortOid(digits)}</h1>${why}${talk(comments, context)}`
    return { title: `Commit ${shortOid(digits)}`, body, repository, tab: 'code' }
  }
})

/** `?file=`: a page of one file that is too large for the page of all. */
export function fileNumber({ query }: PageRequest): number | undefined {
  const text = query.get('file')
  return text !== null && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined
}

function withoutCommit(
  repository: Repository,
  oid: string,
  comments: readonly CommitComment[],
  context: ThreadContext,
): PageResult {
  if (comments.length === 0) return undefined
  const body = html`<div class="bar-above"><h1>Commit <code>${shortOid(oid)}</code></h1></div>
${blank('The commit is not in the archive', 'These are the comments on it.')}${talk(comments, context)}`
  return { title: `Commit ${shortOid(oid)}`, body, repository, tab: 'code' }
}

function head(
  library: Library,
  repository: Repository,
  commit: Commit,
  context: ThreadContext,
  isStatic: boolean,
): Html {
  const { oid, parents, author, committer, message } = commit
  const subject = subjectOf(commit)
  const text = message.replace(/^\s*\n/, '')
  const rest = text.slice(text.indexOf('\n\n') < 0 ? text.length : text.indexOf('\n\n')).trim()
  const isOther = author.email !== committer.email || author.name !== committer.name
  const by = isOther
    ? html` · ${commitPerson(library, repository, committer)} committed it on ${when(timeOf(committer))}`
    : ''
  const links = parents.map(
    (parent) =>
      html`<a href="${commitPath(repository, parent)}"><code>${shortOid(parent)}</code></a>`,
  )
  const before =
    parents.length === 0
      ? html`<span>The first commit</span>`
      : html`<span>${parents.length === 1 ? 'Parent' : 'Parents'} ${joinHtml(links, html` + `)}</span>`
  return html`<article class="box commit-head"><h1>${subject === '' ? shortOid(oid) : linkText(subject, context.markdown)}</h1>
${rest === '' ? '' : html`<pre>${linkText(rest.slice(0, LONGEST_MESSAGE), context.markdown)}</pre>`}
<p class="meta">${commitPerson(library, repository, author)} wrote this on ${when(timeOf(author))}${by}</p>
<p class="commit-facts"><span class="copied">Commit <code data-copy>${oid}</code></span>${before}${isStatic ? '' : html`<a href="${gitPath(repository, 'tree', oid)}" data-permanent>${icon('file-directory-fill')} All files</a>`}</p></article>`
}

const LONGEST_MESSAGE = 65_536

/** Comments that are not on a line of the diff. */
function talk(comments: readonly CommitComment[], context: ThreadContext): Html {
  if (comments.length === 0) return html``
  return html`<section class="timeline"><h2 class="about">Comments</h2><ol class="items">${comments.map(
    ({ text, path }) =>
      commentCard(text, context, path === null ? 'commented' : `commented on ${path}`),
  )}</ol></section>`
}

/** A comment below a line of a diff. */
function inlineComment(text: Text, context: ThreadContext): Html {
  const anchor = anchorOf(text.url)
  return html`<article class="card reply"${anchor === undefined ? '' : html` id="${anchor}"`}>${avatar(text.author, 'medium')}<div><h4 class="line">${person(text.author)} ${permanent(anchor, text.created_at)}</h4>${bodyOf(text, context, 4)}</div></article>`
}
