/** The number of reactions by content: `{ '+1': 2, heart: 1 }`. */
export type Reactions = Record<string, number>

/** A file attached to a text. */
export interface Upload {
  /** URL of the upload. */
  url: string
  /** Its name, as its record says. */
  name: string | null
  /** Its media type, as its record says. */
  media_type: string | null
  /** Bytes. */
  size: number | null
  /** Whether the archive has the file. Its content need not be in the database. */
  state: 'present' | 'missing'
}

/** A text that a person wrote. */
export interface Text {
  /** URL of the record; null if it has none. */
  url: string | null
  /** Login; null for a deleted account. */
  author: string | null
  /** When it was written. */
  created_at: string | null
  /** Markdown. */
  body: string | null
  /** The reactions to it. */
  reactions: Reactions
  /** The files attached to it. */
  attachments: Upload[]
}

/** An issue, pull request or discussion, without its timeline. */
export interface Thread extends Text {
  /** URL of the record. */
  url: string
  /** The kind of thread. */
  kind: 'issue' | 'pull_request' | 'discussion'
  /** owner/name of the repository. */
  full_name: string | null
  /** Its number in the repository. */
  number: number | null
  /** Its title. */
  title: string | null
  /** open, closed or merged; null for a discussion. */
  state: string | null
  /** When it was closed, by a merge too; null if it is open. */
  closed_at: string | null
  /** Names of its labels. */
  labels: string[]
  /** Logins. */
  assignees: string[]
  /** Title of the milestone; null if it is not in the archive. */
  milestone: string | null
  /** URL of the milestone, whose record may be missing. */
  milestone_url: string | null
  /** Whether only collaborators may comment. */
  locked: boolean
  /** Why: off-topic, too heated, resolved or spam; null if it is not locked, or nothing says why. */
  lock_reason: string | null
  /** Category of a discussion. */
  category: string | null
  /** Null unless it is a pull request. */
  pull_request: PullRequest | null
}

/** The facts that only a pull request has. */
export interface PullRequest {
  /** The branch to merge into. */
  base: string | null
  /** With the name of its repository if that is another one: `ada/kettle:main`. */
  head: string | null
  /** Whether it is a draft. */
  draft: boolean
  /** When it was merged; null if it was not. */
  merged_at: string | null
  /** Who merged it; null if it was not merged, by a deleted account, and if nothing says who. */
  merged_by: string | null
  /** The commit of the merge; null if it was not merged. */
  merge_commit_sha: string | null
  /** Logins of people whose reviews are asked for and not given yet. */
  review_requests: string[]
  /** The issues that it closed, or that merging it closes: `ada/kettle#1`. */
  closes: string[]
}

/** Comments on one place in a diff. */
export interface ReviewThread {
  /** URL of the thread, or null if no record describes it. */
  url: string | null
  /** Path of the file. */
  path: string | null
  /** Line of the file; if outdated, the original one. */
  line: number | null
  /** The first line, if it is about several. */
  start_line: number | null
  /** Whether the file has changed there since. */
  outdated: boolean
  /** When it was resolved; null if it was not. */
  resolved_at: string | null
  /** Login of the person who resolved it. */
  resolver: string | null
  /** The part of the diff that it is about. */
  diff_hunk: string | null
  /** Its comments, the oldest first. */
  comments: Text[]
}

/** A comment, review, review thread or event of an issue, pull request or discussion. */
export type TimelineItem =
  | (Text & {
      /** A comment on the issue, pull request or discussion. */
      kind: 'comment'
      /** URL of the comment that it replies to, or null. Only comments on discussions have this member. */
      in_reply_to?: string | null
      /** Whether somebody marked it as the answer. Only comments on discussions have this member. */
      is_answer?: boolean
    })
  | (Text & {
      /** A review of a pull request. */
      kind: 'review'
      /** Such as approved; null if its record says nothing. */
      state: string | null
      /** Its comments on the diff, by place. */
      threads: ReviewThread[]
    })
  | (ReviewThread & {
      /** A thread whose review is missing. */
      kind: 'review_thread'
      /** When its first comment was written. */
      created_at: string | null
    })
  | {
      /** An issue event. */
      kind: 'event'
      /** URL of the record; null if it has none. */
      url: string | null
      /** Login; null for a deleted account. */
      author: string | null
      /** When it happened. */
      created_at: string | null
      /** The type of the event, such as labeled. */
      event: string
      /** The action, as text that follows the author's name: `labeled this bug`. */
      sentence: string
    }
