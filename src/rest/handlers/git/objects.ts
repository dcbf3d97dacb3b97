import { setImmediate } from 'node:timers/promises'
import { ArchiveError } from '../../../base/errors.ts'
import { readTree, walkTree } from '../../../git/objects/walk-tree.ts'
import type { GitData } from '../../../git/open-git.ts'
import { isOid } from '../../../git/parse/git-object.ts'
import { parseTree, type TreeEntry } from '../../../git/parse/parse-tree.ts'
import { notFound } from '../../../http/http-error.ts'
import { Rendered } from '../../../http/rendered.ts'
import { findCommit, treeNamed } from '../../../reading/git/revisions.ts'
import type { Handler } from '../../request-context.ts'
import { toBlobHead, toGitCommit, toGitTag, toTreeEntry } from '../../resources/git-objects.ts'
import { repositoryUrl } from '../../resources/repositories.ts'
import { renderingOf } from '../find-in-path.ts'
import { inGitRepository } from './git-request.ts'
import { openBlob, sendAsJson, sendBytes } from './send-blob.ts'

export const gitCommit: Handler = inGitRepository((context, repository, git) => {
  const commit = findCommit(git, context.params.commit_sha ?? '')
  if (!commit) throw notFound()
  return { status: 200, body: toGitCommit(renderingOf(context), repository, commit) }
})

export const gitTag: Handler = inGitRepository((context, repository, { objects }) => {
  const oid = context.params.tag_sha ?? ''
  const object = isOid(oid) && objects.has(oid) ? objects.read(oid) : undefined
  if (object?.type !== 'tag') throw notFound()
  return { status: 200, body: toGitTag(renderingOf(context), repository, object) }
})

/** A blob as JSON, or its bytes for those who ask for the raw form. */
export const gitBlob: Handler = inGitRepository((context, repository, git) => {
  const blob = openBlob(git, context.params.file_sha ?? '')
  if (context.media.form === 'raw') return sendBytes(context, blob)
  return sendAsJson(
    context,
    blob,
    toBlobHead(renderingOf(context), repository, blob.oid, blob.size),
  )
})

/** The most entries of a tree that are sent, and the most bytes of them, as on the host. */
const MOST_ENTRIES = 100_000
const MOST_BYTES = 7 * 10 ** 6

/** Entries after which other requests may run. */
const TURN = 500

/** The entries of a tree, or of all trees below it too; those beyond the limits are cut off. */
export const gitTree: Handler = inGitRepository(async (context, repository, git) => {
  const rendering = renderingOf(context)
  const sha = treeNamed(git, context.params.tree_sha ?? '')
  if (sha === undefined) throw notFound()
  // Any value asks for all trees below it, `0` and `false` too.
  const walked = context.query.has('recursive') ? walkTree(git.objects, sha) : entriesOf(git, sha)
  const entries: string[] = []
  let bytes = 0
  let isCut = false
  for (const entry of untilTooLarge(walked)) {
    const text = entry && JSON.stringify(toTreeEntry(rendering, repository, git, entry))
    bytes += text?.length ?? 0
    isCut = text === undefined || entries.length === MOST_ENTRIES || bytes > MOST_BYTES
    if (isCut) break
    entries.push(text as string)
    if (entries.length % TURN === 0) await setImmediate()
  }
  const head = JSON.stringify({
    sha,
    url: `${repositoryUrl(rendering, repository)}/git/trees/${sha}`,
  })
  const text = `${head.slice(0, -1)},"tree":[${entries.join(',')}],"truncated":${isCut}}`
  return { status: 200, body: new Rendered(Buffer.from(text)) }
})

type Entry = TreeEntry & { readonly path: string }

function* entriesOf({ objects }: GitData, sha: string): Generator<Entry> {
  for (const entry of parseTree(readTree(objects, sha))) yield { ...entry, path: entry.name }
}

/** The entries, with undefined in place of the rest if trees are too deep to be read. */
function* untilTooLarge(entries: Generator<Entry>): Generator<Entry | undefined> {
  try {
    yield* entries
  } catch (error) {
    if (!(error instanceof ArchiveError && error.code === 'git-too-large')) throw error
    yield undefined
  }
}
