/** The type of a value. A person is the account that has a url. With `?` the value may be null. */
export type RestValue =
  | 'text'
  | 'text?'
  | 'flag'
  | 'integer?'
  | 'time?'
  | 'commit?'
  | 'side?'
  | 'person'

/** A member: its name in a record, its name in the interface of the host, and what its value is. */
export type RestMember = readonly [member: string, rest: string, value: RestValue]

/** Where in a diff a comment is. */
export const PLACE_IN_DIFF = [
  ['diff_hunk', 'diff_hunk', 'text'],
  ['path', 'path', 'text'],
  ['position', 'position', 'integer?'],
  ['original_position', 'original_position', 'integer?'],
  ['commit_id', 'commit_id', 'commit?'],
  ['original_commit_id', 'original_commit_id', 'commit?'],
] as const satisfies readonly RestMember[]

/**
 * THE TABLE of members with one value in records and in the interface of the host, by kind. Members that one side makes of several
 * of the other are not in it.
 */
export const REST_MEMBERS = {
  repositories: [
    ['website', 'homepage', 'text?'],
    ['private', 'private', 'flag'],
    ['has_issues', 'has_issues', 'flag'],
    ['has_wiki', 'has_wiki', 'flag'],
    ['has_downloads', 'has_downloads', 'flag'],
    ['is_archived', 'archived', 'flag'],
  ],
  milestones: [
    ['user', 'creator', 'person'],
    ['title', 'title', 'text'],
    ['description', 'description', 'text?'],
    ['due_on', 'due_on', 'time?'],
    ['closed_at', 'closed_at', 'time?'],
  ],
  issues: [
    ['user', 'user', 'person'],
    ['title', 'title', 'text'],
    ['body', 'body', 'text?'],
    ['closed_at', 'closed_at', 'time?'],
  ],
  pull_requests: [
    ['user', 'user', 'person'],
    ['title', 'title', 'text'],
    ['body', 'body', 'text?'],
    ['work_in_progress', 'draft', 'flag'],
    ['merged_at', 'merged_at', 'time?'],
    ['closed_at', 'closed_at', 'time?'],
    ['merge_commit_sha', 'merge_commit_sha', 'commit?'],
  ],
  issue_comments: [
    ['user', 'user', 'person'],
    ['body', 'body', 'text'],
  ],
  commit_comments: [
    ['user', 'user', 'person'],
    ['body', 'body', 'text'],
    ['path', 'path', 'text?'],
    ['position', 'position', 'integer?'],
    ['commit_id', 'commit_id', 'commit?'],
  ],
  pull_request_reviews: [
    ['user', 'user', 'person'],
    ['body', 'body', 'text?'],
    ['head_sha', 'commit_id', 'commit?'],
  ],
  pull_request_review_comments: [
    ['user', 'user', 'person'],
    ['body', 'body', 'text'],
    ...PLACE_IN_DIFF,
  ],
  // The interface has these in the comments of a thread.
  pull_request_review_threads: [
    ['start_line', 'start_line', 'integer?'],
    ['line', 'line', 'integer?'],
    ['start_side', 'start_side', 'side?'],
    ['side', 'side', 'side?'],
    ['original_start_line', 'original_start_line', 'integer?'],
    ['original_line', 'original_line', 'integer?'],
  ],
  releases: [
    ['user', 'author', 'person'],
    ['name', 'name', 'text?'],
    ['body', 'body', 'text?'],
    ['prerelease', 'prerelease', 'flag'],
    ['published_at', 'published_at', 'time?'],
  ],
  release_assets: [
    ['url', 'browser_download_url', 'text?'],
    ['user', 'uploader', 'person'],
    ['asset_name', 'name', 'text'],
    ['asset_content_type', 'content_type', 'text?'],
  ],
} as const satisfies { readonly [kind: string]: readonly RestMember[] }
