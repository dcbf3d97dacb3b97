import {
  aDate,
  aFlag,
  aText,
  listOf,
  objectOf,
  oneOf,
  type Shape,
  type Shapes,
} from '../../base/check-arguments.ts'

/** A condition on the records of one kind. */
export interface KindCondition {
  /** The kind whose records must meet it, such as `issues`. */
  kind: string
  /** An SQL expression over the columns of the kind: `number > 100`. */
  sql: string
}

/**
 * A selection of records. A record meets an option if it meets one of its values, and is a root if it meets all options. A
 * root that is an issue or pull request brings what belongs to it, and every selected record what it refers to.
 */
export interface Selection {
  /**
   * owner/name of repositories, patterns such as `acme/*`, or URLs: records that belong to them, and teams with access to
   * them. Other members of their organizations are left out, so `organizations[].members[].user` may refer to users not in
   * the selection.
   */
  repositories?: readonly string[] | undefined
  /** Logins: all repositories of these owners, and their teams. */
  owners?: readonly string[] | undefined
  /** Created at this time or later. */
  since?: Date | undefined
  /** Created at this time or earlier. */
  until?: Date | undefined
  /** Records of these kinds. */
  kinds?: readonly string[] | undefined
  /** Records of these kinds are left out, even if others refer to them. */
  withoutKinds?: readonly string[] | undefined
  /** Names of labels: issues, pull requests and discussions that have one. */
  labels?: readonly string[] | undefined
  /** Logins: records whose `user` or `actor` it is. */
  authors?: readonly string[] | undefined
  /** Issues and pull requests in one of these states. */
  states?: readonly ThreadState[] | undefined
  /** Records that meet a condition on their kind. */
  where?: readonly KindCondition[] | undefined
  /** A query whose only column has the URLs of records. */
  fromQuery?: string | undefined
  /** All records but the roots and what belongs to them. */
  not?: boolean | undefined
  /** Whether an issue or pull request brings its comments, events, reviews and attachments. Default `threads`. */
  with?: 'threads' | 'none' | undefined
}

export const THREAD_STATES = ['open', 'closed', 'merged'] as const
/** The state of an issue or pull request: `open`, `closed` or `merged`. */
export type ThreadState = (typeof THREAD_STATES)[number]

export const SELECTION_SHAPES: Shapes<Selection> = {
  repositories: listOf(aText),
  owners: listOf(aText),
  since: aDate,
  until: aDate,
  kinds: listOf(aText),
  withoutKinds: listOf(aText),
  labels: listOf(aText),
  authors: listOf(aText),
  states: listOf(oneOf(...THREAD_STATES)) as Shape,
  where: listOf(objectOf({ kind: aText, sql: aText }, ['kind', 'sql'])),
  fromQuery: aText,
  not: aFlag,
  with: oneOf('threads', 'none'),
}

/** Whether the options select only part of the records. */
export const hasSelection = ({ with: _, not: __, ...roots }: Selection): boolean =>
  Object.keys(SELECTION_SHAPES).some((name) => roots[name as keyof typeof roots] !== undefined)

/** The options without the selection in them. */
export const withoutSelection = <Options extends Selection>(options: Options): Options => ({
  ...options,
  ...Object.fromEntries(Object.keys(SELECTION_SHAPES).map((name) => [name, undefined])),
})
