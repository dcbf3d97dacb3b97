import type { GitData } from '../../../git/open-git.ts'
import { notFound } from '../../../http/http-error.ts'
import type { ObjectRef, RefList } from '../../../reading/git/refs.ts'
import { findRef, refsOf } from '../../../reading/git/repository-git.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { Answer, Handler, List, RequestContext } from '../../request-context.ts'
import { toRef } from '../../resources/git-objects.ts'
import { renderingOf } from '../find-in-path.ts'
import { inGitRepository } from './git-request.ts'

/** A page of refs. */
export function answerRefs(
  refs: RefList,
  describe: (ref: ObjectRef) => JsonObject,
): Answer & { readonly list: List } {
  const items = (offset: number, limit: number) => refs.page(offset, limit).map(describe)
  return { status: 200, list: { total: refs.count, items } }
}

/** Refs whose full names begin with the path of the request. */
function listRefs(
  context: RequestContext,
  repository: IndexedRepository,
  git: GitData,
  prefix: string,
) {
  const rendering = renderingOf(context)
  const refs = refsOf(repository, prefix)
  return answerRefs(refs, (ref) => toRef(rendering, repository, git, ref))
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
  const ref = findRef(repository, `refs/${context.params.ref}`)
  if (!ref) throw notFound()
  return { status: 200, body: toRef(renderingOf(context), repository, git, ref) }
})

/** A ref, or the first hundred whose names begin so: older clients find one by its folder. */
export const gitRefOrRefs: Handler = inGitRepository((context, repository, git) => {
  const name = `refs/${context.params.ref}`
  const ref = findRef(repository, name)
  if (ref) return { status: 200, body: toRef(renderingOf(context), repository, git, ref) }
  const { list } = listRefs(context, repository, git, name)
  if (list.total === 0) throw notFound()
  return { status: 200, body: list.items(0, MOST) as JsonObject[] }
})

const MOST = 100
