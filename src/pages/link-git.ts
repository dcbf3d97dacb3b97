import { ArchiveError } from '../base/errors.ts'
import { readCommit } from '../git/history/walk-commits.ts'
import type { GitData } from '../git/open-git.ts'
import { isFolder, isLink, isSubmodule } from '../git/parse/parse-tree.ts'
import { fileTypeOf, pictureSizeOf } from '../reading/file-type.ts'
import { HEAD } from '../reading/git/files.ts'
import { findAt } from '../reading/git/folders.ts'
import { openGit, openWiki } from '../reading/git/repository-git.ts'
import { commitNamed, findRevision } from '../reading/git/revisions.ts'
import { findInWiki, readWiki } from '../reading/git/wiki.ts'
import type { Library, Repository } from '../reading/library.ts'
import { hasComments } from '../reading/threads/commit-comments.ts'
import type { Picture } from './markdown/markdown-context.ts'
import { pathTo } from './parts/elements.ts'
import { commitPath, gitPath } from './parts/git.ts'

/**
 * The path of the page of an object in Git data; undefined if the object is not there.
 *
 * @param kind what follows the repository in the address: `tree`, `commit`, …
 * @param parts what follows that, decoded
 */
export function gitPathOf(
  repository: Repository,
  kind: string,
  parts: readonly string[],
  fragment: string,
): string | undefined {
  const [first = ''] = parts
  switch (kind) {
    case 'commit': {
      const path = commitPathOf(repository, first) ?? commentedCommit(repository, first)
      return path === undefined ? undefined : path + fragment
    }
    case 'tree':
    case 'blob':
    case 'blame':
    case 'raw':
    case 'commits':
      return readable(repository, (git) => placePath(repository, git, kind, parts, fragment))
    case 'branches':
    case 'tags':
      return repository.git ? pathTo(repository.owner, repository.name, kind) : undefined
    case 'wiki':
      return readable(repository, () => wikiPath(repository, first))
    case 'settings':
      return first === 'branches' && repository.git
        ? pathTo(repository.owner, repository.name, 'branches')
        : undefined
    default:
      return undefined
  }
}

function wikiPath(repository: Repository, name: string): string | undefined {
  const git = openWiki(repository)
  const base = pathTo(repository.owner, repository.name, 'wiki')
  if (!git || name === '') return git && base
  const page = findInWiki(readWiki(git), name)
  return page && `${base}/${encodeURIComponent(page.name)}`
}

/** A commit that is not in the archive has a page if there are comments on it. */
function commentedCommit(repository: Repository, oid: string): string | undefined {
  return hasComments(repository, oid) ? commitPath(repository, oid) : undefined
}

/** The path of the page of the commit whose id begins with this text. */
export const commitPathOf = (repository: Repository, digits: string): string | undefined =>
  readable(repository, (git) => {
    const oid = commitNamed(git, digits)
    return oid === undefined ? undefined : commitPath(repository, oid)
  })

function placePath(
  repository: Repository,
  git: GitData,
  kind: 'tree' | 'blob' | 'blame' | 'raw' | 'commits',
  parts: readonly string[],
  fragment: string,
): string | undefined {
  const found = findRevision(git, parts)
  if (!found) return undefined
  const { revision, path } = found
  const entry = findAt(git, readCommit(git.objects, revision.oid).tree, path)
  if (!entry || isSubmodule(entry)) return undefined
  const word =
    kind === 'commits' ? kind : isFolder(entry) ? 'tree' : kind === 'raw' ? 'raw' : 'blob'
  return gitPath(repository, word, revision.name, path) + fragment
}

/** The host that serves raw files of repositories, which differs from the host of pages. */
const RAW_HOST = 'raw.githubusercontent.com'

/** A picture in a repository, by its address. */
export function gitPictureOf(library: Library, url: string): Picture | undefined {
  const parsed = URL.parse(url)
  if (!parsed) return undefined
  const isRaw = parsed.host === RAW_HOST && library.isHost('github.com')
  if (!isRaw && !library.isHost(parsed.host)) return undefined
  const [owner = '', name = '', ...rest] = decodedParts(parsed.pathname)
  const repository = library.repository(`${owner}/${name}`)
  if (!repository) return undefined
  const parts = isRaw ? rest : /^(?:blob|raw)$/.test(rest[0] ?? '') ? rest.slice(1) : []
  return readable(repository, (git) => {
    const found = findRevision(git, parts)
    if (!found) return undefined
    const { revision, path } = found
    const entry = findAt(git, readCommit(git.objects, revision.oid).tree, path)
    if (!entry || isFolder(entry) || isSubmodule(entry) || isLink(entry)) return undefined
    const size = git.objects.sizeOf(entry.oid)
    if (size > LARGEST_PICTURE) return undefined
    const head = git.objects.read(entry.oid).content.subarray(0, HEAD)
    const dimensions = pictureSizeOf(fileTypeOf(head, size), head)
    return dimensions && { src: gitPath(repository, 'raw', revision.name, path), ...dimensions }
  })
}

/** Larger files are not read: they stay links. */
const LARGEST_PICTURE = 32 * 2 ** 20

function decodedParts(pathname: string): string[] {
  try {
    return pathname.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return []
  }
}

/** The result of a function that reads Git data; undefined if there are none, or they cannot be read. */
function readable<T>(repository: Repository, find: (git: GitData) => T | undefined): T | undefined {
  try {
    const git = openGit(repository)
    return git && find(git)
  } catch (error) {
    if (error instanceof ArchiveError) return undefined
    throw error
  }
}
