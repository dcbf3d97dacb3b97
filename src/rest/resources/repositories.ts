import { formatNodeId } from '../../interface/node-id.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { readRepositoryRecord } from '../../reading/repository-record.ts'
import { formatSeconds, orEpoch, toTimeOrNull } from '../../reading/times.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { segment, toUser } from './people.ts'
import type { Rendering } from './rendering.ts'

/** The address of a repository in the interface. */
export const repositoryUrl = ({ base }: Rendering, { fullName }: IndexedRepository): string =>
  `${base}/repos/${fullName.split('/').map(segment).join('/')}`

/**
 * The address of a repository on this server, for people and Git. Importers clone from the address in the
 * answer, and the host of the archive may be gone.
 */
export const homeUrl = ({ origin }: Rendering, { fullName }: IndexedRepository): string =>
  `${origin}/${fullName.split('/').map(segment).join('/')}`

/** A repository in full, with what the viewer may do in it. */
export function toRepository(rendering: Rendering, repository: IndexedRepository): JsonObject {
  const { reader, viewer } = rendering
  const permission = reader.permissions.permissionOf(viewer, repository) ?? 'none'
  return reader.library.remember(
    REPOSITORIES,
    `${rendering.base} ${repository.id} ${permission}`,
    () => describeRepository(rendering, repository, permission),
  )
}

const REPOSITORIES = new Memo<JsonObject>((value) => 2 * JSON.stringify(value).length)

function describeRepository(
  rendering: Rendering,
  repository: IndexedRepository,
  permission: string,
): JsonObject {
  const { reader } = rendering
  const { fullName, url, host, number } = repository
  const record = readRepositoryRecord(repository)
  const { projects, rebase_merge, squash_merge, merge_commit } = record?.settings ?? {}
  const api = repositoryUrl(rendering, repository)
  const created_at = orEpoch(record?.createdAt)
  return {
    id: number,
    node_id: formatNodeId('Repository', number),
    name: record?.name ?? '',
    full_name: fullName,
    private: repository.isPrivate,
    owner: toUser(rendering, reader.people.byId(repository.ownerId, host)),
    html_url: url,
    description: record?.description ?? null,
    fork: false,
    url: api,
    ...Object.fromEntries(TEMPLATES.map(([member, rest]) => [member, `${api}/${rest}`])),
    created_at,
    updated_at: repository.updated === null ? created_at : formatSeconds(repository.updated),
    pushed_at: toTimeOrNull(repository.pushed),
    git_url: `git://${host}/${fullName}.git`,
    ssh_url: `git@${host}:${fullName}.git`,
    clone_url: `${homeUrl(rendering, repository)}.git`,
    svn_url: url,
    homepage: record?.website ?? null,
    size: Math.ceil(repository.size / 1024),
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: record?.hasIssues ?? false,
    has_projects: projects !== false,
    has_downloads: record?.hasDownloads ?? false,
    has_wiki: record?.hasWiki ?? false,
    has_pages: record?.hasPages ?? false,
    forks_count: 0,
    mirror_url: null,
    archived: record?.isArchived ?? false,
    open_issues_count: repository.openThreads,
    topics: [...(record?.topics ?? [])],
    default_branch: record?.defaultBranch ?? '',
    allow_rebase_merge: rebase_merge !== false,
    allow_squash_merge: squash_merge !== false,
    allow_merge_commit: merge_commit !== false,
    subscribers_count: 0,
    network_count: 0,
    permissions: {
      admin: permission === 'admin',
      push: permission === 'admin' || permission === 'push',
      pull: permission !== 'none',
    },
    forks: 0,
    watchers: 0,
    open_issues: repository.openThreads,
    license: null,
    disabled: false,
  }
}

/** The addresses of a repository, relative to its own. */
const TEMPLATES: readonly (readonly [member: string, rest: string])[] = [
  ['forks_url', 'forks'],
  ['keys_url', 'keys{/key_id}'],
  ['collaborators_url', 'collaborators{/collaborator}'],
  ['teams_url', 'teams'],
  ['hooks_url', 'hooks'],
  ['issue_events_url', 'issues/events{/number}'],
  ['events_url', 'events'],
  ['assignees_url', 'assignees{/user}'],
  ['branches_url', 'branches{/branch}'],
  ['tags_url', 'tags'],
  ['blobs_url', 'git/blobs{/sha}'],
  ['git_tags_url', 'git/tags{/sha}'],
  ['git_refs_url', 'git/refs{/sha}'],
  ['trees_url', 'git/trees{/sha}'],
  ['statuses_url', 'statuses/{sha}'],
  ['languages_url', 'languages'],
  ['stargazers_url', 'stargazers'],
  ['contributors_url', 'contributors'],
  ['subscribers_url', 'subscribers'],
  ['subscription_url', 'subscription'],
  ['commits_url', 'commits{/sha}'],
  ['git_commits_url', 'git/commits{/sha}'],
  ['comments_url', 'comments{/number}'],
  ['issue_comment_url', 'issues/comments{/number}'],
  ['contents_url', 'contents/{+path}'],
  ['compare_url', 'compare/{base}...{head}'],
  ['merges_url', 'merges'],
  ['archive_url', '{archive_format}{/ref}'],
  ['downloads_url', 'downloads'],
  ['issues_url', 'issues{/number}'],
  ['pulls_url', 'pulls{/number}'],
  ['milestones_url', 'milestones{/number}'],
  ['notifications_url', 'notifications{?since,all,participating}'],
  ['labels_url', 'labels{/name}'],
  ['releases_url', 'releases{/id}'],
  ['deployments_url', 'deployments'],
]

/** A repository in the payload of a pull request. */
export const toShortRepository = (
  rendering: Rendering,
  repository: IndexedRepository,
): JsonObject =>
  rendering.reader.library.remember(SHORT, `${rendering.base} ${repository.id}`, () =>
    describeShortRepository(rendering, repository),
  )

const SHORT = new Memo<JsonObject>((value) => 2 * JSON.stringify(value).length)

function describeShortRepository(rendering: Rendering, repository: IndexedRepository): JsonObject {
  const { reader } = rendering
  const { fullName, url, host, number, isPrivate } = repository
  const record = readRepositoryRecord(repository)
  return {
    id: number,
    node_id: formatNodeId('Repository', number),
    name: record?.name ?? '',
    full_name: fullName,
    private: isPrivate,
    owner: toUser(rendering, reader.people.byId(repository.ownerId, host)),
    html_url: url,
    fork: false,
    url: repositoryUrl(rendering, repository),
    default_branch: record?.defaultBranch ?? '',
  }
}
