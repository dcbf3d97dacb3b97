import type { Library, Repository } from '../reading/library.ts'
import type { Reference } from '../reading/markdown/references.ts'
import { findUpload, pictureSize } from '../reading/uploads.ts'
import { uploadLinks } from '../records/upload-links.ts'
import { localPathOf, personPath, threadPath } from './link.ts'
import { commitPathOf, gitPictureOf } from './link-git.ts'
import type { MarkdownContext, Picture, Target } from './markdown/markdown-context.ts'
import type { ThreadContext } from './parts/card.ts'
import { pathTo } from './parts/elements.ts'
import { uploadPath } from './served-bytes.ts'

/**
 * The records that a text of a repository may refer to.
 *
 * @param origin the path that its relative addresses begin from
 */
export function createMarkdownContext(
  library: Library,
  repository: Repository,
  origin?: string,
): MarkdownContext {
  const absolute = (url: string) => absoluteUrl(library, repository, url, origin)
  return {
    isPatient: library.isStatic,
    link(url): Target | undefined {
      if (!/^https?:\/\//i.test(url)) {
        if (/^mailto:/i.test(url)) return { href: url, isOutside: true }
        const full = absolute(url)
        const local = full === undefined ? undefined : localPathOf(library, full)
        return local === undefined ? undefined : { href: local }
      }
      const local = localPathOf(library, url)
      if (local !== undefined) {
        const label = shortName(local, repository)
        return { href: local, ...(label !== undefined && { label }) }
      }
      const parsed = URL.parse(url)
      return {
        href: url,
        isOutside: true,
        isMissing: parsed !== null && library.isHost(parsed.host),
      }
    },
    reference: (reference) => referencePath(library, repository, reference),
    picture(url) {
      const full = absolute(url)
      if (full === undefined) return undefined
      return pictureOf(library, full) ?? gitPictureOf(library, full)
    },
  }
}

/** The facts of a thread or commit that its texts need. */
export const threadContext = (
  library: Library,
  repository: Repository,
  opener: string | null,
): ThreadContext => ({
  markdown: createMarkdownContext(library, repository),
  opener,
  base: pathTo(repository.owner, repository.name),
  uploadPath(url) {
    const upload = findUpload(library, url)
    return upload && uploadPath(upload)
  },
  localPath: (url) => localPathOf(library, url),
  hides: (url, isFork) => library.hides(url, isFork),
})

/** An address as it would be on the host; undefined for a relative address in a text without a base. */
function absoluteUrl(
  { hosts }: Library,
  { owner, name }: Repository,
  url: string,
  origin: string | undefined,
): string | undefined {
  if (/^https?:\/\//i.test(url)) return url
  const [host] = hosts
  if (origin === undefined || host === undefined || /^(?:[a-z][\w+.-]*:|\/\/|#)/i.test(url)) {
    return undefined
  }
  // In a file of a repository, a slash is its root.
  const root = /^\/[^/]+\/[^/]+\/blob\/[^/]+/.exec(origin)?.[0] ?? pathTo(owner, name)
  return URL.parse(url.startsWith('/') ? root + url : url, `https://${host}${origin}`)?.href
}

/** `#12`, `owner/repo#12` or `owner/repo#12 (comment)` for the path of a thread. */
function shortName(path: string, { owner, name }: Repository): string | undefined {
  const [, place, number, query, anchor] =
    /^\/([^/]+\/[^/]+)\/(?:issues|pull|discussions)\/(\d+)(\?page=\d+)?(#.*)?$/.exec(path) ?? []
  if (place === undefined) return undefined
  const decoded = decodeURIComponent(place)
  const near = decoded === `${owner}/${name}` ? '' : decoded
  return `${near}#${number}${anchor === undefined && query === undefined ? '' : ' (comment)'}`
}

function referencePath(
  library: Library,
  home: Repository,
  reference: Reference,
): string | undefined {
  switch (reference.kind) {
    case 'thread': {
      const { repository, number } = reference
      const found = repository === undefined ? home : library.repository(repository)
      return found && threadPath(found, number)
    }
    case 'person':
      return personPath(library, reference.login)
    case 'team':
      return localTeam(library, reference.organization, reference.team)
    case 'commit': {
      const { repository, oid } = reference
      const found = repository === undefined ? home : library.repository(repository)
      return found && commitPathOf(found, oid)
    }
    default:
      return undefined
  }
}

function localTeam(library: Library, organization: string, team: string): string | undefined {
  const [host] = library.hosts
  return localPathOf(library, `https://${host}/orgs/${organization}/teams/${team}`)
}

function pictureOf(library: Library, url: string): Picture | undefined {
  const [link] = uploadLinks(url)
  const found = link === undefined ? undefined : findUpload(library, link)
  if (!found) return undefined
  const size = pictureSize(found)
  return size && { src: uploadPath(found), ...size }
}
