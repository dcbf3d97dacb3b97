import type { RevisionFormat } from '../../../git/archive/archive-revision.ts'
import { notModified } from '../../../http/etag.ts'
import { notFound } from '../../../http/http-error.ts'
import { defaultRevision, gitPlace, openReadableGit } from '../../../reading/git/repository-git.ts'
import { revisionOf } from '../../../reading/git/revisions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { readerOf } from '../find-in-path.ts'
import { redirectToSigned, requireSignature } from '../signed-address.ts'
import { inGitRepository } from './git-request.ts'

const ENDINGS = { tar: 'tar.gz', zip: 'zip' } as const
const TYPES = { tar: 'application/x-gzip', zip: 'application/zip' } as const

/** Redirects to the files of a commit, as the host does: the address that follows needs no credentials. */
const redirectTo = (format: RevisionFormat): Handler =>
  inGitRepository((context, repository, git) => {
    const { ref } = context.params
    const revision = ref === undefined ? defaultRevision(repository, git) : revisionOf(git, ref)
    if (!revision) throw notFound()
    const path = pathOf(repository.fullName, revision.oid, format)
    return redirectToSigned(context, path, { purpose: 'source', name: path })
  })

export const tarball = redirectTo('tar')
export const tarballOfRef = tarball
export const zipball = redirectTo('zip')
export const zipballOfRef = zipball

const pathOf = (fullName: string, oid: string, format: RevisionFormat): string =>
  `/_sources/${fullName.split('/').map(encodeURIComponent).join('/')}/${oid}.${ENDINGS[format]}`

/** The files of a commit, by a signed address that was given to a caller who may read the repository. */
const send =
  (format: RevisionFormat): Handler =>
  (context) => {
    const { owner, repo, sha = '' } = context.params
    const fullName = `${owner}/${repo}`
    requireSignature(context, { purpose: 'source', name: pathOf(fullName, sha, format) })
    const repository = readerOf(context).repositories.findByName(fullName)
    if (!repository) throw notFound()
    return sendFiles(context, repository, sha, format)
  }

export const sourceTarball = send('tar')
export const sourceZipball = send('zip')

function sendFiles(
  context: RequestContext,
  repository: IndexedRepository,
  sha: string,
  format: RevisionFormat,
): Answer {
  // The bytes are the same for every request: nothing but the commit decides.
  const facts = { ETag: `"${sha}"`, 'Cache-Control': 'private, no-cache' }
  const known = notModified(context.headers, facts)
  if (known) return known
  const { database, name: source } = gitPlace(repository)
  if (!openReadableGit(repository)) throw notFound()
  const name = `${repository.fullName.replace(/[^\w.-]/g, '-')}-${sha.slice(0, 7)}`
  return {
    status: 200,
    headers: {
      ...facts,
      'Content-Type': TYPES[format],
      'Content-Disposition': `attachment; filename=${name}.${ENDINGS[format]}`,
    },
    // Files of any size are read, unlike those that are answered as JSON.
    bytes: context.server.gitWorker.write(
      { database: database.name, repository: source },
      { kind: 'archive', commit: sha, format, prefix: `${name}/` },
    ),
  }
}
