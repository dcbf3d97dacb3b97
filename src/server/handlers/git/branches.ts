import { notFound } from '../../http/http-error.ts'
import type { Handler } from '../../request-context.ts'
import {
  isProtected,
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
  const { git } = rendering.reader
  const wanted = context.query.get('protected')
  const rows = git.refs(repository, 'refs/heads/')
  const kept =
    wanted !== 'true' && wanted !== 'false'
      ? rows
      : rows.filter((row) => {
          const name = shortName(git.refAt(repository, row)?.name ?? '')
          return isProtected(rendering, repository, name) === (wanted === 'true')
        })
  return answerRefs(context, repository, kept, (ref) => toBranch(rendering, repository, ref))
})

/** The tags of a repository by name. */
export const tags: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const rows = rendering.reader.git.refs(repository, 'refs/tags/')
  return answerRefs(context, repository, rows, (ref) => toTag(rendering, repository, ref))
})

export const branch: Handler = inGitRepository((context, repository, git) => {
  const rendering = renderingOf(context)
  const ref = rendering.reader.git.findRef(repository, `refs/heads/${context.params.branch}`)
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
