import { readCommit } from '../../../git/history/walk-commits.ts'
import { isUnreadable } from '../../../git/open-git.ts'
import { changesOfPull, listedCommits, type PullRange } from '../../../reading/git/pull-requests.ts'
import { pullRange } from '../../../reading/git/repository-git.ts'
import type { Repository } from '../../../reading/library.ts'
import { findThread } from '../../../reading/threads/find-thread.ts'
import { threadAt } from '../../../reading/threads/read-thread.ts'
import type { ReviewThread, Thread } from '../../../reading/threads/thread.ts'
import { timelinesOf } from '../../../reading/threads/timeline.ts'
import { type Html, html } from '../../html.ts'
import { threadPath } from '../../link.ts'
import { inRepository, type PageRequest, type PageResult } from '../../page.ts'
import type { ThreadContext } from '../../parts/card.ts'
import { blank, formatNumber, pathTo } from '../../parts/elements.ts'
import { fileDiffs } from '../../parts/file-diffs.ts'
import { commitList } from '../../parts/git.ts'
import { pullTabs } from '../../parts/pull-tabs.ts'
import { reviewThread } from '../../parts/review.ts'
import { threadHead } from '../../parts/thread-head.ts'
import { type FileDiff, readDiff } from '../../read/git-diff.ts'
import { type HunkLine, parseHunk } from '../../read/hunk-lines.ts'
import { readSurroundings } from '../../read/surroundings.ts'
import { threadContext } from '../../text-context.ts'
import { fileNumber } from './commit.ts'

type OpenPart = (part: PullPart) => Html | undefined | Promise<Html | undefined>

interface PullPart {
  readonly request: PageRequest
  readonly repository: Repository
  readonly thread: Thread
  /** The path of the pull request. */
  readonly path: string
  readonly range: PullRange | undefined
}

const MISSING = 'The commits of this pull request are not in the archive'

/** A page beneath a pull request. */
const inPull = (part: 'commits' | 'files', word: string, open: OpenPart) =>
  inRepository(async (repository, request): Promise<PageResult> => {
    const number = Number(request.params.number)
    if (!/^[1-9]\d{0,14}$/.test(request.params.number ?? '')) return undefined
    const found = findThread(repository, number, 'pull')
    if (found?.part !== 'pull') return undefined
    const thread = threadAt(repository.store, found.url, ['pull_request'])
    if (!thread) return undefined
    const path = pathTo(repository.owner, repository.name, 'pull', number)
    const content = await unlessUnreadable(async () => {
      const range = pullRange(repository, found.url)
      return open({ request, repository, thread, path, range })
    })
    if (content === undefined) return undefined
    const context = threadContext(request.library, repository, thread.author)
    const facts = readSurroundings(repository, context, thread)
    const body = html`${threadHead(thread, 'pulls', facts, pullTabs(repository, thread.url, path, part))}${content}`
    const title = `${word} of ${thread.title ?? 'Untitled'} #${number}`
    return { title, body, repository, tab: 'pulls' }
  })

async function unlessUnreadable(make: () => Promise<Html | undefined>): Promise<Html | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return blank('The Git data cannot be read', error.message)
  }
}

/** The commits of a pull request, oldest first as on the host. */
export const pullCommitsPage = inPull('commits', 'Commits', ({ request, repository, range }) => {
  if (!range) return blank(MISSING)
  const { git, commits } = range
  const shown = listedCommits(range)
  const more = commits.length - shown.length
  return html`${more === 0 ? '' : html`<p class="about">Its last ${formatNumber(more)} commits are not listed.</p>`}
${commitList(
  request.library,
  repository,
  shown.map((oid) => readCommit(git.objects, oid)),
)}`
})

/** Review threads that are read. */
const MOST = 2_000

/** The changes of a pull request, with the comments on its lines. */
export const pullFilesPage = inPull('files', 'Files', async (part) => {
  const { request, repository, thread, path, range } = part
  const only = fileNumber(request)
  const context = threadContext(request.library, repository, thread.author)
  const threads = timelinesOf(repository.store).reviewThreads(thread.url, MOST)
  if (!range)
    return only === undefined ? html`${blank(MISSING)}${below(threads, context)}` : undefined
  const { git, base, head } = range
  const diff = await readDiff(git, changesOfPull(range), only)
  if (only !== undefined && !diff.files[only - 1]) return undefined
  const waiting = Map.groupBy(threads, placeOfThread)
  const placed = new Set<ReviewThread>()
  const at = (file: FileDiff, line: HunkLine) => {
    const here = line.sign === '@' ? [] : (waiting.get(placeOfLine(file.path, line)) ?? [])
    for (const one of here) placed.add(one)
    return here.length === 0
      ? undefined
      : html`${here.map((one) => reviewThread({ ...one, diff_hunk: null }, context))}`
  }
  const files = fileDiffs(diff, {
    path: `${path}/files`,
    only,
    below: at,
    versions: { repository, before: base, after: head },
  })
  const rest = threads.filter((one) => !placed.has(one))
  return html`${files}${only === undefined ? below(rest, context) : ''}`
})

/** Where comments belong in a diff as it is now: `path`, the sign of its side, the line. Their hunk ends with that line. */
function placeOfThread({ path, line, outdated, diff_hunk }: ReviewThread): string | undefined {
  const last = diff_hunk === null ? undefined : parseHunk(diff_hunk).at(-1)
  const isOld = last?.sign === '-'
  const number = line ?? (isOld ? last?.old : last?.new)
  return outdated || path === null || number === undefined
    ? undefined
    : `${path}\n${isOld ? '-' : '+'}${number}`
}

const placeOfLine = (path: string, { sign, old, new: now }: HunkLine): string =>
  `${path}\n${sign === '-' ? `-${old}` : `+${now}`}`

function below(threads: readonly ReviewThread[], context: ThreadContext): Html {
  if (threads.length === 0) return html``
  return html`<section class="outdated-threads"><h2 class="about">Comments on lines that are not in this diff</h2>${threads.map((one) => reviewThread(one, context))}</section>`
}

/** `/pull/13/commits/SHA` is the page of the commit. */
export const pullCommitPage = inRepository((repository, { params }) => {
  const { number = '', oid = '' } = params
  if (!/^\d{1,15}$/.test(number) || threadPath(repository, Number(number)) === undefined)
    return undefined
  return { redirect: pathTo(repository.owner, repository.name, 'commit', oid) }
})
