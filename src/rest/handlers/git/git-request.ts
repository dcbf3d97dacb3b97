import { ArchiveError } from '../../../base/errors.ts'
import type { GitData } from '../../../git/open-git.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { HttpError, notFound } from '../../../http/http-error.ts'
import { openReadableGit, refsOf } from '../../../reading/git/repository-git.ts'
import { findCommit, revisionOf } from '../../../reading/git/revisions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { inRepository } from '../find-in-path.ts'

type AnswerGit = (
  context: RequestContext,
  repository: IndexedRepository,
  git: GitData,
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
  inRepository((context, repository) =>
    orHttpError(() => {
      const opened = openReadableGit(repository)
      if (!opened) throw new HttpError(404, 'The archive has no Git data of this repository')
      if (refsOf(repository, 'refs/').count === 0) {
        throw new HttpError(409, 'Git Repository is empty.')
      }
      return answer(context, repository, opened)
    }),
  )

/** Runs `work`, whose faults of Git data become answers. */
export async function orHttpError<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explain(error)
  }
}

/** The answer to a fault of Git data. Damage in the archive is not a fault of the server. */
function explain(error: unknown): unknown {
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

/** The commit that a name means. */
export function commitNamed(git: GitData, name: string): Commit | undefined {
  const revision = revisionOf(git, name)
  return revision && findCommit(git, revision.oid)
}
