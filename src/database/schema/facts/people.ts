/** Who a person is, who belongs to what, and who may see what. */

import { PEOPLE_TABLES } from '../../../records/people-tables.ts'
import { afterLastSlash } from '../derive-column.ts'
import type { Relation } from '../relation.ts'
import { type View, view, viewOf } from '../view.ts'
import { elementsOf, memberOf } from './values.ts'

/** Users, bots and organizations together, as their tables have them. */
export const PEOPLE: View = {
  name: 'people',
  summary:
    'Users, bots and organizations. Of records with one URL the first counts, in this order.',
  columns: {
    url: 'URL of the record.',
    kind: 'user, bot or organization.',
    login: 'Login name.',
    name: 'Display name.',
    location: 'Location in the profile.',
    website: 'Website in the profile.',
    created_at: 'When the account was created.',
    company: 'Company in the profile; NULL for an organization.',
    bio: 'What the profile says; of an organization, its description.',
  },
  parts: [
    { from: 'users', kind: "'user'" },
    { from: 'bots', kind: "'bot'" },
    { from: 'organizations', kind: "'organization'", company: 'NULL', bio: 'description' },
  ],
}

/** Whether a record `o` of a table is the first with its URL: one URL is one person. */
const isFirst = (table: (typeof PEOPLE_TABLES)[number], schema = ''): string =>
  PEOPLE_TABLES.slice(0, PEOPLE_TABLES.indexOf(table))
    .map((earlier) => `NOT EXISTS (SELECT 1 FROM ${schema}${earlier} AS p WHERE p.url = o.url)`)
    .join(' AND ') || '1'

const people = view({
  ...PEOPLE,
  parts: PEOPLE_TABLES.map((table, i) => {
    return { ...PEOPLE.parts[i], from: `${table} AS o`, where: isFirst(table) }
  }),
})

/**
 * The login of the person with a URL: that of the record, or else the end of the URL.
 *
 * @param url an expression for the URL
 * @param end an expression for the end of the URL, such as the column `user_login`
 */
export const loginOf = (url: string, end: string): string =>
  `coalesce(${PEOPLE_TABLES.map((table) => `(SELECT nullif(login, '') FROM ${table} WHERE url = ${url})`).join(', ')}, ${end})`

/** Whether a person has another login than the end of the URL; an app such as `https://github.com/Copilot` has. */
export const HAS_OTHER_LOGIN =
  "(login <> '' AND lower(substr(url, -length(login) - 1)) <> '/' || lower(login))"

/**
 * Selects `organization, team, user, role` from the lists of members: each person once, with the higher role.
 *
 * @param schema the database with the tables, such as `source.`
 */
export const selectMembers = (schema = ''): string => {
  const user = memberOf('e', 'user')
  const role = (higher: string) =>
    `iif(max(${memberOf('e', 'role')} IS '${higher}'), '${higher}', 'member')`
  const listed = (table: string, keys: string, condition = 'o.url IS NOT NULL') =>
    `FROM ${schema}${table} AS o, ${elementsOf('o.members', 'e')}
WHERE ${condition} AND typeof(${user}) = 'text' GROUP BY ${keys}, ${user}`
  return `SELECT o.url AS organization, NULL AS team, ${user} AS user, ${role('admin')} AS role
${listed('organizations', 'o.url', `o.url IS NOT NULL AND ${isFirst('organizations', schema)}`)}
UNION ALL SELECT o.organization, o.url, ${user}, ${role('maintainer')}
${listed('teams', 'o.organization, o.url')}`
}

/** The words of records for permissions, the highest first. Archives before 2022 call read and write pull and push. */
const WORDS = {
  admin: ['admin'],
  push: ['write', 'push', 'maintain'],
  pull: ['read', 'pull', 'triage'],
}

/** The highest permission that one of these words gives; NULL if none does. */
const allowedBy = (...words: readonly string[]): string =>
  `CASE ${Object.entries(WORDS)
    .map(([permission, known]) => {
      const list = known.map((word) => `'${word}'`).join(', ')
      return `WHEN ${words.map((word) => `${word} IN (${list})`).join(' OR ')} THEN '${permission}'`
    })
    .join(' ')} END`

/** The permission of members of an organization `o` in its repositories, by its record; NULL for none. */
export const DEFAULT_PERMISSION = `CASE CASE WHEN json_valid(o.member_privileges)
    THEN o.member_privileges ->> 'default_repository_permission' END
  WHEN 'admin' THEN 'admin' WHEN 'write' THEN 'push' WHEN 'none' THEN NULL ELSE 'pull' END`

/**
 * Selects `repository, user, permission, role` of people who were let in one by one.
 *
 * @param schema the database with the tables, such as `source.`
 */
export const selectCollaborators = (schema = ''): string => {
  const [user, role] = [memberOf('e', 'user'), memberOf('e', 'permission')]
  return `SELECT o.url AS repository, ${user} AS user, ${allowedBy(role)} AS permission, ${role} AS role
FROM ${schema}repositories AS o, ${elementsOf('o.collaborators', 'e')}
WHERE typeof(${user}) = 'text' AND ${allowedBy(role)} IS NOT NULL`
}

/** Selects `team, repository, permission, role` of teams. The higher one of access and role counts. */
export const selectTeamPermissions = (schema = ''): string => {
  const [repository, access] = [memberOf('e', 'repository'), memberOf('e', 'access')]
  const role = memberOf('e', 'role')
  const word = `CASE ${access} WHEN 'pull' THEN 'read' WHEN 'push' THEN 'write' ELSE ${access} END`
  return `SELECT o.url AS team, ${repository} AS repository, ${allowedBy(role, access)} AS permission,
  coalesce(${role}, ${word}) AS role
FROM ${schema}teams AS o, ${elementsOf('o.permissions', 'e')}
WHERE o.url IS NOT NULL AND ${allowedBy(role, access)} IS NOT NULL`
}

/** The reasons for permissions of people, one row each, as `repository, user, permission, role, source, team`. */
const PERMISSIONS = `SELECT r.url AS repository, r.owner AS user, 'admin' AS permission, 'admin' AS role, 'owner' AS source, NULL AS team
FROM repositories AS r
WHERE r.owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM organizations AS o WHERE o.url = r.owner AND ${isFirst('organizations')})
UNION ALL SELECT r.url, m.user, iif(m.role = 'admin', 'admin', ${DEFAULT_PERMISSION}), m.role, 'organization', NULL
FROM (${selectMembers()}) AS m JOIN organizations AS o ON o.url = m.organization
  JOIN repositories AS r ON r.owner = o.url
WHERE m.team IS NULL AND (m.role = 'admin' OR ${DEFAULT_PERMISSION} IS NOT NULL)
UNION ALL SELECT t.repository, m.user, t.permission, t.role, 'team', t.team
FROM (${selectTeamPermissions()}) AS t JOIN (${selectMembers()}) AS m ON m.team = t.team
UNION ALL SELECT repository, user, permission, role, 'collaborator', NULL FROM (${selectCollaborators()})`

const members = viewOf(
  'members',
  'Members of organizations and teams: each person once, with the higher role.',
  {
    organization: 'The organization, by URL.',
    team: 'The team, by URL; NULL for a member of the organization itself.',
    user: 'The member, by URL; the record may be missing.',
    user_login: 'Login of the member.',
    role: 'admin or member; in a team, maintainer or member.',
  },
  `SELECT m.organization, m.team, m.user, ${loginOf('m.user', afterLastSlash('m.user'))} AS user_login, m.role
FROM (${selectMembers()}) AS m`,
)

const permissions = viewOf(
  'permissions',
  'What gives people permissions in repositories. Of several the highest counts; everybody may pull what is public.',
  {
    repository: 'The repository, by URL; the record may be missing.',
    user: 'Who, by URL; the record may be missing.',
    user_login: 'Login of that person.',
    permission: 'pull, push or admin.',
    role: 'The word of the record, such as triage or maintain.',
    source: 'owner, organization, team or collaborator.',
    team: 'The team, by URL; NULL for other sources.',
  },
  `SELECT p.repository, p.user, ${loginOf('p.user', afterLastSlash('p.user'))} AS user_login, p.permission, p.role, p.source, p.team
FROM (${PERMISSIONS}) AS p`,
)

/** Views of people, and of what they belong to and may do. */
export const PEOPLE_VIEWS: readonly Relation[] = [people, members, permissions]
