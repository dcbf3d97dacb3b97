import { labelsOf } from './labels.ts'
import { sentence } from './prose.ts'
import {
  date,
  host,
  owner,
  randomOf,
  repositoryNames,
  repositoryUrl,
  someUser,
  type World,
} from './world.ts'

export function repository(world: World, index: number): object {
  const random = randomOf(world, 'repositories', index)
  const labels = labelsOf(index).map((label) => ({
    ...label,
    description: sentence(random),
    created_at: date(0),
  }))
  return {
    type: 'repository',
    url: repositoryUrl(index),
    owner: `${host}/${owner}`,
    name: repositoryNames[index === 0 ? 0 : 1],
    description: sentence(random),
    website: '',
    private: true,
    has_issues: true,
    has_wiki: true,
    has_downloads: true,
    is_archived: false,
    labels,
    collaborators: [{ user: someUser(world, random), permission: 'write' }],
    created_at: date(0),
    git_url: `tarball://root/repositories/${owner}/${repositoryNames[index === 0 ? 0 : 1]}.git`,
    default_branch: 'main',
    webhooks: [],
    page: null,
    public_keys: [],
    repository_topics: [],
    autolinks: [],
  }
}

export function protectedBranch(world: World, index: number): object {
  const name = 'main'
  return {
    type: 'protected_branch',
    name,
    url: `${repositoryUrl(index)}/settings/branches/${name}`,
    creator_url: someUser(world, randomOf(world, 'protected_branches', index)),
    repository_url: repositoryUrl(index),
    admin_enforced: true,
    block_deletions_enforcement_level: 2,
    block_force_pushes_enforcement_level: 2,
    dismiss_stale_reviews_on_push: false,
    pull_request_reviews_enforcement_level: 'non_admins',
    require_code_owner_review: false,
    required_status_checks_enforcement_level: 'off',
    strict_required_status_checks_policy: false,
    authorized_actors_only: false,
    authorized_user_urls: [],
    authorized_team_urls: [`${host}/orgs/${owner}/teams/owners`],
    dismissal_restricted_user_urls: [],
    dismissal_restricted_team_urls: [],
    required_status_checks: [],
  }
}

/** The milestones are the two repositories' by turns. */
export function milestone(world: World, index: number): object {
  const random = randomOf(world, 'milestones', index)
  const closed = random.chance(0.8)
  const at = index / world.counts.milestones
  return {
    type: 'milestone',
    url: milestoneUrl(index),
    repository: repositoryUrl(index % 2),
    user: someUser(world, random),
    title: `${Math.floor(index / 2)}.0.0`,
    description: random.chance(0.6) ? sentence(random) : null,
    state: closed ? 'closed' : 'open',
    due_on: random.chance(0.5) ? date(at) : null,
    created_at: date(at),
    updated_at: date(at + 0.01),
    closed_at: closed ? date(at + 0.01) : null,
  }
}

export function milestoneUrl(index: number): string {
  return `${repositoryUrl(index % 2)}/milestones/${Math.floor(index / 2) + 1}`
}
