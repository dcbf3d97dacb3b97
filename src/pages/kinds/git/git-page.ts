import type { ArchiveError } from '../../../base/errors.ts'
import { type GitData, isUnreadable } from '../../../git/open-git.ts'
import { openGit } from '../../../reading/git/repository-git.ts'
import { findRevision, type Revision } from '../../../reading/git/revisions.ts'
import type { Repository } from '../../../reading/library.ts'
import { html } from '../../html.ts'
import { inRepository, type Page, type PageRequest, type PageResult } from '../../page.ts'
import { blank } from '../../parts/elements.ts'

/** The parts of a page of Git data. */
export interface GitRequest extends PageRequest {
  readonly repository: Repository
  readonly git: GitData
}

type OpenGit = (request: GitRequest) => PageResult | Promise<PageResult>

/** A page of a repository with Git data. If these cannot be read, the page says why. */
export const withGit = (open: OpenGit): Page['open'] =>
  inRepository(async (repository, request) => {
    try {
      const git = openGit(repository)
      return git && (await open({ ...request, repository, git }))
    } catch (error) {
      if (!isUnreadable(error)) throw error
      return unreadable(repository, error)
    }
  })

function unreadable(repository: Repository, { message }: ArchiveError): PageResult {
  const body = html`<h1 class="hidden">Git data</h1>${blank('The Git data cannot be read', message)}`
  return { title: 'Git data', body, repository, tab: 'code' }
}

/** A page at a revision and a path in it. */
export interface PlaceRequest extends GitRequest {
  readonly revision: Revision
  /** The path in the repository. */
  readonly place: readonly string[]
}

/** A page at `/owner/repo/word/REF/PATH`. */
export const atPlace = (open: (request: PlaceRequest) => PageResult | Promise<PageResult>) =>
  withGit((request) => {
    const found = findRevision(request.git, revisionParts(request))
    return found && open({ ...request, revision: found.revision, place: found.path })
  })

/** The same without a page: undefined if there is nothing, or the Git data cannot be read. */
export function placeOf(request: PageRequest): PlaceRequest | undefined {
  const { owner = '', repo = '' } = request.params
  const repository = request.library.repository(`${owner}/${repo}`)
  try {
    const git = repository && openGit(repository)
    const found = git && findRevision(git, revisionParts(request))
    return found && repository && git
      ? { ...request, repository, git, revision: found.revision, place: found.path }
      : undefined
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return undefined
  }
}

/** The decoded parts of `/owner/repo/word/…` after the word: a revision, and a path in it. */
export const revisionParts = ({ path }: PageRequest): string[] =>
  path.split('/').slice(4).map(decodeURIComponent)
