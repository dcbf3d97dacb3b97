import { ArchiveError } from '../../../errors.ts'
import { isOid } from '../../../git/objects/git-object.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { isRefName } from '../../../rules/ref-name.ts'
import type { GitRepository } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import { HttpError, notFound } from '../../http/http-error.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { findCommit } from '../../resources/git-objects.ts'
import { inRepository, readerOf } from '../find-in-path.ts'

type AnswerGit = (
  context: RequestContext,
  repository: Repository,
  git: GitRepository,
) => Answer | Promise<Answer>

const TOO_LARGE =
  'This API returns blobs up to 100 MB in size. The requested blob is too large to fetch via the API, but you can always clone the repository via Git in order to obtain it.'

/** 403: a blob is larger than the interface sends. */
export const tooLarge = (): HttpError =>
  new HttpError(403, TOO_LARGE, {
    errors: [{ resource: 'Blob', field: 'data', code: 'too_large' }],
  })

/** A handler that answers about the Git data of the repository in the path. It answers 404 without Git data, and 409 if they are empty. */
export const inGitRepository = (answer: AnswerGit): Handler =>
  inRepository(async (context, repository) => {
    const { git } = readerOf(context)
    try {
      const opened = git.open(repository)
      if (!opened) throw new HttpError(404, 'The archive has no Git data of this repository')
      if (git.refs(repository, 'refs/').length === 0) {
        throw new HttpError(409, 'Git Repository is empty.')
      }
      return await answer(context, repository, opened)
    } catch (error) {
      throw toHttpError(error)
    }
  })

/** The answer to a fault of Git data. Damage in the archive is not a fault of the server. */
function toHttpError(error: unknown): unknown {
  if (!(error instanceof ArchiveError)) return error
  switch (error.code) {
    case 'git-revision-not-found':
    case 'git-path-not-found':
    case 'git-object-missing':
      return notFound()
    case 'git-too-large':
      return tooLarge()
    case 'git-object-damaged':
      return new HttpError(422, 'An object of this repository is damaged in the archive')
    default:
      return error
  }
}

/**
 * The ID of the commit or tree that a branch, tag, ref or object ID names; undefined if nothing has the name.
 * Expressions such as `main~9` are not accepted.
 */
export function resolveName(
  { resolve }: GitRepository,
  name: string,
  type: 'commit' | 'tree',
): string | undefined {
  if (!isRefName(name)) return undefined
  try {
    return resolve(name, type)
  } catch (error) {
    const isUnknown = error instanceof ArchiveError && UNKNOWN.has(error.code)
    if (isUnknown) return undefined
    throw error
  }
}

const UNKNOWN = new Set(['git-revision-not-found', 'git-object-missing'])

/** The commit that a name means. */
export function commitOf(git: GitRepository, name: string): Commit | undefined {
  const oid = isOid(name) ? name : resolveName(git, name, 'commit')
  return oid === undefined ? undefined : findCommit(git, oid)
}
