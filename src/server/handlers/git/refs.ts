import type { JsonObject } from '../../../records/json/json.ts'
import type { GitRef, GitRepository } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import { notFound } from '../../http/http-error.ts'
import type { Answer, Handler, List, RequestContext } from '../../request-context.ts'
import { toRef } from '../../resources/git-objects.ts'
import { readerOf, renderingOf } from '../find-in-path.ts'
import { inGitRepository } from './git-request.ts'

/** A page of the refs in these rows. */
export function answerRefs(
  context: RequestContext,
  repository: Repository,
  rows: Float64Array,
  describe: (ref: GitRef) => JsonObject,
): Answer & { readonly list: List } {
  const { git } = readerOf(context)
  const items = (offset: number, limit: number) =>
    [...rows.subarray(offset, offset + limit)].flatMap((row) => {
      const ref = git.refAt(repository, row)
      return ref ? [describe(ref)] : []
    })
  return { status: 200, list: { total: rows.length, items } }
}

/** Refs whose full names begin with the path of the request. */
function listRefs(
  context: RequestContext,
  repository: Repository,
  git: GitRepository,
  prefix: string,
) {
  const rendering = renderingOf(context)
  const rows = rendering.reader.git.refs(repository, prefix)
  return answerRefs(context, repository, rows, (ref) => toRef(rendering, repository, git, ref))
}

/** All refs of a repository by name. */
export const gitRefs: Handler = inGitRepository((context, repository, git) =>
  listRefs(context, repository, git, 'refs/'),
)

/** Refs whose names begin so. */
export const matchingRefs: Handler = inGitRepository((context, repository, git) =>
  listRefs(context, repository, git, `refs/${context.params.ref}`),
)

export const gitRef: Handler = inGitRepository((context, repository, git) => {
  const ref = readerOf(context).git.findRef(repository, `refs/${context.params.ref}`)
  if (!ref) throw notFound()
  return { status: 200, body: toRef(renderingOf(context), repository, git, ref) }
})

/** A ref, or the first hundred whose names begin so: older clients find one by its folder. */
export const gitRefOrRefs: Handler = inGitRepository((context, repository, git) => {
  const name = `refs/${context.params.ref}`
  const ref = readerOf(context).git.findRef(repository, name)
  if (ref) return { status: 200, body: toRef(renderingOf(context), repository, git, ref) }
  const { list } = listRefs(context, repository, git, name)
  if (list.total === 0) throw notFound()
  return { status: 200, body: list.items(0, MOST) as JsonObject[] }
})

const MOST = 100
