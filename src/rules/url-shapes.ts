import { escapePattern } from '../base/text.ts'

/** An RFC 6570 template, or one per kind of parent. */
export type UrlShape = string | { readonly [parent: string]: string }

export type UrlShapes = { readonly [kind: string]: UrlShape }

const host = '{scheme}://{+host}'
const repository = `${host}/{owner}/{repository}`
const pullRequest = `${repository}/pull/{pull_request}`

/** The shapes of GitHub's URLs by kind, including labels, which are in repositories. */
export const URL_SHAPES = {
  users: `${host}/{user}`,
  bots: `${host}/{user}`,
  organizations: `${host}/{organization}`,
  repositories: repository,
  teams: `${host}/orgs/{owner}/teams/{team}`,
  protected_branches: `${repository}/settings/branches/{protected_branch}`,
  milestones: `${repository}/milestones/{milestone}`,
  issues: `${repository}/issues/{issue}`,
  pull_requests: pullRequest,
  projects: {
    repository: `${repository}/projects/{project}`,
    organization: `${host}/orgs/{owner}/projects/{project}`,
  },
  pull_request_reviews: `${pullRequest}/files#pullrequestreview-{pull_request_review}`,
  pull_request_review_threads: `${pullRequest}/files#pullrequestreviewthread-{pull_request_review_thread}`,
  pull_request_review_comments: `${pullRequest}/files#r{pull_request_review_comment}`,
  commit_comments: `${repository}/commit/{commit}#commitcomment-{commit_comment}`,
  issue_comments: {
    issue: `${repository}/issues/{issue}#issuecomment-{issue_comment}`,
    pull_request: `${pullRequest}#issuecomment-{issue_comment}`,
  },
  issue_events: {
    issue: `${repository}/issues/{issue}#event-{issue_event}`,
    pull_request: `${pullRequest}#event-{issue_event}`,
  },
  attachments: `${host}/{attachment}`,
  releases: `${repository}/releases/tag/{release}`,
  repository_files: `${host}/{repository_file}`,
  discussion_categories: `${repository}/discussion_categories/{discussion_category}`,
  discussions: `${repository}/discussions/{discussion}`,
  discussion_comments: `${repository}/discussions/{discussion}#discussioncomment-{discussion_comment}`,
  labels: `${repository}/labels/{label}`,
} as const satisfies UrlShapes

/** The kinds whose URLs importers parse: those that exporters describe in urls.json. */
export const DESCRIBED_URLS = [
  'users',
  'organizations',
  'teams',
  'repositories',
  'protected_branches',
  'milestones',
  'issues',
  'pull_requests',
  'pull_request_review_comments',
  'commit_comments',
  'issue_comments',
  'issue_events',
  'releases',
  'labels',
] as const

/** A pattern that URLs of this shape match. */
export function urlPattern(shape: UrlShape): RegExp {
  const templates = typeof shape === 'string' ? [shape] : Object.values(shape)
  return new RegExp(`^(?:${templates.map(patternOf).join('|')})$`)
}

const part = '[^/?#\\s]+'

/** The patterns of variables that are not simply one part of a path. */
const VARIABLES: { readonly [name: string]: string } = {
  scheme: 'https?',
  commit: '[0-9a-f]{40}',
  // Names of branches and tags may have slashes, and the rest of an address anything.
  ...Object.fromEntries(
    ['protected_branch', 'release', 'attachment', 'repository_file'].map((name) => [
      name,
      '[^?#\\s]+',
    ]),
  ),
  ...Object.fromEntries(
    [
      'issue',
      'pull_request',
      'milestone',
      'discussion',
      'project',
      'number',
      'issue_comment',
      'issue_event',
      'commit_comment',
      'pull_request_review',
      'pull_request_review_thread',
      'pull_request_review_comment',
      'discussion_comment',
    ].map((name) => [name, '\\d+']),
  ),
}

const expression = /\{([+/#]?)(\w+)\*?\}|[^{]+/g

function patternOf(template: string): string {
  return template.replace(expression, (text, operator: string, name?: string) => {
    if (name === undefined) return escapePattern(text)
    if (operator === '/') return `(?:/${part})*`
    if (operator === '#') return '#\\S+'
    return VARIABLES[name] ?? part
  })
}
