/** Names that stand in the urls of records, where what they name has no record of its own. */

import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { hasRelation } from '../../database/schema/schema.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { loginOf, nameOf, repositoryOf } from '../../thread/names.ts'

/** Repositories that records belong to. */
export const namedRepositories = (database: Database): string[] =>
  references(database, 'repositories').flatMap((url) => repositoryOf(url) ?? [])

/** People who did something, and the names and addresses of those who wrote commits. */
export const namedPeople = (database: Database): string[] => [
  ...references(database, 'users').flatMap((url) => loginOf(url) ?? []),
  ...database
    .prepare<[], string>('SELECT author_name FROM commits UNION SELECT author_email FROM commits')
    .pluck()
    .all(),
]

/** Labels that are set. */
export const namedLabels = (database: Database): string[] =>
  database
    .prepare<[], string>(
      'SELECT label FROM issues_labels UNION SELECT label FROM pull_requests_labels',
    )
    .pluck()
    .all()
    .flatMap((url) => nameOf(url) ?? [])

/** The urls in all columns that refer to a table, each of which has an index. */
function references(database: Database, table: string): string[] {
  const columns = Object.entries(KINDS as Record<string, Kind>).flatMap(([name, { columns }]) =>
    Object.entries(columns)
      .filter(([, { refersTo }]) => refersTo?.includes(table))
      .map(([member]) => [quoteName(name), quoteName(member), name] as const),
  )
  const urls = columns
    .filter(([, , name]) => hasRelation(database, name))
    .flatMap(([name, member]) =>
      database
        .prepare<[], string>(`SELECT DISTINCT ${member} FROM ${name} WHERE ${member} IS NOT NULL`)
        .pluck()
        .all(),
    )
  return [...new Set(urls)]
}
