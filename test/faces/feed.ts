/** The feed of a repository: what the interface has in it, and what the views of a database say that happened. */

import type { Database } from '../../src/database/open-database.ts'
import { restLogin, restSeconds, secondsOf } from './normal.ts'
import type { Json } from './open-faces.ts'
import type { SqlRow } from './read-thread.ts'

/** Seconds that a feed reaches back, and the events that it has at most. */
const REACH = 90 * 24 * 3600
export const FEED_LENGTH = 300

/** Seconds within which a pull request is merged and closed. */
const MOMENT = 60

export const restFeed = (events: readonly Json[]): string[] =>
  events
    .map(({ type, actor, created_at }) => `${restSeconds(created_at)} ${type} ${restLogin(actor)}`)
    .sort()

/** The types of events by kind of a row of the timeline. */
const TYPES: Readonly<Record<string, string>> = {
  comment: 'IssueCommentEvent',
  review: 'PullRequestReviewEvent',
  review_comment: 'PullRequestReviewCommentEvent',
}

const BRANCHES: Readonly<Record<string, string>> = {
  head_ref_deleted: 'DeleteEvent',
  head_ref_restored: 'CreateEvent',
}

const OTHERS = `SELECT 'ReleaseEvent' AS type, user_login, user, published_at AS time FROM releases
    WHERE repository = :url AND state = 'published'
  UNION ALL SELECT 'CommitCommentEvent', user_login, user, created_at FROM commit_comments WHERE repository = :url
  UNION ALL SELECT 'CreateEvent', owner_login, owner, created_at FROM repositories
    WHERE url = :url AND owner NOT IN (SELECT url FROM people WHERE kind = 'organization')`

const TIMELINE = `SELECT i.*, t.kind AS thread_kind FROM threads AS t JOIN timeline AS i ON i.thread = t.url
  WHERE t.repository = :url`

/** The feed of the repository with a url; undefined if it is longer than a feed may be. */
export function sqlFeed(
  database: Database,
  url: string,
  { now, loginOf }: { now: number; loginOf: (person: unknown) => string | null },
): string[] | undefined {
  const rows = database.prepare<[Json], SqlRow>(TIMELINE).all({ url })
  const closings = Map.groupBy(
    rows.filter(({ event }) => event === 'closed'),
    ({ thread }) => thread,
  )
  const isClosedThen = ({ thread, created_at }: SqlRow): boolean =>
    (closings.get(thread ?? null) ?? []).some(
      (other) =>
        Math.abs((secondsOf(other.created_at) ?? 0) - (secondsOf(created_at) ?? 0)) <= MOMENT,
    )
  const typeOf = (row: SqlRow): string | undefined => {
    const { kind, event, thread_kind } = row
    const isPull = thread_kind === 'pull_request'
    const changed = isPull ? 'PullRequestEvent' : 'IssuesEvent'
    if (event === 'pending') return undefined
    if (kind === 'opened' || event === 'closed' || event === 'reopened') return changed
    if (kind !== 'event') return TYPES[String(kind)]
    if (event === 'merged') return isPull && !isClosedThen(row) ? changed : undefined
    return isPull ? BRANCHES[String(event)] : undefined
  }
  const all = [
    ...rows.map((row) => ({ type: typeOf(row), user: row.user, time: row.created_at })),
    ...database.prepare<[Json], SqlRow>(OTHERS).all({ url }),
  ]
  const found = all.flatMap(({ type, user, time }) => {
    const seconds = secondsOf(time)
    return type !== undefined && seconds !== null && seconds > now - REACH && seconds <= now
      ? [`${seconds} ${type} ${loginOf(user)}`]
      : []
  })
  return found.length >= FEED_LENGTH ? undefined : found.sort()
}
