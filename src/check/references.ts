import { quoteName } from '../database/quote.ts'
import type { Check } from './check.ts'
import { KNOWN_MEMBERS, type KnownMember } from './known-members.ts'
import {
  elementMember,
  elementsOf,
  type RecordSelect,
  recordsWhere,
  says,
  selectRecords,
  shown,
  words,
} from './select-records.ts'

// In whole exports too these lead nowhere: to forks, to repositories that were not chosen, to people without
// a record, to labels that were deleted.
const NORMAL = [
  /\.reactions\[\]\.user$/,
  /^teams\.(permissions\[\]\.repository|members\[\]\.user|parent_team)$/,
  /^organizations\.(members\[\]\.user|owners_team)$/,
  /^repositories\.(collaborators\[\]\.user|repository_topics\[\]\.\w+)$/,
  /^pull_requests\.(head\.\w+|close_issue_references\[\]\.\w+|review_requests\[\]\.\w+)$/,
  /^issue_events\.(label|subject|commit_repository|referencing_pull_request)$/,
  /^protected_branches\.\w+\[\]$/,
  /^releases\.release_assets\[\]\.user$/,
]

interface Reference extends KnownMember {
  to: readonly string[]
}

const REFERENCES: readonly Reference[] = KNOWN_MEMBERS.flatMap((member) =>
  member.column.refersTo ? [{ ...member, to: member.column.refersTo }] : [],
)

const isNormal = ({ kind, path }: Reference) =>
  NORMAL.some((pattern) => pattern.test(`${kind}.${path}`))
const isPerson = ({ to }: Reference) => to.includes('users')
const isLabel = ({ to }: Reference) => to.includes('labels')

// Not the view of this name: somebody may have put in what is no JSON.
const LABELS = `SELECT ${elementMember('url')} AS url FROM repositories AS o${elementsOf('labels')}
  WHERE ${elementMember('url')} IS NOT NULL`

const PEOPLE = ['users', 'bots', 'organizations']

/** Whether a url leads nowhere, as SQL. */
function leadsNowhere({ value: url, to }: Reference): string {
  // An actor may be an organization too: all of them share one space of urls.
  const tables = to.includes('users') ? [...new Set([...PEOPLE, ...to])] : to
  const found = tables.map((table) => {
    if (table === 'labels') return `${url} IN (${LABELS})`
    // Few users are named by many records: to read them once is faster than to search for each.
    return table === 'users'
      ? `${url} IN (SELECT url FROM users WHERE url IS NOT NULL)`
      : `EXISTS (SELECT 1 FROM ${quoteName(table)} AS t WHERE t.url = ${url})`
  })
  return `${url} IS NOT NULL AND NOT (${found.join(' OR ')})`
}

const inWords = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

const dangling = (reference: Reference): string | RecordSelect => {
  const { kind, path, value, elements, within, to } = reference
  const message = says(
    words(`${path} names `),
    shown(value),
    words(`, which is no record of ${inWords(to)}`),
  )
  const select = recordsWhere(kind, leadsNowhere(reference), message, elements)
  // Of a column looked for alone, as its index tells it without the table.
  return path === within ? selectRecords(select) : select
}

const checkOf = (
  code: string,
  severity: Check['severity'],
  summary: string,
  source: string,
  which: (reference: Reference) => boolean,
): Check => ({
  code,
  severity,
  summary,
  source,
  run(_, faults) {
    for (const reference of REFERENCES) if (which(reference)) faults.addAll(dangling(reference))
  },
})

const WHOLE = 'observed in real exports: in whole ones these lead somewhere always'

/** Where one record names another that is not there. */
export const referenceChecks: readonly Check[] = [
  checkOf(
    'reference-record',
    'error',
    'The record that this one belongs to is missing, so an importer cannot place it',
    WHOLE,
    (reference) => !isNormal(reference) && !isPerson(reference) && !isLabel(reference),
  ),
  {
    ...checkOf(
      'reference-person',
      'warning',
      'Whoever is missing from users and bots cannot be mapped to an account',
      WHOLE,
      (reference) => !isNormal(reference) && isPerson(reference),
    ),
    run(database, faults) {
      // Without any users it is one fault, users-missing, and not one in each record.
      if (!database.prepare('SELECT 1 FROM users LIMIT 1').get()) return
      for (const reference of REFERENCES) {
        if (!isNormal(reference) && isPerson(reference)) faults.addAll(dangling(reference))
      }
    },
  },
  checkOf(
    'reference-label',
    'warning',
    'A label that its repository does not list is lost',
    WHOLE,
    (reference) => !isNormal(reference) && isLabel(reference),
  ),
  checkOf(
    'reference-outside',
    'note',
    'These lead out of whole exports too: to forks, other repositories, people without a record',
    'observed in real exports',
    isNormal,
  ),
]
