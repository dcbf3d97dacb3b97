import type { GitData } from '../../../git/open-git.ts'
import { notModified } from '../../../http/etag.ts'
import { HttpError, notFound } from '../../../http/http-error.ts'
import {
  changesOfPull,
  listedCommits,
  type PullRange,
  pullRangeOf,
} from '../../../reading/git/pull-requests.ts'
import { openReadableGit } from '../../../reading/git/repository-git.ts'
import { findCommit } from '../../../reading/git/revisions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { IndexedThread } from '../../../reading/threads/indexed-threads.ts'
import { isSmall, type PatchJob, writePatches } from '../../git-worker/write-patches.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { toCommit } from '../../resources/commits.ts'
import { findThread, inRepository, readerOf, renderingOf } from '../find-in-path.ts'
import { findPull } from '../pulls.ts'
import { describeChanges } from './changes.ts'
import { inGitRepository, orHttpError } from './git-request.ts'
import { LARGEST_BLOB } from './send-blob.ts'

/** The commits of a pull request, if they are in the archive. */
function rangeOf(
  context: RequestContext,
  repository: IndexedRepository,
  { row }: IndexedThread,
): PullRange | undefined {
  const store = readerOf(context).library.store(repository.database)
  const [url] = store.record('pull_requests', 'url', row) ?? []
  return typeof url === 'string' ? pullRangeOf(store.database, url) : undefined
}

/** The pull request in the path, with its commits. */
const inPull = (
  parameter: string,
  answer: (
    context: RequestContext,
    repository: IndexedRepository,
    git: GitData,
    range: PullRange,
  ) => Answer | Promise<Answer>,
): Handler =>
  inGitRepository((context, repository, git) => {
    const thread = findThread(context, repository, parameter)
    if (!thread.isPull) throw notFound()
    const range = rangeOf(context, repository, thread)
    if (!range) throw new HttpError(404, 'The archive has no commits of this pull request')
    return answer(context, repository, git, range)
  })

/** The files that a pull request changes. */
export const pullFiles: Handler = inPull('pull_number', async (context, repository, git, range) => {
  const changed = changesOfPull(range).files
  const { page, perPage } = context.page
  const wanted = changed.slice((page - 1) * perPage, page * perPage)
  const files = await describeChanges(context, repository, git, wanted, range.head)
  return { status: 200, list: { total: changed.length, items: () => files } }
})

/**
 * The commits of a pull request, oldest first. None if they are not in the archive: programs that copy all of a repository would
 * stop at an error.
 */
export const pullCommits: Handler = inRepository((context, repository) =>
  orHttpError(() => {
    const rendering = renderingOf(context)
    const thread = findPull(context, repository)
    const git = openReadableGit(repository)
    const range = git && rangeOf(context, repository, thread)
    const oids = range ? listedCommits(range) : []
    const items = (offset: number, limit: number) =>
      oids.slice(offset, offset + limit).flatMap((oid) => {
        const commit = git && findCommit(git, oid)
        return commit ? [toCommit(rendering, repository, commit)] : []
      })
    return { status: 200, list: { total: oids.length, items } }
  }),
)

/** Text that is written while it is read. */
function sendText(
  { headers }: RequestContext,
  key: string,
  bytes: () => AsyncIterable<Uint8Array>,
): Answer {
  const ETag = `"${key}"`
  return (
    notModified(headers, { ETag }) ?? {
      status: 200,
      headers: { ETag, 'Content-Type': 'text/plain; charset=utf-8' },
      bytes: bytes(),
    }
  )
}

/** The bytes of a patch. A large one is written in a thread, so that other requests do not wait for it. */
function patchesOf(
  { server }: RequestContext,
  git: GitData,
  job: PatchJob,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const { database, name, objects } = git
  return isSmall(objects, job)
    ? writePatches(objects, job)
    : server.gitWorker.write(
        { database: database.name, repository: name, maxObject: LARGEST_BLOB },
        job,
      )
}

/** The changes of a pull request, as a patch. */
export const pullDiff: Handler = inPull(
  'number',
  (context, _, git, { base, head, before, after }) =>
    sendText(context, `${base ?? ''}${head}`, async function* () {
      yield* patchesOf(context, git, { kind: 'diff', before, after })
    }),
)

/** The commits of a pull request as mails for git am. Merges are left out, as git format-patch does. */
export const pullPatch: Handler = inPull('number', (context, _, git, range) =>
  sendText(context, `${range.head}${range.base ?? ''}`, async function* () {
    const commits = range.commits
      .toReversed()
      .filter((oid) => (findCommit(git, oid)?.parents.length ?? 2) < 2)
    yield* patchesOf(context, git, { kind: 'mails', commits })
  }),
)
