import type { KINDS, KindName } from '../records/kinds/kinds.ts'

/** The members that importers need. Omits those that exporters leave out without harm. */
export interface Requirement<Member extends string = string> {
  /** Whether exporters write the kind and so document what importers need. If not, it is known only from GitHub's exports. */
  readonly documented: boolean
  /** Members that must be present and not null. */
  readonly required: readonly Member[]
  /** Members that must be present, but may be null. */
  readonly orNull?: readonly Member[]
  /** The members that the objects at these paths have: an object, or those of a list. Only those of `orNull` may be null. */
  readonly parts?: Parts
  /** The same of objects that exporters do not write. */
  readonly seenParts?: Parts
  /** Exactly one of these members must be set: the parent of the record. */
  readonly parents?: readonly Member[]
  /** Members that name a file as tarball://root/…, by path, and the pattern of its folder: `*` matches one part of a path. */
  readonly files?: { readonly [path: string]: string }
}

/** Members of objects by the path of these. */
interface Parts {
  readonly [path: string]: {
    readonly required: readonly string[]
    readonly orNull?: readonly string[]
  }
}

const account = {
  required: ['url', 'login', 'emails', 'created_at'],
  orNull: ['name'],
  parts: { 'emails[]': { required: ['address'] } },
} as const

const end = { required: ['ref', 'sha'], orNull: ['user', 'repo'] } as const
const members = { required: ['user', 'role'] } as const

const reactions = { 'reactions[]': { required: ['content'], orNull: ['user'] } } as const

const documented = true

/**
 * By kind: the smallest sets of members that exporters wrote and importers accepted; for kinds that no exporter writes,
 * the members that GitHub always writes.
 */
export const REQUIREMENTS = {
  users: { documented, ...account },
  bots: { documented: false, ...account },
  organizations: {
    documented,
    required: ['url', 'login', 'members'],
    orNull: ['name', 'description'],
    parts: { 'members[]': members },
  },
  repositories: {
    documented,
    required: [
      'url',
      'owner',
      'name',
      'private',
      'has_issues',
      'has_wiki',
      'has_downloads',
      'labels',
      'collaborators',
      'created_at',
      'git_url',
      'default_branch',
      'public_keys',
      'webhooks',
    ],
    orNull: ['description'],
    parts: {
      'labels[]': { required: ['url', 'name', 'color'] },
      'collaborators[]': { required: ['user', 'permission'] },
    },
    files: {
      git_url: 'repositories/*/*.git',
      wiki_url: 'repositories/*/*.wiki.git',
    },
  },
  teams: {
    documented,
    required: ['url', 'organization', 'name', 'permissions', 'members', 'created_at'],
    parts: { 'permissions[]': { required: ['repository', 'access'] }, 'members[]': members },
  },
  protected_branches: {
    documented,
    required: ['url', 'name', 'repository_url'],
  },
  milestones: {
    documented: false,
    required: ['url', 'repository', 'title', 'state', 'created_at'],
    orNull: ['user', 'description', 'due_on'],
  },
  issues: {
    documented,
    required: ['url', 'repository', 'title', 'labels', 'created_at'],
    orNull: ['user', 'body', 'assignee', 'milestone', 'closed_at'],
    seenParts: reactions,
  },
  pull_requests: {
    documented,
    required: ['url', 'repository', 'title', 'base', 'head', 'labels', 'created_at'],
    orNull: ['user', 'body', 'merged_at', 'closed_at'],
    parts: { base: end, head: end },
    seenParts: {
      ...reactions,
      'review_requests[]': { required: ['reviewer'] },
      'close_issue_references[]': { required: ['issue'] },
    },
  },
  bases: { documented: false, required: ['url'] },
  projects: { documented: false, required: ['url'] },
  pull_request_reviews: {
    documented,
    required: ['url', 'pull_request', 'formatter', 'head_sha', 'state', 'created_at'],
    orNull: ['user', 'submitted_at'],
    seenParts: reactions,
  },
  pull_request_review_threads: {
    documented: false,
    required: [
      'url',
      'pull_request',
      'pull_request_review',
      'diff_hunk',
      'path',
      'original_position',
      'commit_id',
      'original_commit_id',
      'created_at',
    ],
    orNull: ['position'],
  },
  pull_request_review_comments: {
    documented,
    required: [
      'url',
      'pull_request',
      'pull_request_review',
      'pull_request_review_thread',
      'body',
      'formatter',
      'path',
      'commit_id',
      'original_position',
      'state',
      'created_at',
    ],
    orNull: ['user'],
    seenParts: reactions,
  },
  review_comments: { documented: false, required: ['url'] },
  commit_comments: {
    documented,
    required: ['url', 'repository', 'body', 'formatter', 'commit_id', 'created_at'],
    orNull: ['user', 'path', 'position'],
    seenParts: reactions,
  },
  issue_comments: {
    documented,
    required: ['url', 'body', 'formatter', 'created_at'],
    orNull: ['user'],
    parents: ['issue', 'pull_request'],
    seenParts: reactions,
  },
  issue_events: {
    documented,
    required: ['url', 'event', 'created_at'],
    orNull: ['actor'],
    parents: ['issue', 'pull_request'],
  },
  attachments: {
    documented,
    required: ['url', 'asset_name', 'asset_content_type', 'asset_url'],
    orNull: ['user'],
    parents: [
      'issue',
      'issue_comment',
      'pull_request',
      'pull_request_review',
      'pull_request_review_comment',
      'commit_comment',
    ],
    files: { asset_url: 'attachments/*/*' },
  },
  releases: {
    documented,
    required: [
      'url',
      'repository',
      'tag_name',
      'state',
      'pending_tag',
      'prerelease',
      'target_commitish',
      'release_assets',
      'created_at',
    ],
    orNull: ['user', 'name', 'body', 'published_at'],
    files: { 'release_assets[].asset_url': 'releases/*/*' },
  },
  repository_files: {
    documented: false,
    required: ['url', 'repository', 'file_name', 'file_content_type', 'file_url', 'created_at'],
    orNull: ['user'],
    files: { file_url: 'repository_files/*/*' },
  },
  discussion_categories: {
    documented: false,
    required: ['url', 'repository', 'name'],
  },
  discussions: {
    documented: false,
    required: ['url', 'repository', 'title', 'body', 'discussion_category', 'created_at'],
    orNull: ['user'],
    seenParts: reactions,
  },
  discussion_comments: {
    documented: false,
    required: ['url', 'discussion', 'body', 'created_at'],
    orNull: ['user', 'in_reply_to'],
  },
} as const satisfies {
  readonly [Name in KindName]: Requirement<keyof (typeof KINDS)[Name]['columns'] & string>
}

/** The requirements of a kind by name; none for an unknown kind. */
export const requirementOf = (name: string): Requirement =>
  Object.hasOwn(REQUIREMENTS, name)
    ? REQUIREMENTS[name as KindName]
    : { documented: false, required: [] }

/** Members, at any depth, that hold a full commit ID: forty hexadecimal digits. */
export const SHA_MEMBERS: ReadonlySet<string> = new Set([
  'commit_id',
  'original_commit_id',
  'before_commit_oid',
  'after_commit_oid',
  'head_sha',
  'merge_commit_sha',
  'sha',
])

/** Members, at any depth, that hold a color: six hexadecimal digits without #. */
export const COLOR_MEMBERS: ReadonlySet<string> = new Set([
  'color',
  'label_color',
  'label_text_color',
])

/** Members by kind and path that hold one line of text. A milestone's description may have many. */
export const LINE_MEMBERS: { readonly [kind: string]: readonly string[] } = {
  repositories: ['description', 'labels[].description'],
  organizations: ['description'],
  teams: ['description'],
}

/** Lists whose dates have milliseconds and the viewer's UTC offset; all other dates are in UTC. */
export const LISTS_WITH_OFFSETS: ReadonlySet<string> = new Set(['reactions', 'repository_topics'])

/** Media types of attachments that importers are known to accept. */
export const ATTACHMENT_TYPES: ReadonlySet<string> = new Set([
  'image/gif',
  'image/jpeg',
  'image/png',
  'text/plain',
  'text/x-log',
  'application/gzip',
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
])
