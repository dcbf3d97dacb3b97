import { notFound } from '../../../http/http-error.ts'
import { isProtected } from '../../../reading/git/protections.ts'
import { filterRefs, type ObjectRef } from '../../../reading/git/refs.ts'

import { findRef, refsOf } from '../../../reading/git/repository-git.ts'

import type { Handler } from '../../request-context.ts'
import {
  shortName,
  toBranch,
  toProtection,
  toTag,
  toWholeBranch,
} from '../../resources/branches.ts'
import { inRepository, renderingOf } from '../find-in-path.ts'
import { inGitRepository } from './git-request.ts'
import { answerRefs } from './refs.ts'

/** The branches of a repository by name, or those that are protected or not. */
export const branches: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const wanted = context.query.get('protected')
  const refs = refsOf(repository, 'refs/heads/')
  const isWanted = ({ name }: ObjectRef) =>
    isProtected(repository, shortName(name)) === (wanted === 'true')
  const kept = wanted === 'true' || wanted === 'false' ? filterRefs(refs, isWanted) : refs
  return answerRefs(kept, (ref) => toBranch(rendering, repository, ref))
})

/** The tags of a repository by name. */
export const tags: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const refs = refsOf(repository, 'refs/tags/')
  return answerRefs(refs, (ref) => toTag(rendering, repository, ref))
})

export const branch: Handler = inGitRepository((context, repository, git) => {
  const rendering = renderingOf(context)
  const ref = findRef(repository, `refs/heads/${context.params.branch}`)
  const body = ref && toWholeBranch(rendering, repository, git, ref)
  if (!body) throw notFound()
  return { status: 200, body }
})

/** The rules that protect a branch, which only administrators may know. */
export const branchProtection: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const { permissions } = rendering.reader
  if (permissions.permissionOf(context.caller, repository) !== 'admin') throw notFound()
  const body = toProtection(rendering, repository, context.params.branch ?? '')
  if (!body) throw notFound()
  return { status: 200, body }
})
