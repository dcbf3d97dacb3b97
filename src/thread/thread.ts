/** How often people reacted with what: `{ '+1': 2, heart: 1 }`. */
export type Reactions = Record<string, number>

/** A file that was uploaded to a text. */
export interface Upload {
  url: string
  name: string | null
  media_type: string | null
  /** Bytes. */
  size: number | null
  /** Whether the archive has the file, whose content the database need not have. */
  state: 'present' | 'missing'
}

/** A text that somebody wrote. */
export interface Text {
  url: string | null
  /** Login; null for a deleted account. */
  author: string | null
  created_at: string | null
  /** Markdown. */
  body: string | null
  reactions: Reactions
  attachments: Upload[]
}

/** An issue, pull request or discussion, without what happened since it was opened. */
export interface Thread extends Text {
  url: string
  kind: 'issue' | 'pull_request' | 'discussion'
  full_name: string | null
  number: number | null
  title: string | null
  /** open, closed or merged; null for a discussion. */
  state: string | null
  closed_at: string | null
  labels: string[]
  /** Logins. */
  assignees: string[]
  /** Its title. */
  milestone: string | null
  /** Of a discussion. */
  category: string | null
  /** Of a pull request. */
  pull_request: PullRequest | null
}

export interface PullRequest {
  base: string | null
  /** Of another repository with its name: `ada/kettle:main`. */
  head: string | null
  draft: boolean
  merged_at: string | null
  merge_commit_sha: string | null
  /** Logins, of teams the names, of all that were asked for a review. */
  review_requests: string[]
  /** Places of the issues that merging it closes: `ada/kettle#1`. */
  closes: string[]
}

/** Comments on one place of a diff. */
export interface ReviewThread {
  url: string | null
  path: string | null
  /** Line of the file; where the place is outdated, as it was. */
  line: number | null
  start_line: number | null
  outdated: boolean
  resolved_at: string | null
  /** Login of who marked it as settled. */
  resolver: string | null
  diff_hunk: string | null
  comments: Text[]
}

export type TimelineItem =
  | (Text & { kind: 'comment' })
  | (Text & { kind: 'review'; state: string | null; threads: ReviewThread[] })
  /** Of a review that is not there. */
  | (ReviewThread & { kind: 'review_thread'; created_at: string | null })
  | {
      kind: 'event'
      url: string | null
      author: string | null
      created_at: string | null
      event: string
      /** What was done, to stand behind the author: `labeled this bug`. */
      sentence: string
    }
