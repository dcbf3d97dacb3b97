import type { Database } from '../../database/database.ts'
import {
  DEFAULT_PERMISSION,
  selectCollaborators,
  selectMembers,
  selectTeamPermissions,
} from '../../database/schema/facts/people.ts'
import { elementsOf, memberOf } from '../../database/schema/facts/values.ts'
import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import { LEVELS } from './index-schema.ts'
import { isSafe } from './source-sql.ts'

/** The types that the interface gives people by their tables. */
const TYPES = { users: 'User', bots: 'Bot', organizations: 'Organization' } as const

/**
 * Adds the people who have a record, also those whom only records named before.
 *
 * @returns how many records have the url of another one
 * @throws `RangeError` if one of these was taken for another kind of person, on which activity depends
 */
export function indexPeople(index: Database, database: number): number {
  let shadowed = 0
  for (const table of PEOPLE_TABLES) {
    const kind = TYPES[table]
    const number =
      kind === 'Organization'
        ? `marc_made('${kind}', url)`
        : `marc_person_number('${kind}', avatar_url, url)`
    const isServed = `marc_has_shape('${table}', url) AND lower(marc_last_part(url)) <> 'ghost'
      AND ${isSafe('o')}`
    const others = `SELECT 1 FROM people AS p JOIN source.${table} AS o ON o.url = p.url
      WHERE p.database IS NULL AND p.kind <> '${kind}'`
    if (index.prepare(others).get()) throw new RangeError('a person would be of another kind')
    const count = `SELECT count(*) FROM source.${table} AS o WHERE ${isServed}`
    shadowed += index.prepare<[], number>(count).pluck().get() ?? 0
    const { changes } = index
      .prepare(`INSERT INTO people (url, login, kind, number, database, row)
      SELECT url, coalesce(nullif(CAST(login AS TEXT), ''), marc_last_part(url)), '${kind}', ${number},
        ${database}, rowid
      FROM source.${table} AS o
      WHERE ${isServed} ORDER BY url
      ON CONFLICT (url) DO UPDATE SET login = excluded.login, number = excluded.number,
        database = excluded.database, row = excluded.row
      WHERE database IS NULL`)
      .run()
    shadowed -= changes
  }
  return shadowed
}

/** Subjects of events and reviewers are teams as well. */
const TEAM = '*/orgs/*/teams/*'

/** The people that these columns name. */
const NAMED: readonly [table: string, person: string][] = [
  ['source.repositories', 'owner'],
  ['source.issue_events', 'actor'],
  ['source.issue_events', 'subject'],
  ['source.issue_comments', 'user'],
  ['source.pull_request_reviews', 'user'],
  ['source.pull_request_review_comments', 'user'],
  ['source.commit_comments', 'user'],
  ['source.releases', 'user'],
  ['source.milestones', 'user'],
  ['source.pull_requests', "CASE WHEN json_valid(head) THEN head ->> 'user' END"],
  ['temp.drafts', 'user'],
]

/** And by elements of these lists. */
const LISTED: readonly [table: string, list: string, person: string][] = [
  ['temp.drafts', 'assignees', 'a.value'],
  ['source.pull_requests', 'review_requests', memberOf('a', 'reviewer')],
  ['source.releases', 'release_assets', memberOf('a', 'user')],
  ['source.repositories', 'collaborators', memberOf('a', 'user')],
  ['source.organizations', 'members', memberOf('a', 'user')],
  ['source.teams', 'members', memberOf('a', 'user')],
]

/** Adds the people who are named by records, and by the drafts of threads, and have none of their own. */
export function indexNamedPeople(index: Database): void {
  const add = (urls: string) =>
    index.exec(`INSERT OR IGNORE INTO people (url, login, kind, number)
      SELECT url, marc_last_part(url), kind, marc_made(kind, url)
      FROM (SELECT url, iif(marc_is_bot(url), 'Bot', 'User') AS kind
        FROM (SELECT DISTINCT ${urls})
        WHERE typeof(url) = 'text' AND url NOT IN (SELECT url FROM people)
          AND lower(marc_last_part(url)) NOT IN ('', 'ghost') AND url NOT GLOB '${TEAM}')
      ORDER BY url`)
  for (const [table, person] of NAMED) {
    add(`${person} AS url FROM ${table} WHERE ${person} IS NOT NULL`)
  }
  for (const [table, list, person] of LISTED) {
    const isFilled = `o.${list} IS NOT NULL AND o.${list} <> '[]'`
    add(`${person} AS url FROM ${table} AS o, ${elementsOf(`o.${list}`, 'a')} WHERE ${isFilled}`)
  }
}

/** The level of a permission; 0 for none. */
const levelOf = (permission: string): string =>
  `CASE ${permission} ${Object.entries(LEVELS)
    .map(([name, level]) => `WHEN '${name}' THEN ${level}`)
    .join(' ')} ELSE 0 END`

/** Adds what gives people permissions: organizations, teams and collaborators. */
export function indexPermissions(index: Database, database: number): void {
  index.exec(`
    INSERT INTO organizations
    SELECT p.id, ${levelOf(DEFAULT_PERMISSION)}
    FROM source.organizations AS o JOIN people AS p ON p.database = ${database} AND p.url = o.url
    WHERE p.kind = 'Organization';

    INSERT OR IGNORE INTO members
    SELECT p.id, x.id, m.role = 'admin'
    FROM (${selectMembers('source.')}) AS m
      JOIN people AS g ON g.database = ${database} AND g.url = m.organization
      JOIN organizations AS x ON x.id = g.id JOIN people AS p ON p.url = m.user
    WHERE m.team IS NULL;

    INSERT OR IGNORE INTO collaborators
    SELECT p.id, r.id, max(${levelOf('c.permission')})
    FROM (${selectCollaborators('source.')}) AS c
      JOIN repositories AS r ON r.database = ${database} AND r.url = c.repository
      JOIN people AS p ON p.url = c.user
    GROUP BY 1, 2;

    INSERT OR IGNORE INTO team_members
    SELECT p.id, m.team FROM (${selectMembers('source.')}) AS m JOIN people AS p ON p.url = m.user
    WHERE m.team IS NOT NULL;

    INSERT OR IGNORE INTO team_repositories
    SELECT t.team, r.id, max(${levelOf('t.permission')})
    FROM (${selectTeamPermissions('source.')}) AS t
      JOIN repositories AS r ON r.database = ${database} AND r.url = t.repository
    GROUP BY 1, 2`)
}
