import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { orderOf } from '../../database/record-files/place-records.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { findNames } from './find-names.ts'

interface Person {
  login: string
  name: string | null
  email: string | null
}

/** The lines of a users.csv to be filled in: all people with their name, address and number of records. */
export function* userTemplate(database: Database): Generator<string> {
  yield 'old,new,name,email,records\n'
  const people = new Map(
    database
      .prepare<[], Person>(
        `SELECT login, name, (SELECT e.value ->> 'address' FROM json_each(CASE WHEN json_valid(emails) THEN emails END) AS e
           WHERE e.type = 'object' LIMIT 1) AS email FROM (
           SELECT login, name, emails FROM users UNION ALL SELECT login, name, emails FROM bots)
         WHERE typeof(login) = 'text'`,
      )
      .all()
      .map((person) => [person.login.toLowerCase(), person] as const),
  )
  const counts = countRecords(database)
  const organizations = new Set(
    database.prepare<[], string>('SELECT lower(login) FROM organizations').pluck().all(),
  )
  for (const login of findNames(database, { inLists: true }).people) {
    const key = login.toLowerCase()
    if (organizations.has(key)) continue
    const { name = null, email = null } = people.get(key) ?? {}
    const line = [login, '', name ?? '', email ?? '', String(counts.get(key) ?? 0)]
    yield `${line.map(quoteCsv).join(',')}\n`
  }
}

/** How many records name each login as their user or actor. */
function countRecords(database: Database): Map<string, number> {
  const selects = orderOf(database).tables.flatMap((table) =>
    ['user', 'actor']
      .filter((name) => name in (kindNamed(table)?.columns ?? {}))
      .map(
        (name) => `SELECT ${name} AS url, count(*) AS count FROM ${quoteName(table)}
        WHERE typeof(${name}) = 'text' GROUP BY ${name}`,
      ),
  )
  const counts = new Map<string, number>()
  const rows = database
    .prepare<[], { url: string; count: number }>(selects.join(' UNION ALL '))
    .all()
  for (const { url, count } of rows) {
    const login = url.slice(url.lastIndexOf('/') + 1).toLowerCase()
    counts.set(login, (counts.get(login) ?? 0) + count)
  }
  return counts
}

const quoteCsv = (value: string): string =>
  /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
