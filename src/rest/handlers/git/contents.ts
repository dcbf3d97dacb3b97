import type { GitData } from '../../../git/open-git.ts'
import { isFolder, isLink, isSubmodule, type TreeEntry } from '../../../git/parse/parse-tree.ts'
import { HttpError, notFound } from '../../../http/http-error.ts'
import { findAt, findReadme, readFolder } from '../../../reading/git/folders.ts'
import { defaultRevision } from '../../../reading/git/repository-git.ts'
import { findCommit, treeNamed } from '../../../reading/git/revisions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { pathInUrl, sizeOf } from '../../resources/git-objects.ts'
import { repositoryUrl } from '../../resources/repositories.ts'
import { renderingOf } from '../find-in-path.ts'
import { inGitRepository } from './git-request.ts'
import { LARGEST_WHOLE, openBlob, sendBytes, toBase64 } from './send-blob.ts'

/** The files that a request is about. */
interface Asked {
  readonly context: RequestContext
  readonly repository: IndexedRepository
  readonly git: GitData
  /** The branch, tag or commit. */
  readonly ref: string
  /** Its tree. */
  readonly tree: string
}

function resolveRef(context: RequestContext, repository: IndexedRepository, git: GitData): Asked {
  const asked = context.query.get('ref') ?? ''
  const revision = asked === '' ? defaultRevision(repository, git) : undefined
  const ref = revision?.name ?? asked
  const tree = revision ? findCommit(git, revision.oid)?.tree : treeNamed(git, asked)
  if (tree === undefined) throw new HttpError(404, `No commit found for the ref ${ref}`)
  return { context, repository, git, ref, tree }
}

/** Entries of a folder that are sent, as on the host. */
const MOST_ENTRIES = 1000

/** A file, or the files of a folder. */
export const contents: Handler = inGitRepository((context, repository, git) => {
  const names = (context.params.path ?? '').split('/').filter((name) => name !== '' && name !== '.')
  return answerPath(resolveRef(context, repository, git), names)
})
export const rootContents = contents

/** Folders that may hold the README, in the order in which they are searched. */
const README_FOLDERS = [['.github'], [], ['docs']]

/** The README of a repository. */
export const readme: Handler = inGitRepository((context, repository, git) => {
  const asked = resolveRef(context, repository, git)
  for (const folder of README_FOLDERS) {
    const entry = findAt(git, asked.tree, folder)
    const found = entry && isFolder(entry) ? findReadme(readFolder(git, entry.oid)) : undefined
    if (found) return answerPath(asked, [...folder, found.name])
  }
  throw notFound()
})

async function answerPath(asked: Asked, names: readonly string[]): Promise<Answer> {
  const { context, git } = asked
  const entry = findAt(git, asked.tree, names)
  if (!entry) throw notFound()
  const path = names.join('/')
  if (isFolder(entry)) {
    const entries = readFolder(git, entry.oid).entries.slice(0, MOST_ENTRIES)
    const body = entries.map((each) =>
      describe(asked, each, path === '' ? each.name : `${path}/${each.name}`),
    )
    return { status: 200, body }
  }
  const described = describe(asked, entry, path)
  if (isSubmodule(entry)) return { status: 200, body: { ...described, submodule_git_url: null } }
  const blob = openBlob(git, entry.oid)
  if (context.media.form === 'raw') return sendBytes(context, blob)
  const isWhole = blob.size <= LARGEST_WHOLE
  const content = isWhole ? await toBase64(blob) : ''
  if (isLink(entry)) {
    const target = Buffer.from(content, 'base64').toString('utf8')
    return { status: 200, body: { ...described, target } }
  }
  const encoding = isWhole ? 'base64' : 'none'
  return { status: 200, body: { ...described, content, encoding } }
}

/** A file or folder without its content. */
function describe(
  { context, repository, git, ref }: Asked,
  entry: TreeEntry,
  path: string,
): JsonObject {
  const rendering = renderingOf(context)
  const api = repositoryUrl(rendering, repository)
  const type = typeOf(entry)
  const url = `${api}/contents/${pathInUrl(path)}?ref=${encodeURIComponent(ref)}`
  const git_url =
    type === 'submodule' ? null : `${api}/git/${type === 'dir' ? 'trees' : 'blobs'}/${entry.oid}`
  const html_url = `${repository.url}/${type === 'dir' ? 'tree' : 'blob'}/${pathInUrl(`${ref}/${path}`)}`
  return {
    type,
    size: type === 'file' || type === 'symlink' ? sizeOf(git, entry.oid) : 0,
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha: entry.oid,
    url,
    git_url,
    html_url,
    download_url: null,
    _links: { self: url, git: git_url, html: html_url },
  }
}

const typeOf = (entry: TreeEntry): 'dir' | 'submodule' | 'symlink' | 'file' =>
  isFolder(entry) ? 'dir' : isSubmodule(entry) ? 'submodule' : isLink(entry) ? 'symlink' : 'file'
