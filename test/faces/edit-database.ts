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
  ['milestones', 'due_on'],
  ['releases', 'published_at'],
  ['users', 'created_at'],
]

/** Forms of a time, as SQL over its column `t`. */
const FORMS = [
  "strftime('%Y-%m-%dT%H:%M:%S', t, '+2 hours') || '+02:00'",
  "strftime('%Y-%m-%dT%H:%M:%S', t) || '.750Z'",
  "strftime('%Y-%m-%dT%H:%M:%S', t)",
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

/** Edits a database one to four times at random. Returns what was done, in words. */
export function editDatabase(path: string, random: Random): string[] {
  const database = openDatabase(path, { readonly: false })
  try {
    const names = Array.from({ length: 1 + random.below(4) }, () => random.pick(EDIT_NAMES))
    for (const name of names) EDITS[name]?.(database, random)
    return names
  } finally {
    database.close()
  }
}
