import type { JsonObject } from '../../records/json/json.ts'
import { formatNodeId } from '../../rest/node-id.ts'
import type { Repository } from '../catalog/repositories.ts'
import { asList, asObject, asText, asTextOrNull, parseJson, type Row } from '../catalog/sources.ts'
import { formatTime, toTime, toTimeOrNull } from '../catalog/times.ts'
import { segment, toUser } from './people.ts'
import type { Rendering } from './rendering.ts'

/** The address of a repository in the interface. */
export const repositoryUrl = ({ base }: Rendering, { fullName }: Repository): string =>
  `${base}/repos/${fullName.split('/').map(segment).join('/')}`

/**
 * The address of a repository on this server, for people and Git. Importers clone from the address in the
 * answer, and the host of the archive may be gone.
 */
export const homeUrl = ({ origin }: Rendering, { fullName }: Repository): string =>
  `${origin}/${fullName.split('/').map(segment).join('/')}`

const COLUMNS = `name, description, website, has_issues, has_wiki, has_downloads, is_archived,
  created_at, default_branch, page, general_settings, repository_topics`

/** A repository in full, with what the viewer may do in it. */
export function toRepository(rendering: Rendering, repository: Repository): JsonObject {
  const { reader, viewer } = rendering
  const permission = reader.permissions.permissionOf(viewer, repository) ?? 'none'
  return reader.sources.remember(
    `repository ${rendering.base} ${repository.id} ${permission}`,
    () => describeRepository(rendering, repository, permission),
    (value) => 2 * JSON.stringify(value).length,
  )
}

function describeRepository(
  rendering: Rendering,
  repository: Repository,
  permission: string,
): JsonObject {
  const { reader } = rendering
  const { fullName, url, host, number, database, row } = repository
  const columns: Row = reader.sources.record(database, 'repositories', COLUMNS, row) ?? []
  const [name, description, website, issues, wiki, downloads, archived, created] = columns
  const [branch, page, settings, topics] = columns.slice(8)
  const { projects, rebase_merge, squash_merge, merge_commit } = asObject(parseJson(settings))
  const api = repositoryUrl(rendering, repository)
  const created_at = toTime(created)
  return {
    id: number,
    node_id: formatNodeId('Repository', number),
    name: asText(name),
    full_name: fullName,
    private: repository.isPrivate,
    owner: toUser(rendering, reader.people.byId(repository.owner, host)),
    html_url: url,
    description: asTextOrNull(description),
    fork: false,
    url: api,
    ...Object.fromEntries(TEMPLATES.map(([member, rest]) => [member, `${api}/${rest}`])),
    created_at,
    updated_at: repository.updated === null ? created_at : formatTime(repository.updated),
    pushed_at: toTimeOrNull(repository.pushed),
    git_url: `git://${host}/${fullName}.git`,
    ssh_url: `git@${host}:${fullName}.git`,
    clone_url: `${homeUrl(rendering, repository)}.git`,
    svn_url: url,
    homepage: asTextOrNull(website),
    size: Math.ceil(repository.size / 1024),
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: issues === 1,
    has_projects: projects !== false,
    has_downloads: downloads === 1,
    has_wiki: wiki === 1,
    has_pages: isObject(parseJson(page)),
    forks_count: 0,
    mirror_url: null,
    archived: archived === 1,
    open_issues_count: repository.openThreads,
    topics: asList(topics)
      .map(asObject)
      .filter(({ state }) => state === 'created')
      .flatMap(({ topic_name }) => (typeof topic_name === 'string' ? [topic_name] : [])),
    default_branch: asText(branch),
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

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
export function toShortRepository(rendering: Rendering, repository: Repository): JsonObject {
  const { reader } = rendering
  const { fullName, url, host, number, database, row, isPrivate } = repository
  const columns = reader.sources.record(database, 'repositories', 'name, default_branch', row)
  return {
    id: number,
    node_id: formatNodeId('Repository', number),
    name: asText(columns?.[0]),
    full_name: fullName,
    private: isPrivate,
    owner: toUser(rendering, reader.people.byId(repository.owner, host)),
    html_url: url,
    fork: false,
    url: repositoryUrl(rendering, repository),
    default_branch: asText(columns?.[1]),
  }
}
