import type { ArchiveRecord } from '../../src/records/kinds/kinds.ts'
import type { Content } from './content.ts'
import type { GitRepository } from './git-repository.ts'
import { accountUrl } from './host.ts'

type Repository = ArchiveRecord<'repositories'>

/** A repository in the making. */
export interface Project {
  readonly content: Content
  readonly url: string
  readonly owner: string
  readonly git: GitRepository
  readonly record: Repository
}

interface Start {
  owner: string
  name: string
  description: string
  created_at: string
  git: GitRepository
  /** Name, color and description of each label. */
  labels: readonly (readonly [name: string, color: string, description: string])[]
  topics?: readonly string[]
  /** Who filed it under these topics. */
  by: string
  more?: Partial<Repository>
}

/** Adds a repository: its record and its Git data. */
export function addProject(content: Content, start: Start): Project {
  const { owner, name, created_at, git } = start
  const url = `${accountUrl(owner)}/${name}`
  const record: Repository = {
    type: 'repository',
    url,
    owner: accountUrl(owner),
    name,
    description: start.description,
    website: null,
    private: false,
    has_issues: true,
    has_wiki: false,
    has_downloads: true,
    is_archived: false,
    labels: start.labels.map(([label, color, description]) => ({
      url: `${url}/labels/${encodeURIComponent(label)}`,
      name: label,
      color,
      description,
      created_at,
    })),
    collaborators: [],
    created_at,
    git_url: addGitFiles(content, `${owner}/${name}`, git),
    default_branch: 'main',
    webhooks: [],
    page: null,
    public_keys: [],
    repository_topics: (start.topics ?? []).map((topic_name) => ({
      topic_url: null,
      topic_name,
      repository: url,
      creator: accountUrl(start.by),
      state: 'created',
      created_at: created_at.replace('Z', '.000+02:00'),
      updated_at: created_at.replace('Z', '.000+02:00'),
    })),
    security_and_analysis: {
      dependency_graph: true,
      vulnerability_alerts: true,
      vulnerability_updates: false,
      advanced_security: false,
      token_scanning: true,
      token_scanning_push_protection: true,
    },
    autolinks: [],
    general_settings: {
      template: false,
      allow_forking: true,
      sponsorships: false,
      projects: true,
      discussions: content.era === 2026,
      merge_commit: true,
      squash_merge: true,
      rebase_merge: true,
      auto_merge: false,
      delete_branch_heads: true,
      update_branch: false,
      git_lfs_in_archives: false,
    },
    actions_general_settings: {
      actions_disabled: false,
      allows_all_actions: true,
      allows_local_actions_only: false,
      allows_github_owned_actions: false,
      allows_verified_actions: false,
      allows_specific_actions_patterns: false,
      patterns: [],
    },
    ...start.more,
  }
  content.records.repositories.push(record)
  return { content, url, owner, git, record }
}

/** Adds a wiki, which is a Git repository of its own. */
export function addWiki({ content, record }: Project, fullName: string, git: GitRepository): void {
  record.has_wiki = true
  record.wiki_url = addGitFiles(content, `${fullName}.wiki`, git)
}

/** Returns the address by which records name files of the archive. */
function addGitFiles({ files }: Content, fullName: string, git: GitRepository): string {
  const folder = `repositories/${fullName}.git`
  for (const [path, bytes] of git.files) files.set(`${folder}/${path}`, bytes)
  return `tarball://root/${folder}`
}

/** The label of that name, which the repository must have. */
export function labelOf({ record }: Project, name: string): Repository['labels'][number] {
  const label = record.labels.find((one) => one.name === name)
  if (!label) throw new Error(`there is no label ${name}`)
  return label
}

interface Milestone {
  number: number
  title: string
  description: string
  by: string
  at: string
  due_on: string | null
  closed_at?: string
}

/** Adds a milestone. */
export function addMilestone({ content, url }: Project, milestone: Milestone): void {
  const { number, title, description, by, at, due_on, closed_at = null } = milestone
  content.records.milestones.push({
    type: 'milestone',
    url: `${url}/milestones/${number}`,
    repository: url,
    user: accountUrl(by),
    title,
    description,
    state: closed_at ? 'closed' : 'open',
    due_on,
    created_at: at,
    updated_at: closed_at ?? at,
    closed_at,
  })
}

interface Release {
  tag: string
  name: string
  body: string
  by: string
  at: string
  prerelease?: boolean
}

/** Adds a release. */
export function addRelease({ content, url }: Project, release: Release): void {
  const { tag, name, body, by, at, prerelease = false } = release
  content.records.releases.push({
    type: 'release',
    url: `${url}/releases/tag/${tag}`,
    repository: url,
    user: accountUrl(by),
    name,
    tag_name: tag,
    body,
    state: 'published',
    pending_tag: tag,
    prerelease,
    target_commitish: 'main',
    release_assets: [],
    published_at: at,
    created_at: at,
  })
}

/** Adds a rule that keeps the main branch safe. */
export function protectMain({ content, url }: Project, by: string, checks: string[]): void {
  content.records.protected_branches.push({
    type: 'protected_branch',
    name: 'main',
    url: `${url}/settings/branches/main`,
    creator_url: accountUrl(by),
    repository_url: url,
    admin_enforced: false,
    block_deletions_enforcement_level: 2,
    block_force_pushes_enforcement_level: 2,
    dismiss_stale_reviews_on_push: true,
    pull_request_reviews_enforcement_level: 'non_admins',
    require_code_owner_review: false,
    required_status_checks_enforcement_level: checks.length > 0 ? 'non_admins' : 'off',
    strict_required_status_checks_policy: false,
    authorized_actors_only: false,
    authorized_user_urls: [],
    authorized_team_urls: [],
    dismissal_restricted_user_urls: [],
    dismissal_restricted_team_urls: [],
    required_status_checks: checks,
    requires_approving_reviews: true,
    required_approving_review_count: 1,
    requires_commit_signatures: false,
    requires_linear_history: false,
    allows_force_pushes: false,
    allows_deletions: false,
    requires_status_checks: checks.length > 0,
    restricts_review_dismissals: false,
  })
}
