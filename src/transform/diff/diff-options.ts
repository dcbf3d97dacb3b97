import { aFlag, aText, listOf, oneOf, type Shapes } from '../../base/check-arguments.ts'
import { SELECTION_SHAPES, type Selection } from '../../database/rows/selection.ts'
import type { JsonValue } from '../../records/json/json.ts'

export const CHANGES = ['added', 'removed', 'changed'] as const
/** How something differs in the second database: `added`, `removed` or `changed`. */
export type ChangeType = (typeof CHANGES)[number]

/** A member that differs. A side without the member lacks the value, which is not the same as null. */
export interface MemberChange {
  /** The value in the first database. */
  before?: JsonValue
  /** The value in the second database. */
  after?: JsonValue
  /** If both are lists: the elements that only the first has. */
  removed?: JsonValue[]
  /** If both are lists: the elements that only the second has. */
  added?: JsonValue[]
}

/** A commit that a moved ref gained or lost. */
export interface MovedCommit {
  /** Whether the ref gained or lost it. */
  change: 'added' | 'removed'
  /** Its id. */
  oid: string
  /** The name of its author, as it wrote it. */
  author: string
  /** When it was committed, in UTC; null without a valid date. */
  date: string | null
  /** The first paragraph of its message, on one line. */
  subject: string
}

/** The commits that a ref gained and lost when it moved. */
export interface MovedCommits {
  /** How many commits it gained. */
  added: number
  /** How many commits it lost. */
  removed: number
  /** Those that it lost, then those that it gained, newest first, up to a thousand of each; only on request. */
  list?: MovedCommit[]
}

/** A record, file, ref or entry that is not the same in both databases. */
export interface Change {
  /** The kind of a record; `files`, `refs` or `entries`. */
  kind: string
  /** URL of a record, null if it has none; path of a file or entry; `owner/name refs/heads/main`. */
  url: string | null
  /** How it differs. */
  change: ChangeType
  /**
   * By path: `title`, `base.sha`. `(order)` holds the names of all members, if their order is unusual; `labels.(order)` both
   * lists, if they hold the same in another order.
   */
  members: Record<string, MemberChange>
  /** The commits that a ref gained and lost when it moved, if the objects are there, and a million were enough for all refs. */
  commits?: MovedCommits
}

const COMMIT_DETAILS = ['none', 'count', 'list'] as const
/** Whether to count the commits of moved refs, or list them too. */
export type CommitDetail = (typeof COMMIT_DETAILS)[number]

/** Options of a comparison. A selection compares only some records. */
export interface DiffOptions extends Selection {
  /** Only such changes. */
  only?: readonly ChangeType[] | undefined
  /**
   * Only changes of these members: `title`, `labels`. `*` stands for any characters. A record that only one database has is
   * told with those that it has of these, or not at all.
   */
  members?: readonly string[] | undefined
  /** Members that do not count, after their kind: `issues.updated_at`, `*.updated_at`. */
  ignore?: readonly string[] | undefined
  /** Whether to compare refs. Default true. */
  refs?: boolean | undefined
  /** Whether to count the commits that a moved ref gained and lost, or to list them as well. Default `count`. */
  commits?: CommitDetail | undefined
  /** Whether to compare files except Git data. Default true. */
  files?: boolean | undefined
  /** Whether to compare the archives that the databases build, entry by entry. Default false. */
  bytes?: boolean | undefined
}

export const DIFF_SHAPES: Shapes<DiffOptions> = {
  ...SELECTION_SHAPES,
  only: listOf(oneOf(...CHANGES)),
  members: listOf(aText),
  ignore: listOf(aText),
  refs: aFlag,
  files: aFlag,
  bytes: aFlag,
  commits: oneOf(...COMMIT_DETAILS),
}
