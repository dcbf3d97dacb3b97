import { type CommitRange, pullRequestRange } from '../../../git/history/pull-request-range.ts'
import { createLruCache } from '../../../lru-cache.ts'
import { type GitRepository, LARGEST_BLOB } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import { asTextOrNull } from '../../catalog/sources.ts'
import type { Thread } from '../../catalog/threads.ts'
import { isSmall, type PatchJob, writePatches } from '../../git-worker/write-patches.ts'
import { isNotModified } from '../../http/conditional.ts'
import { HttpError, notFound } from '../../http/http-error.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { toCommit } from '../../resources/commits.ts'
import { findCommit } from '../../resources/git-objects.ts'
import { findThread, readerOf, renderingOf } from '../find-in-path.ts'
import { changesBetween, describeChanges } from './changes.ts'
import { commitOf, inGitRepository } from './git-request.ts'

/** Commits of a pull request that are sent, as on the host. */
const MOST_COMMITS = 250

const MOST_KEPT = 64
const kept = new WeakMap<
  GitRepository,
  ReturnType<typeof createLruCache<number, { readonly range: CommitRange | undefined }>>
>()

/** The commits of a pull request. Throws `HttpError` 404 if they are not in the archive. */
function rangeOf(
  context: RequestContext,
  repository: Repository,
  git: GitRepository,
  { id, row, number }: Thread,
): CommitRange {
  const ofRepository =
    kept.get(git) ?? createLruCache<number, { readonly range: CommitRange | undefined }>(MOST_KEPT)
  kept.set(git, ofRepository)
  const { sources, git: data } = readerOf(context)
  const read = () => {
    const columns = "base ->> 'sha', head ->> 'sha', merge_commit_sha"
    const record = sources.record(repository.database, 'pull_requests', columns, row)
    const [base, recorded, merge] = (record ?? []).map(
      (oid) => commitOf(git, asTextOrNull(oid) ?? '')?.oid,
    )
    const head = recorded ?? data.findRef(repository, `refs/pull/${number}/head`)?.oid
    return { range: pullRequestRange(git.objects, { base, head, merge }) }
  }
  const found = ofRepository.get(id) ?? read()
  ofRepository.set(id, found)
  if (found.range) return found.range
  throw new HttpError(404, 'The archive has no commits of this pull request')
}

/** The pull request in the path, with its commits. */
const inPull = (
  parameter: string,
  answer: (
    context: RequestContext,
    repository: Repository,
    git: GitRepository,
    range: CommitRange,
  ) => Answer | Promise<Answer>,
): Handler =>
  inGitRepository((context, repository, git) => {
    const thread = findThread(context, repository, parameter)
    if (!thread.isPull) throw notFound()
    return answer(context, repository, git, rangeOf(context, repository, git, thread))
  })

const treeOf = (git: GitRepository, oid: string | undefined): string | undefined =>
  oid === undefined ? undefined : findCommit(git, oid)?.tree

/** The files that a pull request changes. */
export const pullFiles: Handler = inPull(
  'pull_number',
  async (context, repository, git, { base, head }) => {
    const changes = changesBetween(git, treeOf(git, base), treeOf(git, head) ?? '')
    const { page, perPage } = context.page
    const wanted = changes.slice((page - 1) * perPage, page * perPage)
    const files = await describeChanges(context, repository, git, wanted, head)
    return { status: 200, list: { total: changes.length, items: () => files } }
  },
)

/** The commits of a pull request, oldest first. */
export const pullCommits: Handler = inPull(
  'pull_number',
  (context, repository, git, { commits }) => {
    const rendering = renderingOf(context)
    const oids = commits.toReversed().slice(0, MOST_COMMITS)
    const items = (offset: number, limit: number) =>
      oids.slice(offset, offset + limit).flatMap((oid) => {
        const commit = findCommit(git, oid)
        return commit ? [toCommit(rendering, repository, commit)] : []
      })
    return { status: 200, list: { total: oids.length, items } }
  },
)

/** Text that is written while it is read. */
function sendText(
  { headers }: RequestContext,
  key: string,
  bytes: () => AsyncIterable<Uint8Array>,
): Answer {
  const ETag = `"${key}"`
  if (isNotModified(headers, ETag, undefined)) return { status: 304, headers: { ETag } }
  return {
    status: 200,
    headers: { ETag, 'Content-Type': 'text/plain; charset=utf-8' },
    bytes: bytes(),
  }
}

/** The bytes of a patch. A large one is written in a thread, so that other requests do not wait for it. */
function patchesOf(
  { server }: RequestContext,
  repository: Repository,
  git: GitRepository,
  job: PatchJob,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const { sources, git: data } = server.catalog.read()
  const database = sources.databases[repository.database]
  const name = data.nameOf(repository)
  return database === undefined || name === undefined || isSmall(git.objects, job)
    ? writePatches(git.objects, job)
    : server.gitWorker.write(
        { database: database.name, repository: name, maxObject: LARGEST_BLOB },
        job,
      )
}

/** The changes of a pull request, as a patch. */
export const pullDiff: Handler = inPull('number', (context, repository, git, { base, head }) =>
  sendText(context, `${base ?? ''}${head}`, async function* () {
    const [before, after] = [treeOf(git, base), treeOf(git, head) ?? '']
    yield* patchesOf(context, repository, git, { kind: 'diff', before, after })
  }),
)

/** The commits of a pull request as mails for git am. Merges are left out, as git format-patch does. */
export const pullPatch: Handler = inPull('number', (context, repository, git, range) =>
  sendText(context, `${range.head}${range.base ?? ''}`, async function* () {
    const commits = range.commits
      .toReversed()
      .filter((oid) => (findCommit(git, oid)?.parents.length ?? 2) < 2)
    yield* patchesOf(context, repository, git, { kind: 'mails', commits })
  }),
)
