import { findEntry, partsOf, readTree } from '../../../git/history/walk-tree.ts'
import {
  isFolder,
  isLink,
  isSubmodule,
  parseTree,
  type TreeEntry,
} from '../../../git/parse/parse-tree.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { GitRepository } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import { HttpError, notFound } from '../../http/http-error.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { pathInUrl, sizeOf } from '../../resources/git-objects.ts'
import { repositoryUrl } from '../../resources/repositories.ts'
import { renderingOf } from '../find-in-path.ts'
import { defaultBranch } from './commits.ts'
import { inGitRepository, resolveName } from './git-request.ts'
import { LARGEST_WHOLE, openBlob, sendBytes, toBase64 } from './send-blob.ts'

/** The files that a request is about. */
interface Asked {
  readonly context: RequestContext
  readonly repository: Repository
  readonly git: GitRepository
  /** The branch, tag or commit. */
  readonly ref: string
  /** Its tree. */
  readonly tree: string
}

function resolveRef(context: RequestContext, repository: Repository, git: GitRepository): Asked {
  const asked = context.query.get('ref') ?? ''
  const ref = asked === '' ? defaultBranch(context, repository) : asked
  const tree = resolveName(git, ref, 'tree')
  if (tree === undefined) throw new HttpError(404, `No commit found for the ref ${ref}`)
  return { context, repository, git, ref, tree }
}

/** Entries of a folder that are sent, as on the host. */
const MOST_ENTRIES = 1000

/** A file, or the files of a folder. */
export const contents: Handler = inGitRepository((context, repository, git) =>
  answerPath(resolveRef(context, repository, git), context.params.path ?? ''),
)
export const rootContents = contents

/** Folders that may hold the README, in the order in which they are searched. */
const README_FOLDERS = ['.github', '', 'docs']

/** The README of a repository. */
export const readme: Handler = inGitRepository((context, repository, git) => {
  const asked = resolveRef(context, repository, git)
  for (const folder of README_FOLDERS) {
    const found = findReadme(asked, folder)
    if (found !== undefined) return answerPath(asked, found)
  }
  throw notFound()
})

function findReadme({ git: { objects }, tree }: Asked, folder: string): string | undefined {
  const entry = findEntry(objects, tree, partsOf(folder))
  if (!entry || !isFolder(entry)) return undefined
  const names = parseTree(readTree(objects, entry.oid))
    .filter((each) => !isFolder(each) && !isSubmodule(each))
    .map(({ name }) => name)
    .filter((name) => /^readme(?:\.\w+)?$/i.test(name))
    .toArray()
  const name = names.find((each) => /\.md$/i.test(each)) ?? names[0]
  return name === undefined ? undefined : [folder, name].filter((part) => part !== '').join('/')
}

async function answerPath(asked: Asked, path: string): Promise<Answer> {
  const { context, git } = asked
  const entry = findEntry(git.objects, asked.tree, partsOf(path))
  if (!entry) throw notFound()
  if (isFolder(entry)) {
    const entries = parseTree(readTree(git.objects, entry.oid)).take(MOST_ENTRIES).toArray()
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
    ...{ url, git_url, html_url, download_url: null },
    _links: { self: url, git: git_url, html: html_url },
  }
}

const typeOf = (entry: TreeEntry): 'dir' | 'submodule' | 'symlink' | 'file' =>
  isFolder(entry) ? 'dir' : isSubmodule(entry) ? 'submodule' : isLink(entry) ? 'symlink' : 'file'
