/**
 * What each filter of a list of threads asks: of the index, in which people and milestones are numbers, and of records, which
 * name them by URL. Both find the same threads.
 */

import { HAS_OTHER_LOGIN } from '../../database/schema/facts/people.ts'
import { ASSIGNEES } from '../../database/schema/facts/threads.ts'
import { elementsOf, timeOf } from '../../database/schema/facts/values.ts'
import { GHOST, ROLES } from '../index/index-schema.ts'
import { labelUrls } from '../labels.ts'
import type { Repository } from '../library.ts'

/** Which threads are in a list. */
export interface ThreadFilter {
  readonly state?: 'open' | 'closed' | 'all' | undefined
  /** Names of labels, in upper or lower case, all of which it must have. */
  readonly labels?: readonly string[] | undefined
  /** Logins, or ends of the URLs of people, in upper or lower case. */
  readonly author?: string | undefined
  readonly assignee?: string | undefined
  /** The number of a milestone that has a record. */
  readonly milestone?: number | undefined
  /** Their numbers are among these. */
  readonly numbers?: readonly number[] | undefined
  /** Of discussions: their category, by URL. */
  readonly category?: string | undefined
  /** Seconds since 1970: only what was opened then or later, and only what was opened before. */
  readonly createdFrom?: number | undefined
  readonly createdBefore?: number | undefined
  /** Of the index alone: issues or pull requests. */
  readonly kind?: 'issues' | 'pulls' | undefined
  /** Of the index alone: logins. */
  readonly mentioned?: string | undefined
  readonly subscribed?: string | undefined
  /** Of the index alone: whether anybody is assigned. */
  readonly isAssigned?: boolean | undefined
  /** Of the index alone: whether it has any milestone. */
  readonly hasMilestone?: boolean | undefined
  /** Of the index alone: seconds since 1970, only what was updated then or later. */
  readonly since?: number | undefined
}

/** A condition with its values. */
export type Condition = readonly [sql: string, ...values: (string | number)[]]

/** People of the index with a login, or whose URL ends so. Deleted accounts are one person. */
const PERSON = `SELECT id FROM people WHERE lower(login) = lower(?)
  UNION ALL SELECT id FROM people WHERE ${HAS_OTHER_LOGIN} AND lower(substr(url, -length(?) - 1)) = lower('/' || ?)
  UNION ALL SELECT ${GHOST.id} WHERE lower(?) = '${GHOST.login}'`

const involves =
  (role: keyof typeof ROLES) =>
  (login: string): Condition => [
    `t.id IN (SELECT thread FROM involved WHERE role = ${ROLES[role]} AND person IN (${PERSON}))`,
    login,
    login,
    login,
    login,
  ]

/** Whether a URL in a record is that of a person with a login, or ends so. `keepOtherLogins` makes the table. */
const isPerson = (url: string): string => `(lower(substr(${url}, -length(?) - 1)) = lower('/' || ?)
  OR ${url} IN (SELECT url FROM temp.other_logins WHERE login = lower(?)))`

const all = (conditions: readonly Condition[]): Condition => [
  conditions.map(([sql]) => sql).join(' AND ') || '1',
  ...conditions.flatMap(([, ...values]) => values),
]

/** How a filter is asked: `t` is a thread of the index, `o` the record of an issue, a pull request or a discussion. */
interface Asked<Value> {
  index?(value: Value): Condition
  records?(value: Value, repository: Repository): Condition
}

const FILTERS: { readonly [Name in keyof ThreadFilter]-?: Asked<NonNullable<ThreadFilter[Name]>> } =
  {
    state: {
      index: (state) => [state === 'all' ? '1' : `t.closed = ${Number(state === 'closed')}`],
      // What is merged is closed, whether it says when or not.
      records: (state) => [
        state === 'all' ? '1' : `o.state ${state === 'open' ? '=' : '<>'} 'open'`,
      ],
    },
    labels: {
      index: (names) =>
        all(
          names.map((name) => [
            `t.id IN (SELECT l.thread FROM thread_labels AS l JOIN label_names AS n ON n.id = l.label
              WHERE n.name = lower(?))`,
            name,
          ]),
        ),
      records: (names, repository) =>
        all(
          names.map((name) => [
            `EXISTS (SELECT 1 FROM ${elementsOf('o.labels', 'e')} WHERE e.value IN (SELECT value FROM json_each(?)))`,
            JSON.stringify(labelUrls(repository, name)),
          ]),
        ),
    },
    author: {
      index: involves('author'),
      records: (login) => [
        `(${isPerson('o.user')} OR o.user IS NULL AND lower(?) = '${GHOST.login}')`,
        login,
        login,
        login,
        login,
      ],
    },
    assignee: {
      index: involves('assignee'),
      records: (login) => [
        `EXISTS (SELECT 1 FROM ${elementsOf(ASSIGNEES, 'e')} WHERE ${isPerson('e.value')})`,
        login,
        login,
        login,
      ],
    },
    milestone: {
      index: (number) => ['t.milestone IN (SELECT id FROM milestones WHERE number = ?)', number],
      records: (number, { url }) => [
        'o.milestone = ? AND EXISTS (SELECT 1 FROM milestones AS m WHERE m.url = o.milestone)',
        `${url}/milestones/${number}`,
      ],
    },
    numbers: {
      index: (numbers) => ['t.number IN (SELECT value FROM json_each(?))', JSON.stringify(numbers)],
      records: (numbers) => [
        'o.number IN (SELECT value FROM json_each(?))',
        JSON.stringify(numbers),
      ],
    },
    category: { records: (url) => ['o.discussion_category = ?', url] },
    createdFrom: {
      index: (seconds) => ['t.created >= ?', seconds],
      records: (seconds) => [`${timeOf('o.created_at')} >= ?`, seconds],
    },
    createdBefore: {
      index: (seconds) => ['t.created < ?', seconds],
      records: (seconds) => [`${timeOf('o.created_at')} < ?`, seconds],
    },
    kind: { index: (kind) => [`t.is_pull = ${Number(kind === 'pulls')}`] },
    mentioned: { index: involves('mentioned') },
    subscribed: { index: involves('subscribed') },
    isAssigned: {
      index: (isAssigned) => [
        `t.id ${isAssigned ? '' : 'NOT '}IN (SELECT thread FROM involved WHERE role = ${ROLES.assignee})`,
      ],
    },
    hasMilestone: { index: (has) => [`t.milestone IS ${has ? 'NOT ' : ''}NULL`] },
    since: { index: (since) => ['coalesce(t.updated, 0) >= ?', since] },
  }

/** Filters that discussions have. */
const OF_DISCUSSIONS: ReadonlySet<string> = new Set([
  'labels',
  'author',
  'category',
  'createdFrom',
  'createdBefore',
])

/** The conditions of a filter, as `ask` has them in one of the two ways. */
function conditionsOf(
  filter: ThreadFilter,
  ask: (name: keyof ThreadFilter, value: never) => Condition | undefined,
): Condition {
  const names = Object.keys(FILTERS) as (keyof ThreadFilter)[]
  return all(
    names.flatMap((name) => {
      const condition = filter[name] === undefined ? undefined : ask(name, filter[name] as never)
      return condition ? [condition] : []
    }),
  )
}

/** What a filter asks of threads `t` of the index. */
export const inIndex = (filter: ThreadFilter): Condition =>
  conditionsOf(filter, (name, value) => FILTERS[name].index?.(value))

/** What a filter asks of the records `o` of a repository. */
export const inRecords = (
  filter: ThreadFilter,
  repository: Repository,
  { isDiscussion }: { isDiscussion: boolean },
): Condition =>
  conditionsOf(filter, (name, value) =>
    isDiscussion && !OF_DISCUSSIONS.has(name)
      ? undefined
      : FILTERS[name].records?.(value, repository),
  )
