/** Edits of databases, such as real archives and their owners make: records that are gone, times in odd forms, twins. */

import { type Database, openDatabase } from '../../src/database/open-database.ts'
import type { Random } from '../bench/random.ts'

/** Makes one edit. It may find nothing to edit. */
type Edit = (database: Database, random: Random) => void

/** The columns of times that faces read. */
const TIMES: readonly (readonly [table: string, column: string])[] = [
  ['issues', 'created_at'],
  ['issues', 'closed_at'],
  ['pull_requests', 'created_at'],
  ['pull_requests', 'closed_at'],
  ['pull_requests', 'merged_at'],
  ['issue_comments', 'created_at'],
  ['issue_events', 'created_at'],
  ['pull_request_reviews', 'submitted_at'],
  ['pull_request_reviews', 'created_at'],
  ['pull_request_review_comments', 'created_at'],
  ['milestones', 'due_on'],
  ['milestones', 'closed_at'],
  ['releases', 'published_at'],
  ['releases', 'created_at'],
  ['repositories', 'created_at'],
  ['users', 'created_at'],
]

/** Forms of a time, as SQL over its column `t`. */
const FORMS = [
  "strftime('%Y-%m-%dT%H:%M:%S', t, '+2 hours') || '+02:00'",
  "strftime('%Y-%m-%dT%H:%M:%S', t, '-570 minutes') || '.125-09:30'",
  "strftime('%Y-%m-%dT%H:%M:%S', t) || '.750Z'",
  "strftime('%Y-%m-%dT%H:%M:%S', t) || '.5'",
  "strftime('%Y-%m-%dT%H:%M:%S', t)",
  "strftime('%Y-%m-%d', t)",
  "'2023-02-30T10:00:00Z'",
  "'yesterday'",
  "''",
  'NULL',
] as const

/** Tables of people. */
const PEOPLE = ['users', 'bots', 'organizations'] as const

/** SQL that is true of some rows of `table`, the same ones in each run. */
const some = (random: Random, parts: number): string =>
  `(rowid * 7919 + ${random.below(10_000)}) % ${parts} = 0`

/** The columns that a record has, but for those in the other table alone. */
const commonColumns = (database: Database, from: string, to: string): string[] => {
  const columnsOf = (table: string) =>
    database.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all()
  const known = new Set(columnsOf(to))
  return columnsOf(from).filter((name) => known.has(name) && name !== 'url')
}

/** Copies some records into another kind. */
function copyRecords(
  database: Database,
  { from, to, url, where }: { from: string; to: string; url: string; where: string },
): void {
  const columns = commonColumns(database, from, to).map((name) => `"${name}"`)
  database.exec(`INSERT OR IGNORE INTO ${to} (url, ${columns.join(', ')})
    SELECT ${url}, ${columns.join(', ')} FROM ${from} WHERE ${where}`)
}

const EDITS: Readonly<Record<string, Edit>> = {
  'events of a kind are gone': (database, random) => {
    const kinds = database
      .prepare<[], string>('SELECT DISTINCT event FROM issue_events WHERE event IS NOT NULL')
      .pluck()
      .all()
    const kind = random.chance(0.5)
      ? random.pick(['merged', 'closed', 'locked'])
      : random.pick([...kinds, 'merged'])
    database.prepare('DELETE FROM issue_events WHERE event = ?').run(kind)
  },
  'people are gone': (database, random) =>
    database.exec(`DELETE FROM ${random.pick(PEOPLE)} WHERE ${some(random, 3)}`),
  'authors are gone': (database, random) => {
    const table = random.pick(['issues', 'pull_requests', 'issue_comments', 'pull_request_reviews'])
    database.exec(`UPDATE ${table} SET user = NULL WHERE ${some(random, 3)}`)
  },
  'labels are gone': (database, random) =>
    database.exec(`UPDATE repositories SET labels = (
      SELECT json_group_array(json(e.value)) FROM json_each(labels) AS e WHERE e.key % 2 = ${random.below(2)})
      WHERE json_valid(labels)`),
  'milestones are gone': (database, random) =>
    database.exec(`DELETE FROM milestones WHERE ${some(random, 2)}`),
  'times have another form': (database, random) => {
    const [table, column] = random.pick(TIMES)
    const form = random.pick(FORMS)
    database.exec(`UPDATE ${table} SET ${column} = (SELECT ${form} FROM (SELECT ${column} AS t))
      WHERE ${column} IS NOT NULL AND ${some(random, 3)}`)
  },
  'all happens in one second': (database, random) => {
    const time = '2024-05-06T07:08:09Z'
    for (const table of ['issue_comments', 'issue_events']) {
      database.prepare(`UPDATE ${table} SET created_at = ? WHERE ${some(random, 2)}`).run(time)
    }
    const sql = `UPDATE pull_request_reviews SET submitted_at = ?, created_at = ? WHERE ${some(random, 2)}`
    database.prepare(sql).run(time, time)
  },
  'one number has two threads': (database, random) => {
    const [from, to] = random.pick([
      ['issues', 'pull_requests'],
      ['pull_requests', 'issues'],
    ] as const)
    const [old, part] = from === 'issues' ? ['/issues/', '/pull/'] : ['/pull/', '/issues/']
    const url = `replace(url, '${old}', '${part}')`
    copyRecords(database, { from, to, url, where: some(random, 4) })
  },
  'one url has two kinds': (database, random) => {
    const from = random.pick(PEOPLE)
    const to = random.pick(PEOPLE.filter((table) => table !== from))
    copyRecords(database, { from, to, url: 'url', where: some(random, 2) })
  },
  'comments name the wrong thread': (database, random) => {
    const change = random.pick([
      'issue = pull_request, pull_request = NULL WHERE pull_request IS NOT NULL',
      'pull_request = issue, issue = NULL WHERE issue IS NOT NULL',
      `issue = (SELECT url FROM issues LIMIT 1) WHERE pull_request IS NOT NULL`,
    ])
    database.exec(`UPDATE issue_comments SET ${change} AND ${some(random, 4)}`)
  },
  'bots do it': (database, random) => {
    const [table, column] = random.pick([
      ['issue_events', 'actor'],
      ['issue_comments', 'user'],
      ['pull_request_reviews', 'user'],
    ] as const)
    database.exec(
      `UPDATE ${table} SET ${column} = ${column} || '[bot]' WHERE ${column} IS NOT NULL AND ${some(random, 3)}`,
    )
  },
  'only one assignee': (database, random) => {
    const table = random.pick(['issues', 'pull_requests'])
    const empty = random.pick(['NULL', "'[]'"])
    database.exec(`UPDATE ${table} SET assignee = coalesce(assignee, assignees ->> 0, user), assignees = ${empty}
      WHERE ${some(random, 2)}`)
  },
  'merged and never closed': (database, random) =>
    database.exec(
      `UPDATE pull_requests SET closed_at = NULL WHERE merged_at IS NOT NULL AND ${some(random, 2)}`,
    ),
  'merges are told late or by the wrong event': (database, random) => {
    const seconds = random.pick([-61, -60, 59, 60, 61, 86_400])
    const event = random.pick(['merged', 'closed'])
    database
      .prepare(`UPDATE issue_events SET created_at = strftime('%Y-%m-%dT%H:%M:%SZ', (SELECT p.merged_at FROM pull_requests AS p
          WHERE p.url = issue_events.thread), ${seconds} || ' seconds')
        WHERE event = ? AND thread IN (SELECT url FROM pull_requests WHERE merged_at IS NOT NULL) AND ${some(random, 2)}`)
      .run(event)
  },
  'reviewers judge again': (database, random) =>
    database.exec(`UPDATE pull_request_reviews SET state = ${random.pick([0, 1, 30, 40, 50])},
      user = (SELECT r.user FROM pull_request_reviews AS r WHERE r.pull_request = pull_request_reviews.pull_request LIMIT 1)
      WHERE ${some(random, 2)}`),
  'threads move to another milestone': (database, random) => {
    const table = random.pick(['issues', 'pull_requests'])
    const other = random.pick([
      `(SELECT url FROM milestones WHERE url IS NOT NULL ORDER BY url DESC LIMIT 1)`,
      `repository || '/milestones/77'`,
      `'https://elsewhere.test/a/b/milestones/1'`,
      'NULL',
    ])
    database.exec(`UPDATE ${table} SET milestone = ${other} WHERE ${some(random, 2)}`)
  },
  'files of uploads are gone': (database, random) =>
    database.exec(
      `DELETE FROM ${random.pick(['attachments', 'repository_files'])} WHERE ${some(random, 2)}`,
    ),
  'pull requests close other issues': (database, random) => {
    const issue = random.pick([
      `(SELECT i.url FROM issues AS i WHERE i.repository = pull_requests.repository LIMIT 1 OFFSET ${random.below(3)})`,
      "'https://elsewhere.test/a/b/issues/1'",
    ])
    const references = random.pick([
      'NULL',
      `json_array(json_object('issue', ${issue}, 'user', user, 'pull_request', url))`,
    ])
    database.exec(
      `UPDATE pull_requests SET close_issue_references = ${references} WHERE ${some(random, 2)}`,
    )
  },
  'closings do not say by what': (database, random) =>
    database.exec(`UPDATE issue_events SET referencing_pull_request = NULL, commit_id = NULL
      WHERE event = 'closed' AND ${some(random, 2)}`),
  'lists hold other things': (database, random) => {
    const [table, column] = random.pick([
      ['issues', 'labels'],
      ['issues', 'assignees'],
      ['pull_requests', 'labels'],
      ['pull_requests', 'assignees'],
      ['pull_requests', 'review_requests'],
      ['pull_requests', 'close_issue_references'],
      ['repositories', 'labels'],
      ['releases', 'release_assets'],
    ] as const)
    const list = random.pick(["'{}'", "'[1, null, {}, []]'", "'7'", "'[]'", 'NULL'])
    database.exec(`UPDATE ${table} SET ${column} = ${list} WHERE ${some(random, 2)}`)
  },
  'reviews are asked for': (database, random) =>
    database.exec(`UPDATE pull_requests SET review_requests = json_array(json_object(
        'reviewer', coalesce((SELECT user FROM pull_request_reviews AS r WHERE r.pull_request = pull_requests.url AND r.user IS NOT NULL), user),
        'reviewer_type', 'User', 'created_at', created_at, 'updated_at', created_at, 'dismissed_at', NULL))
      WHERE user IS NOT NULL AND ${some(random, 2)}`),
  'people join': (database, random) => {
    const person = `(SELECT url FROM users WHERE url IS NOT NULL LIMIT 1 OFFSET ${random.below(4)})`
    const joined = (list: string, member: string, roles: readonly string[]) =>
      `${list} = json_insert(coalesce(${list}, '[]'), '$[#]', json_object('user', ${person}, '${member}', '${random.pick(roles)}'))`
    const change = random.pick([
      `organizations SET ${joined('members', 'role', ['admin', 'direct_member', 'odd'])}`,
      `teams SET ${joined('members', 'role', ['maintainer', 'member'])}`,
      `repositories SET ${joined('collaborators', 'permission', ['admin', 'write', 'triage', 'odd'])}`,
    ])
    database.exec(`UPDATE ${change}`)
  },
  'organizations let members do other things': (database, random) =>
    database.exec(`UPDATE organizations SET member_privileges = json_object(
      'default_repository_permission', '${random.pick(['none', 'read', 'write', 'admin'])}')`),
  'repositories have no record': (database, random) =>
    database.exec(`DELETE FROM repositories WHERE ${some(random, 4)}`),
}

/** The names of the edits that can be made. */
export const EDIT_NAMES: readonly string[] = Object.keys(EDITS)

/** Edits of people and of what they may do: the interface looks people up in all databases, other faces in one. */
const OF_PEOPLE: ReadonlySet<string> = new Set([
  'people are gone',
  'one url has two kinds',
  'people join',
  'organizations let members do other things',
])

/**
 * Edits a database one to four times at random. Returns what was done, in words.
 *
 * @param options.isOneOfSeveral other databases are served with it
 */
export function editDatabase(
  path: string,
  random: Random,
  { isOneOfSeveral = false }: { isOneOfSeveral?: boolean } = {},
): string[] {
  const database = openDatabase(path, { readonly: false })
  try {
    const all = EDIT_NAMES.filter((name) => !(isOneOfSeveral && OF_PEOPLE.has(name)))
    const names = Array.from({ length: 1 + random.below(4) }, () => random.pick(all))
    for (const name of names) EDITS[name]?.(database, random)
    return names
  } finally {
    database.close()
  }
}
