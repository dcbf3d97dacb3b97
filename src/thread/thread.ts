/** The number of reactions by content: `{ '+1': 2, heart: 1 }`. */
export type Reactions = Record<string, number>

/** A file attached to a text. */
export interface Upload {
  url: string
  name: string | null
  media_type: string | null
  /** Bytes. */
  size: number | null
  /** Whether the archive has the file. Its content need not be in the database. */
  state: 'present' | 'missing'
}

/** A text that a person wrote. */
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

/** An issue, pull request or discussion, without its timeline. */
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
  /** Title of the milestone. */
  milestone: string | null
  /** Category of a discussion. */
  category: string | null
  /** Null unless it is a pull request. */
  pull_request: PullRequest | null
}

export interface PullRequest {
  base: string | null
  /** With the name of its repository if that is another one: `ada/kettle:main`. */
  head: string | null
  draft: boolean
  merged_at: string | null
  merge_commit_sha: string | null
  /** Requested reviewers: logins of people, names of teams. */
  review_requests: string[]
  /** The issues that merging it closes: `ada/kettle#1`. */
  closes: string[]
}

/** Comments on one place in a diff. */
export interface ReviewThread {
  url: string | null
  path: string | null
  /** Line of the file; if outdated, the original one. */
  line: number | null
  start_line: number | null
  outdated: boolean
  resolved_at: string | null
  /** Login of the person who resolved it. */
  resolver: string | null
  diff_hunk: string | null
  comments: Text[]
}

export type TimelineItem =
  | (Text & { kind: 'comment' })
  | (Text & { kind: 'review'; state: string | null; threads: ReviewThread[] })
  /** A thread whose review is missing. */
  | (ReviewThread & { kind: 'review_thread'; created_at: string | null })
  | {
      kind: 'event'
      url: string | null
      author: string | null
      created_at: string | null
      event: string
      /** What the author did, as text that follows the author's name: `labeled this bug`. */
      sentence: string
    }
