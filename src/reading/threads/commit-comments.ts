import { timeOf } from '../../database/schema/facts/values.ts'
import type { Repository } from '../library.ts'
import { USER_LOGIN } from '../people/logins.ts'
import { REACTIONS, type TextRow, toText } from './texts.ts'
import type { Text } from './thread.ts'

/** A comment on a commit, with its place in the diff. */
export interface CommitComment {
  readonly text: Text
  readonly path: string | null
  readonly position: number | null
}

/** Comments that are read. */
const MOST = 1_000

const COMMENTS = `SELECT o.url, ${USER_LOGIN} AS author, o.created_at, o.body, ${REACTIONS}, o.path, o.position
  FROM commit_comments AS o WHERE o.repository = ? AND o.commit_id = ?
  ORDER BY ${timeOf('o.created_at')}, o.id, o.rowid LIMIT ${MOST}`

/** The comments on a commit by its id, the oldest first. */
export function commentsOnCommit({ store, url }: Repository, oid: string): CommitComment[] {
  if (!/^[0-9a-f]{40}$/.test(oid)) return []
  return store
    .all<TextRow & { path: string | null; position: number | null }>(COMMENTS, url, oid)
    .map(({ path, position, ...row }) => ({ text: toText(store, row), path, position }))
}

const COMMENTED = 'SELECT 1 FROM commit_comments WHERE repository = ? AND commit_id = ?'

/** Whether anybody commented on a commit. */
export const hasComments = ({ store, url }: Repository, oid: string): boolean =>
  store.get(COMMENTED, url, oid) !== undefined
