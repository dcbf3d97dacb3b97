import { findLabel } from '../reading/labels.ts'
import type { Library, Repository } from '../reading/library.ts'
import { hasMilestone } from '../reading/milestones.ts'
import { findProfile, hasPersonPage, loginOf } from '../reading/people/profiles.ts'
import { readTeam, teamUrl } from '../reading/people/teams.ts'
import { listReleaseFiles, listReleases } from '../reading/releases.ts'
import { Memo } from '../reading/store.ts'
import { findThread } from '../reading/threads/find-thread.ts'
import { listCategories } from '../reading/threads/list-threads.ts'
import { firstReply } from '../reading/threads/review-threads.ts'
import { timelinesOf } from '../reading/threads/timeline.ts'
import { findUpload } from '../reading/uploads.ts'
import { uploadLinks } from '../records/upload-links.ts'
import { commitPathOf, gitPathOf } from './link-git.ts'
import { pathTo } from './parts/elements.ts'
import { uploadPath } from './served-bytes.ts'

/** Items of a timeline on one page. */
export const ITEMS = 40

/**
 * The path of the page of an address on the host.
 *
 * @param url the address of something on the host
 * @returns the path with its fragment; undefined if it is not an address of the host, or the thing is not there
 */
export function localPathOf(library: Library, url: string): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined
  if (!library.isHost(parsed.host)) return undefined
  const parts = partsOf(parsed.pathname)
  if (!parts) return undefined
  const [owner = '', repo, kind = '', name = '', ...more] = parts
  const fragment = parsed.hash
  if (owner === '') return '/'
  if (repo === undefined) return personPath(library, owner)
  if (owner === 'orgs') return groupPath(library, repo, kind, name)
  const upload = findUploadPath(library, url)
  if (upload !== undefined) return upload
  const repository = library.repository(`${owner}/${repo}`)
  if (!repository) return undefined
  const base = pathTo(repository.owner, repository.name)
  switch (kind) {
    case '':
      return base + fragment
    case 'issues':
    case 'pull':
    case 'pulls':
    case 'discussions': {
      if (name === '') return `${base}/${kind === 'pull' ? 'pulls' : kind}`
      if (!/^\d{1,15}$/.test(name)) return undefined
      const [part = ''] = more
      if (kind === 'pull' && /^(?:commits|files|changes)$/.test(part) && !isItem(fragment)) {
        return pullPartPath(repository, Number(name), more, fragment)
      }
      return threadPath(repository, Number(name), fragment.slice(1), kind)
    }
    case 'discussion_categories': {
      const isThere = listCategories(repository).some((each) => each.name === name)
      return isThere ? `${base}/discussions?${new URLSearchParams({ category: name })}` : undefined
    }
    case 'releases': {
      if (name === '') return `${base}/releases`
      if (name === 'download') return assetPath(repository, library, more, url)
      const tag = more.join('/')
      const isThere = listReleases(repository).some((each) => each.tag === tag)
      return isThere ? `${base}/releases/tag/${encodeURIComponent(tag)}` : undefined
    }
    case 'milestone':
    case 'milestones': {
      if (name === '') return `${base}/milestones`
      const isThere = hasMilestone(repository, `${repository.url}/milestones/${name}`)
      return isThere ? `${base}/milestone/${encodeURIComponent(name)}` : undefined
    }
    case 'labels': {
      if (name === '') return `${base}/labels`
      const label = findLabel(repository, name)
      return label && `${base}/labels/${encodeURIComponent(label.name)}`
    }
    default:
      return gitPathOf(repository, kind, [name, ...more], fragment)
  }
}

/** The path of a file of a release. */
function assetPath(
  repository: Repository,
  { audience }: Library,
  parts: readonly string[],
  url: string,
): string | undefined {
  const tag = parts.slice(0, -1).join('/')
  const releases = listReleases(repository, { withDrafts: audience === 'all' })
  const release = releases.find((each) => each.tag === tag)
  const file = release && listReleaseFiles(repository, release.url).find((one) => one.url === url)
  return file?.content?.stored ? uploadPath({ ...file.content, name: file.name }) : undefined
}

/** Whether a fragment names an item of a conversation. */
const isItem = (fragment: string): boolean =>
  /^#(?:r\d|discussion_r\d|pullrequestreview|issuecomment|discussioncomment|event)/.test(fragment)

/** The path of the commits or files of a pull request, or of one of its commits. */
function pullPartPath(
  repository: Repository,
  number: number,
  [part, oid]: readonly string[],
  fragment: string,
): string | undefined {
  if (findThread(repository, number, 'pull')?.part !== 'pull') return undefined
  if (part === 'commits' && oid !== undefined) return commitPathOf(repository, oid)
  const word = part === 'commits' ? 'commits' : 'files'
  return pathTo(repository.owner, repository.name, 'pull', number, word) + fragment
}

/** The path of a thread, or of the page of its timeline with an item. */
export function threadPath(
  repository: Repository,
  number: number,
  fragment = '',
  word?: string,
): string | undefined {
  const found = findThread(repository, number, word)
  if (!found) return undefined
  const path = pathTo(repository.owner, repository.name, found.part, number)
  if (fragment === '') return path
  const isReview =
    found.part === 'pull' && /^(?:r\d+|discussion_r\d+|pullrequestreview)/.test(fragment)
  const { store } = repository
  const named = fragment.replace(/^discussion_r(?=\d)/, 'r')
  const reply = isReview ? firstReply(store, `${found.url}/files#${named}`) : undefined
  const anchor = reply?.split('#')[1] ?? named
  const item = isReview ? `${found.url}/files#${anchor}` : `${found.url}#${anchor}`
  const isLong = store.remember(LONG, found.url, () => timelinesOf(store).count(found.url) > ITEMS)
  const position = isLong
    ? store.remember(POSITIONS, item, () => timelinesOf(store).positionOf(found.url, item))
    : undefined
  const page = position === undefined ? 1 : Math.floor(position / ITEMS) + 1
  return `${path}${page > 1 ? `?page=${page}` : ''}#${encodeURIComponent(anchor)}`
}

/** Whether a thread has several pages, and where its items are, by their urls. */
const LONG = new Memo<boolean>()
const POSITIONS = new Memo<number | undefined>()

/** `/orgs/login/teams/slug`; an organization itself is at its login. */
function groupPath(
  library: Library,
  login: string,
  kind: string,
  team: string,
): string | undefined {
  const found = library.audience === 'all' ? findProfile(library, login) : undefined
  if (found?.profile.kind !== 'organization') return undefined
  if (kind !== 'teams') return pathTo(found.login)
  if (team === '') return pathTo('orgs', found.login, 'teams')
  const isThere = readTeam(found.store, teamUrl(found.profile.url, team)) !== undefined
  return isThere ? pathTo('orgs', found.login, 'teams', team) : undefined
}

/** The page of an account, if it has one. */
export const personPath = (library: Library, login: string): string | undefined =>
  hasPersonPage(library, login) ? pathTo(loginOf(library, login)) : undefined

function findUploadPath(library: Library, url: string): string | undefined {
  const [link] = uploadLinks(url)
  if (link === undefined) return undefined
  const found = findUpload(library, link)
  return found && uploadPath(found)
}

/** The parts of a path, each decoded once; undefined if its encoding is invalid. */
function partsOf(pathname: string): string[] | undefined {
  try {
    const parts = pathname.split('/').slice(1).map(decodeURIComponent)
    return parts.at(-1) === '' ? parts.slice(0, -1) : parts
  } catch {
    return undefined
  }
}
