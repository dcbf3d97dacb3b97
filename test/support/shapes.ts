/** The shapes of resources as JSON Schema 2020-12, and whether a value has one, the order of its members included. */

import { Ajv2020 } from 'ajv8/dist/2020.js'
import { expect } from 'vitest'

export interface Schema {
  readonly [keyword: string]: unknown
}

export const text: Schema = { type: 'string' }
export const textOrNull: Schema = { type: ['string', 'null'] }
export const integer: Schema = { type: 'integer' }
export const integerOrNull: Schema = { type: ['integer', 'null'] }
export const flag: Schema = { type: 'boolean' }
export const nothing: Schema = { type: 'null' }
export const time: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
}
export const url: Schema = { type: 'string', pattern: '^https?://' }
export const sha: Schema = { type: 'string', pattern: '^[0-9a-f]{40}$' }
export const oneOf = (...values: readonly unknown[]): Schema => ({ enum: values })
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const orNull = (schema: Schema): Schema => ({ anyOf: [{ type: 'null' }, schema] })

/** An object with these members, in this order, and no others; those of `optional` may be absent. */
export const shape = (
  members: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema => ({
  type: 'object',
  properties: members,
  required: Object.keys(members).filter((member) => !optional.includes(member)),
  additionalProperties: false,
})

// Compiling takes longer than validating: a shape is compiled once, not for each that has it, and as it is.
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  inlineRefs: false,
  code: { optimize: false },
})
const named = new Map<unknown, Schema>()

/** Compiles a shape once, however many others have it. */
function share(name: string, schema: Schema): Schema {
  named.set(name, schema)
  ajv.addSchema(schema, name)
  return { $ref: name }
}

const validators = new WeakMap<Schema, ReturnType<typeof ajv.compile>>()

/** Fails unless a value has a shape, the order of its members included. */
export function expectShape(value: unknown, schema: Schema): void {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  validate(value)
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
  expect([...faults, ...disorder(value, schema, '')]).toEqual([])
}

/** Objects whose members are in another order than in their schema. */
function disorder(value: unknown, schema: Schema, path: string): string[] {
  if (Array.isArray(value)) {
    const items = schema.items as Schema | undefined
    return items ? value.flatMap((each, i) => disorder(each, items, `${path}/${i}`)) : []
  }
  if (typeof value !== 'object' || value === null) return []
  const [, other] = (schema.anyOf as Schema[] | undefined) ?? []
  const given = other ?? schema
  const own = named.get(given.$ref) ?? given
  const properties = (own.properties ?? {}) as Record<string, Schema>
  const names = Object.keys(value)
  const expected = Object.keys(properties).filter((name) => names.includes(name))
  const here = names.join() === expected.join() ? [] : [`${path}: ${names} not ${expected}`]
  return [
    ...here,
    ...Object.entries(value).flatMap(([name, member]) =>
      properties[name] ? disorder(member, properties[name], `${path}/${name}`) : [],
    ),
  ]
}

export const userShape = share(
  'userShape',
  shape({
    login: text,
    id: integer,
    node_id: text,
    avatar_url: url,
    gravatar_id: { const: '' },
    url,
    html_url: url,
    ...Object.fromEntries(
      [
        'followers',
        'following',
        'gists',
        'starred',
        'subscriptions',
        'organizations',
        'repos',
        'events',
        'received_events',
      ].map((name) => [`${name}_url`, url]),
    ),
    type: oneOf('User', 'Bot', 'Organization'),
    site_admin: flag,
  }),
)

const profile = {
  ...(named.get('userShape')?.properties as Record<string, Schema>),
  name: textOrNull,
  company: textOrNull,
  blog: text,
  location: textOrNull,
  email: textOrNull,
  hireable: nothing,
  bio: textOrNull,
  public_repos: integer,
  public_gists: { const: 0 },
  followers: { const: 0 },
  following: { const: 0 },
  created_at: time,
  updated_at: time,
}

export const accountShape = shape(profile)

export const ownAccountShape = shape({
  ...profile,
  total_private_repos: integer,
  owned_private_repos: integer,
  two_factor_authentication: flag,
})

export const organizationShape = shape({
  login: text,
  id: integer,
  node_id: text,
  ...Object.fromEntries(
    ['url', 'repos_url', 'events_url', 'hooks_url', 'issues_url', 'members_url'].map((name) => [
      name,
      url,
    ]),
  ),
  public_members_url: url,
  avatar_url: url,
  description: textOrNull,
  name: textOrNull,
  company: nothing,
  blog: text,
  location: textOrNull,
  email: nothing,
  public_repos: integer,
  html_url: url,
  created_at: time,
  updated_at: time,
  type: { const: 'Organization' },
})

const REPOSITORY_LINKS = [
  'forks',
  'keys',
  'collaborators',
  'teams',
  'hooks',
  'issue_events',
  'events',
  'assignees',
  'branches',
  'tags',
  'blobs',
  'git_tags',
  'git_refs',
  'trees',
  'statuses',
  'languages',
  'stargazers',
  'contributors',
  'subscribers',
  'subscription',
  'commits',
  'git_commits',
  'comments',
  'issue_comment',
  'contents',
  'compare',
  'merges',
  'archive',
  'downloads',
  'issues',
  'pulls',
  'milestones',
  'notifications',
  'labels',
  'releases',
  'deployments',
]

export const repositoryShape = share(
  'repositoryShape',
  shape({
    id: integer,
    node_id: text,
    name: text,
    full_name: text,
    private: flag,
    owner: userShape,
    html_url: url,
    description: textOrNull,
    fork: { const: false },
    url,
    ...Object.fromEntries(REPOSITORY_LINKS.map((name) => [`${name}_url`, url])),
    created_at: time,
    updated_at: time,
    pushed_at: orNull(time),
    git_url: text,
    ssh_url: text,
    clone_url: url,
    svn_url: url,
    homepage: textOrNull,
    size: integer,
    stargazers_count: { const: 0 },
    watchers_count: { const: 0 },
    language: nothing,
    ...Object.fromEntries(
      ['issues', 'projects', 'downloads', 'wiki', 'pages'].map((name) => [`has_${name}`, flag]),
    ),
    forks_count: { const: 0 },
    mirror_url: nothing,
    archived: flag,
    open_issues_count: integer,
    topics: listOf(text),
    default_branch: text,
    allow_rebase_merge: flag,
    allow_squash_merge: flag,
    allow_merge_commit: flag,
    subscribers_count: { const: 0 },
    network_count: { const: 0 },
    permissions: shape({ admin: flag, push: flag, pull: flag }),
    forks: { const: 0 },
    watchers: { const: 0 },
    open_issues: integer,
    license: nothing,
    disabled: { const: false },
  }),
)

export const shortRepositoryShape = share(
  'shortRepositoryShape',
  shape({
    id: integer,
    node_id: text,
    name: text,
    full_name: text,
    private: flag,
    owner: userShape,
    html_url: url,
    fork: flag,
    url,
    default_branch: text,
  }),
)

export const labelShape = share(
  'labelShape',
  shape({
    id: integer,
    node_id: text,
    url,
    name: text,
    description: textOrNull,
    color: { type: 'string', pattern: '^[0-9a-fA-F]{6}$' },
    default: flag,
  }),
)

export const milestoneShape = share(
  'milestoneShape',
  shape({
    url,
    html_url: url,
    labels_url: url,
    id: integer,
    node_id: text,
    number: integer,
    title: text,
    description: textOrNull,
    creator: userShape,
    open_issues: integer,
    closed_issues: integer,
    state: oneOf('open', 'closed'),
    created_at: time,
    updated_at: time,
    due_on: orNull(time),
    closed_at: orNull(time),
  }),
)

const issueMembers = {
  url,
  repository_url: url,
  labels_url: url,
  comments_url: url,
  events_url: url,
  html_url: url,
  id: integer,
  node_id: text,
  number: integer,
  title: text,
  user: userShape,
  labels: listOf(labelShape),
  state: oneOf('open', 'closed'),
  locked: flag,
  assignee: orNull(userShape),
  assignees: listOf(userShape),
  milestone: orNull(milestoneShape),
  comments: integer,
  created_at: time,
  updated_at: time,
  closed_at: orNull(time),
  pull_request: shape({ url, html_url: url, diff_url: url, patch_url: url }),
  body: textOrNull,
  active_lock_reason: oneOf(null, 'off-topic', 'too heated', 'resolved', 'spam'),
}
const association = oneOf('OWNER', 'MEMBER', 'COLLABORATOR', 'NONE')

export const issueShape = share('issueShape', shape(issueMembers, ['pull_request']))
const aroundIssue = { author_association: association, closed_by: orNull(userShape) }
export const listedIssueShape = shape({ ...issueMembers, ...aroundIssue }, ['pull_request'])
export const userIssueShape = shape(
  { ...issueMembers, repository: repositoryShape, ...aroundIssue },
  ['pull_request'],
)

const endShape = shape({
  label: text,
  ref: text,
  sha,
  user: orNull(userShape),
  repo: orNull(shortRepositoryShape),
})

const pullRequestShape = share(
  'pullRequestShape',
  shape({
    url,
    id: integer,
    node_id: text,
    html_url: url,
    diff_url: url,
    patch_url: url,
    issue_url: url,
    number: integer,
    state: oneOf('open', 'closed'),
    locked: flag,
    title: text,
    user: userShape,
    body: textOrNull,
    created_at: time,
    updated_at: time,
    closed_at: orNull(time),
    merged_at: orNull(time),
    merge_commit_sha: orNull(sha),
    assignee: orNull(userShape),
    assignees: listOf(userShape),
    requested_reviewers: listOf(userShape),
    labels: listOf(labelShape),
    milestone: orNull(milestoneShape),
    draft: flag,
    head: endShape,
    base: endShape,
    author_association: association,
    merged: flag,
  }),
)

const wholeEnd = shape({
  ...(endShape.properties as Record<string, Schema>),
  repo: orNull(repositoryShape),
})
const link = shape({ href: url })
const wholePullRequestMembers = {
  ...(named.get('pullRequestShape')?.properties as Record<string, Schema>),
  head: wholeEnd,
  base: wholeEnd,
  active_lock_reason: textOrNull,
  merged_by: orNull(userShape),
  comments: integer,
  review_comments: integer,
  comments_url: url,
  review_comments_url: url,
  review_comment_url: url,
  commits_url: url,
  statuses_url: url,
  _links: shape({
    self: link,
    html: link,
    issue: link,
    comments: link,
    review_comments: link,
    review_comment: link,
    commits: link,
    statuses: link,
  }),
}
export const wholePullRequestShape = shape(wholePullRequestMembers)
export const singlePullRequestShape = shape({
  ...wholePullRequestMembers,
  mergeable: nothing,
  rebaseable: nothing,
  mergeable_state: oneOf('unknown'),
  maintainer_can_modify: oneOf(false, null),
  commits: integerOrNull,
  additions: integerOrNull,
  deletions: integerOrNull,
  changed_files: integerOrNull,
})

const commentMembers = {
  url,
  html_url: url,
  id: integer,
  node_id: text,
  user: userShape,
  created_at: time,
  updated_at: time,
  author_association: association,
  body: text,
}

export const issueCommentShape = shape({ ...commentMembers, issue_url: url })
export const reviewCommentShape = shape(
  {
    ...commentMembers,
    pull_request_review_id: integerOrNull,
    diff_hunk: text,
    path: text,
    position: integerOrNull,
    original_position: integerOrNull,
    commit_id: sha,
    original_commit_id: sha,
    pull_request_url: url,
    in_reply_to_id: integer,
  },
  ['in_reply_to_id'],
)
const diffSide = oneOf('LEFT', 'RIGHT')
export const listedReviewCommentShape = shape(
  {
    ...(reviewCommentShape.properties as Record<string, Schema>),
    line: integerOrNull,
    original_line: integerOrNull,
    start_line: integerOrNull,
    original_start_line: integerOrNull,
    side: diffSide,
    start_side: orNull(diffSide),
    subject_type: oneOf('line', 'file'),
  },
  ['in_reply_to_id'],
)
export const reactionShape = shape({
  id: integer,
  node_id: text,
  user: userShape,
  content: oneOf('+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'),
  created_at: time,
})
export const commitCommentShape = shape({
  ...commentMembers,
  path: textOrNull,
  position: integerOrNull,
  line: nothing,
  commit_id: sha,
})
export const reviewShape = shape({
  id: integer,
  node_id: text,
  user: userShape,
  body: text,
  state: text,
  html_url: url,
  pull_request_url: url,
  author_association: association,
  submitted_at: time,
  commit_id: sha,
})
const releaseShape = shape({
  url,
  html_url: url,
  id: integer,
  node_id: text,
  tag_name: text,
  target_commitish: text,
  name: text,
  draft: flag,
  prerelease: flag,
  created_at: time,
  published_at: orNull(time),
  author: userShape,
  assets: listOf(shape({ name: text, content_type: text, created_at: time })),
  body: text,
})

export const assetShape = share(
  'assetShape',
  shape({
    url,
    id: integer,
    node_id: text,
    name: text,
    label: nothing,
    uploader: userShape,
    content_type: text,
    state: { const: 'uploaded' },
    size: integer,
    download_count: { const: 0 },
    created_at: time,
    updated_at: time,
    browser_download_url: url,
  }),
)
export const releaseWithAssetsShape = shape({
  ...(releaseShape.properties as Record<string, Schema>),
  assets: listOf(assetShape),
  assets_url: url,
  upload_url: url,
  tarball_url: orNull(url),
  zipball_url: orNull(url),
})

const branchMembers = { ref: text, ref_type: { const: 'branch' } }
const creation = { master_branch: text, description: textOrNull, pusher_type: { const: 'user' } }
const created = { action: { const: 'created' } }

/** The payloads of activity events by type. */
export const PAYLOADS: Readonly<Record<string, Schema>> = {
  CreateEvent: shape({ ref: textOrNull, ref_type: oneOf('repository', 'branch'), ...creation }),
  DeleteEvent: shape({ ...branchMembers, pusher_type: { const: 'user' } }),
  IssuesEvent: shape({ action: oneOf('opened', 'closed', 'reopened'), issue: issueShape }),
  PullRequestEvent: shape({
    action: oneOf('opened', 'closed', 'reopened'),
    number: integer,
    pull_request: pullRequestShape,
  }),
  IssueCommentEvent: shape({ ...created, issue: issueShape, comment: issueCommentShape }),
  PullRequestReviewEvent: shape({
    ...created,
    review: reviewShape,
    pull_request: pullRequestShape,
  }),
  PullRequestReviewCommentEvent: shape({
    ...created,
    comment: reviewCommentShape,
    pull_request: pullRequestShape,
  }),
  CommitCommentEvent: shape({ ...created, comment: commitCommentShape }),
  ReleaseEvent: shape({ action: { const: 'published' }, release: releaseShape }),
}

const activityShapes = new Map<string, Schema>()

/** An activity event of a type. */
export function activityShape(type: string): Schema {
  const known = activityShapes.get(type)
  if (known) return known
  const made = shape(
    {
      id: { type: 'string', pattern: '^\\d+$' },
      type: { const: type },
      actor: shape({
        id: integer,
        login: text,
        display_login: text,
        gravatar_id: { const: '' },
        url,
        avatar_url: url,
      }),
      repo: shape({ id: integer, name: text, url }),
      payload: PAYLOADS[type] ?? { const: 'no such type' },
      public: flag,
      created_at: time,
      org: shape({ id: integer, login: text, gravatar_id: { const: '' }, url, avatar_url: url }),
    },
    ['org'],
  )
  activityShapes.set(type, made)
  return made
}

const namedLabel = shape({ name: text, color: { type: 'string', pattern: '^[0-9a-fA-F]{6}$' } })
export const teamShape = shape({
  id: integer,
  node_id: text,
  name: text,
  slug: text,
  url,
  html_url: url,
  privacy: oneOf('closed', 'secret'),
  description: text,
})
const assignment = { assignee: userShape, assignees: listOf(userShape), assigner: userShape }
const labeling = { labels: listOf(namedLabel), label: namedLabel }
const planning = { milestone: shape({ title: text }) }
const personAsked = {
  review_requester: userShape,
  requested_reviewer: userShape,
  requested_reviewers: userShape,
}
const teamAsked = {
  review_requester: userShape,
  requested_team: teamShape,
  requested_reviewers: teamShape,
}
export const cardShape = (isRemoved: boolean, isMoved: boolean, id: Schema = integer): Schema =>
  shape({
    id,
    ...(!isRemoved && { url }),
    project_id: integer,
    project_url: url,
    column_name: text,
    ...(isMoved && { previous_column_name: text }),
  })

/** What each kind of issue event has beside what all have, in the world of the tests. */
export const KIND_MEMBERS: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  assigned: assignment,
  unassigned: assignment,
  labeled: labeling,
  unlabeled: labeling,
  milestoned: planning,
  demilestoned: planning,
  renamed: { rename: shape({ from: text, to: text }) },
  review_requested: personAsked,
  review_request_removed: teamAsked,
  review_dismissed: {
    dismissed_review: shape(
      {
        state: oneOf('commented', 'approved', 'changes_requested'),
        review_id: integer,
        dismissal_message: textOrNull,
        dismissal_commit_id: sha,
      },
      ['dismissal_commit_id'],
    ),
  },
}

const eventShapes = new Map<string, Schema>()

/** An issue event of a kind, with further members at its end. */
export function issueEventShape(
  kind: string,
  further: Readonly<Record<string, Schema>> = {},
): Schema {
  const key = `${kind} ${JSON.stringify(further)}`
  const known = eventShapes.get(key)
  if (known) return known
  const made = shape({
    id: integer,
    node_id: text,
    url,
    actor: userShape,
    event: { const: kind },
    commit_id: orNull(sha),
    commit_url: orNull(url),
    created_at: time,
    ...KIND_MEMBERS[kind],
    ...further,
  })
  eventShapes.set(key, made)
  return made
}

const signature = shape({ name: text, email: text, date: time })
const linked = shape({ sha, url })
const treeLink = linked
const parent = shape({ sha, url, html_url: url })

export const refShape = shape({
  ref: { type: 'string', pattern: '^refs/' },
  node_id: text,
  url,
  object: shape({ sha, type: oneOf('commit', 'tag', 'tree', 'blob'), url }),
})
export const gitCommitShape = shape({
  sha,
  node_id: text,
  url,
  html_url: url,
  author: signature,
  committer: signature,
  tree: treeLink,
  message: text,
  parents: listOf(parent),
})
export const gitTagShape = shape({
  node_id: text,
  tag: text,
  sha,
  url,
  message: text,
  tagger: orNull(signature),
  object: shape({ sha, type: oneOf('commit', 'tag', 'tree', 'blob'), url }),
})
export const treeShape = shape({
  sha,
  url,
  tree: listOf(
    shape(
      {
        path: text,
        mode: { type: 'string', pattern: '^[0-7]{6}$' },
        type: oneOf('blob', 'tree', 'commit'),
        sha,
        size: integer,
        url,
      },
      ['size', 'url'],
    ),
  ),
  truncated: flag,
})
export const blobShape = shape({
  sha,
  node_id: text,
  size: integer,
  url,
  content: text,
  encoding: { const: 'base64' },
})
export const commitShape = share(
  'commitShape',
  shape({
    sha,
    node_id: text,
    commit: shape({
      author: signature,
      committer: signature,
      message: text,
      tree: treeLink,
      url,
      comment_count: integer,
    }),
    url,
    html_url: url,
    comments_url: url,
    author: orNull(userShape),
    committer: orNull(userShape),
    parents: listOf(parent),
  }),
)
export const branchShape = shape({ name: text, commit: linked, protected: flag })
export const wholeBranchShape = shape({
  name: text,
  commit: commitShape,
  _links: shape({ self: url, html: url }),
  protected: flag,
  protection: shape({ enabled: flag }),
  protection_url: url,
})
export const tagShape = shape({ name: text, zipball_url: url, tarball_url: url, commit: linked })

const switched = shape({ enabled: flag })
const switchedUrl = shape({ url, enabled: flag })
const actors = { users: listOf(userShape), teams: listOf(teamShape), apps: listOf(text) }
export const protectionShape = shape(
  {
    url,
    required_status_checks: shape({
      url,
      strict: flag,
      contexts: listOf(text),
      contexts_url: url,
      checks: listOf(shape({ context: text, app_id: nothing })),
    }),
    required_pull_request_reviews: shape(
      {
        url,
        dismiss_stale_reviews: flag,
        require_code_owner_reviews: flag,
        required_approving_review_count: integer,
        dismissal_restrictions: shape(actors),
      },
      ['dismissal_restrictions'],
    ),
    required_signatures: switchedUrl,
    enforce_admins: switchedUrl,
    restrictions: shape({ url, ...actors }),
    required_linear_history: switched,
    allow_force_pushes: switched,
    allow_deletions: switched,
    required_conversation_resolution: switched,
  },
  ['required_status_checks', 'required_pull_request_reviews', 'restrictions'],
)

export const contentShape = shape(
  {
    type: oneOf('file', 'dir', 'symlink', 'submodule'),
    size: integer,
    name: text,
    path: text,
    sha,
    url,
    git_url: orNull(url),
    html_url: url,
    download_url: nothing,
    _links: shape({ self: url, git: orNull(url), html: url }),
    content: text,
    encoding: oneOf('base64', 'none'),
    target: text,
    submodule_git_url: nothing,
  },
  ['content', 'encoding', 'target', 'submodule_git_url'],
)

export const collaboratorShape = shape({
  ...(named.get('userShape')?.properties as Record<string, Schema>),
  permissions: shape({ admin: flag, maintain: flag, push: flag, triage: flag, pull: flag }),
  role_name: oneOf('admin', 'write', 'read', 'none'),
})
export const repositoryTeamShape = shape({
  ...(teamShape.properties as Record<string, Schema>),
  permission: oneOf('admin', 'push', 'pull'),
})
export const commentedShape = shape({
  ...(issueCommentShape.properties as Record<string, Schema>),
  event: { const: 'commented' },
  actor: userShape,
})
export const reviewedShape = shape({
  ...(reviewShape.properties as Record<string, Schema>),
  event: { const: 'reviewed' },
})

export const changedFileShape = shape(
  {
    sha,
    filename: text,
    status: oneOf('added', 'removed', 'modified', 'renamed', 'copied', 'changed'),
    additions: integer,
    deletions: integer,
    changes: integer,
    blob_url: url,
    raw_url: url,
    contents_url: url,
    patch: text,
    previous_filename: text,
  },
  ['patch', 'previous_filename'],
)
export const wholeCommitShape = shape({
  ...(named.get('commitShape')?.properties as Record<string, Schema>),
  stats: shape({ additions: integer, deletions: integer, total: integer }),
  files: listOf(changedFileShape),
})
export const comparisonShape = shape({
  url,
  html_url: url,
  permalink_url: url,
  base_commit: commitShape,
  merge_base_commit: commitShape,
  status: oneOf('identical', 'ahead', 'behind', 'diverged'),
  ahead_by: integer,
  behind_by: integer,
  total_commits: integer,
  commits: listOf(commitShape),
  files: listOf(changedFileShape),
})

export const listedOrganizationShape = shape({
  login: text,
  id: integer,
  node_id: text,
  url,
  repos_url: url,
  events_url: url,
  hooks_url: url,
  issues_url: url,
  members_url: url,
  public_members_url: url,
  avatar_url: url,
  description: textOrNull,
})

export const contributorShape = shape({
  ...(named.get('userShape')?.properties as Record<string, Schema>),
  contributions: integer,
})

/** A webhook of a repository. */
export const hookShape = shape({
  type: oneOf('Repository'),
  id: integer,
  name: oneOf('web'),
  active: flag,
  events: listOf(text),
  config: shape({ url: text, content_type: text, insecure_ssl: oneOf('0', '1') }),
  updated_at: time,
  created_at: time,
  url,
  test_url: url,
  ping_url: url,
  last_response: shape({ code: nothing, status: oneOf('unused'), message: nothing }),
})

export const keyShape = shape({
  id: integer,
  key: text,
  url,
  title: text,
  verified: flag,
  created_at: time,
  read_only: flag,
})
