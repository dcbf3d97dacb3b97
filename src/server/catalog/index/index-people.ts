import type { Database } from '../../../database/database.ts'
import { elementsOf, isSafe, member } from './source-sql.ts'

/** Tables of people, with the type that the interface gives them. If several have the same url, the first counts. */
const KINDS = { users: 'User', bots: 'Bot', organizations: 'Organization' } as const

/**
 * Adds the people who have a record.
 *
 * @returns how many records have the url of another one
 */
export function indexPeople(index: Database, database: number): number {
  let shadowed = 0
  for (const [table, kind] of Object.entries(KINDS)) {
    const number =
      kind === 'Organization'
        ? `marc_made('${kind}', url)`
        : `marc_person_number('${kind}', avatar_url, url)`
    const isServed = `marc_has_shape('${table}', url) AND lower(marc_last_part(url)) <> 'ghost'
      AND ${isSafe('o')}`
    const count = `SELECT count(*) FROM source.${table} AS o WHERE ${isServed}`
    shadowed += index.prepare<[], number>(count).pluck().get() ?? 0
    const { changes } = index
      .prepare(`INSERT OR IGNORE INTO people (url, login, kind, number, database, row)
      SELECT url, coalesce(nullif(CAST(login AS TEXT), ''), marc_last_part(url)), '${kind}', ${number},
        ${database}, rowid
      FROM source.${table} AS o
      WHERE ${isServed} ORDER BY url`)
      .run()
    shadowed -= changes
  }
  return shadowed
}

/** The people that these columns name. */
const NAMED: readonly [table: string, person: string][] = [
  ['source.repositories', 'owner'],
  ['source.issue_events', 'actor'],
  ['source.issue_comments', 'user'],
  ['source.pull_request_reviews', 'user'],
  ['source.pull_request_review_comments', 'user'],
  ['source.commit_comments', 'user'],
  ['source.releases', 'user'],
  ['temp.drafts', 'user'],
  ['temp.drafts', 'assignee'],
]

/** And by elements of these lists. */
const LISTED: readonly [table: string, list: string, person: string][] = [
  ['temp.drafts', 'assignees', 'a.value'],
  ['source.repositories', 'collaborators', member('a', 'user')],
  ['source.organizations', 'members', member('a', 'user')],
  ['source.teams', 'members', member('a', 'user')],
]

/** Adds the people who are named by records, and by the drafts of threads, and have none of their own. */
export function indexNamedPeople(index: Database): void {
  const add = (urls: string) =>
    index.exec(`INSERT OR IGNORE INTO people (url, login, kind, number)
      SELECT url, marc_last_part(url), kind, marc_made(kind, url)
      FROM (SELECT url, iif(marc_is_bot(url), 'Bot', 'User') AS kind
        FROM (SELECT DISTINCT ${urls})
        WHERE typeof(url) = 'text' AND url NOT IN (SELECT url FROM people)
          AND lower(marc_last_part(url)) NOT IN ('', 'ghost'))
      ORDER BY url`)
  for (const [table, person] of NAMED) {
    add(`${person} AS url FROM ${table} WHERE ${person} IS NOT NULL`)
  }
  for (const [table, list, person] of LISTED) {
    const isFilled = `o.${list} IS NOT NULL AND o.${list} <> '[]'`
    add(`${person} AS url FROM ${table} AS o, ${elementsOf(`o.${list}`, 'a')} WHERE ${isFilled}`)
  }
}

const level = (...words: string[]) => {
  const cases = { admin: 3, write: 2, push: 2, maintain: 2, read: 1, pull: 1, triage: 1 }
  const when = Object.entries(cases).map(([word, n]) => `WHEN '${word}' THEN ${n}`)
  const of = (word: string) => `CASE ${word} ${when.join(' ')} ELSE 0 END`
  return words.length === 1 ? of(words[0] as string) : `max(${words.map(of).join(', ')})`
}

/** Adds what gives people permissions: organizations, teams and collaborators. */
export function indexPermissions(index: Database, database: number): void {
  const permission = `member_privileges ->> 'default_repository_permission'`
  index.exec(`
    INSERT INTO organizations
    SELECT p.id, CASE iif(json_valid(o.member_privileges), o.${permission}, NULL)
      WHEN 'admin' THEN 3 WHEN 'write' THEN 2 WHEN 'none' THEN 0 ELSE 1 END
    FROM source.organizations AS o JOIN people AS p ON p.database = ${database} AND p.url = o.url
    WHERE p.kind = 'Organization';

    INSERT OR IGNORE INTO members
    SELECT p.id, x.id, max(${member('a', 'role')} IS 'admin')
    FROM source.organizations AS o JOIN people AS g ON g.database = ${database} AND g.url = o.url
      JOIN organizations AS x ON x.id = g.id, ${elementsOf('o.members', 'a')}
      JOIN people AS p ON p.url = ${member('a', 'user')}
    GROUP BY 1, 2;

    INSERT OR IGNORE INTO collaborators
    SELECT p.id, r.id, max(${level(member('a', 'permission'))})
    FROM repositories AS r JOIN source.repositories AS o ON o.rowid = r.row,
      ${elementsOf('o.collaborators', 'a')} JOIN people AS p ON p.url = ${member('a', 'user')}
    WHERE r.database = ${database} GROUP BY 1, 2;

    INSERT OR IGNORE INTO team_members
    SELECT p.id, o.url FROM source.teams AS o, ${elementsOf('o.members', 'a')}
      JOIN people AS p ON p.url = ${member('a', 'user')} WHERE o.url IS NOT NULL;

    INSERT OR IGNORE INTO team_repositories
    SELECT o.url, r.id, max(${level(member('a', 'access'), member('a', 'role'))})
    FROM source.teams AS o, ${elementsOf('o.permissions', 'a')}
      JOIN repositories AS r ON r.database = ${database} AND r.url = ${member('a', 'repository')}
    WHERE o.url IS NOT NULL GROUP BY 1, 2`)
}
