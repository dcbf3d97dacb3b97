import { quoteName } from '../database/quote.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import { type MemberPath, memberPaths } from '../records/kinds/member-paths.ts'
import { tablesWith } from '../records/kinds/references.ts'
import { testMembers } from './member-rule.ts'
import { type Check, describeBreach, type Rule, type Severity, shownValue } from './rule.ts'
import { KNOWN_MEMBERS, type KnownMember } from './sql/known-members.ts'
import {
  fromClause,
  type RecordSelect,
  recordsWhere,
  says,
  shown,
  words,
} from './sql/record-select.ts'

// Even in complete exports these are dangling: references to forks, to repositories that were not selected, to people
// without a record, to deleted labels.
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

type Sort = 'record' | 'person' | 'label' | 'outside'

/** The sort of reference; undefined if a member is none. */
function sortOf({ text, column }: MemberPath, kind: string): Sort | undefined {
  if (!column.refersTo) return undefined
  if (NORMAL.some((pattern) => pattern.test(`${kind}.${text}`))) return 'outside'
  if (column.refersTo.includes('users')) return 'person'
  return column.refersTo.includes('labels') ? 'label' : 'record'
}

/** The tables that a member refers to. */
const tablesOf = ({ column: { refersTo = [] } }: Pick<MemberPath, 'column'>): readonly string[] =>
  tablesWith(refersTo)

/** Whether a reference of this sort must not be dangling. */
const isFirm = (sort: Sort | undefined) => sort !== undefined && sort !== 'outside'

/** The tables of references that must not be dangling. */
export const REFERABLE: ReadonlySet<string> = new Set(
  Object.entries(KINDS).flatMap(([name, kind]) =>
    memberPaths(kind as Kind)
      .filter((path) => isFirm(sortOf(path, name)))
      .flatMap(tablesOf),
  ),
)

const LABEL = KNOWN_MEMBERS.find(({ path }) => path.text === 'labels[].url')

// Not the view `labels`, which fails if SQL has stored invalid JSON.
const LABELS = `SELECT ${LABEL?.text} AS url FROM repositories AS o${LABEL?.elements}
  WHERE ${LABEL?.text} IS NOT NULL AND ${LABEL?.isText}`

/** SQL for whether a reference is dangling. */
function leadsNowhere(member: KnownMember): string {
  const { text: url } = member
  const found = tablesOf(member).map((table) => {
    if (table === 'labels') return `${url} IN (${LABELS})`
    // Many records refer to few users: reading them once is faster than searching for each.
    return table === 'users'
      ? `${url} IN (SELECT url FROM users WHERE url IS NOT NULL)`
      : `EXISTS (SELECT 1 FROM ${quoteName(table)} AS t WHERE t.url = ${url})`
  })
  return `${url} IS NOT NULL AND NOT (${found.join(' OR ')}) AND ${member.isText}`
}

/** SELECTs of the rowids of records with a dangling reference to one of these tables, by their kind. */
export const danglingRows = (
  isReferred: (table: string) => boolean,
): { kind: KindName; rows: string }[] =>
  KNOWN_MEMBERS.filter(
    ({ path, kind }) => isFirm(sortOf(path, kind)) && tablesOf(path).some(isReferred),
  ).map((member) => {
    const { kind, elements } = member
    const from = fromClause({ table: kind, elements })
    return { kind, rows: `SELECT o.rowid ${from} WHERE ${leadsNowhere(member)}` }
  })

const inWords = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

const dangling = (member: KnownMember): RecordSelect => {
  const { kind, path, text, elements, within } = member
  const message = says(
    words(`${path.text} names `),
    shown(text),
    words(`, which is missing from ${inWords(tablesOf(member))}`),
  )
  // The index of a column suffices, without the table.
  const apart = path.text === within
  return { ...recordsWhere(kind, leadsNowhere(member), message, elements), apart }
}

const WHOLE_EXPORTS = { seenIn: '7,705 records of complete exports, where none of these dangles' }

/** A rule about all references of a sort. */
const referenceRule = (
  code: 'reference-record' | 'reference-person' | 'reference-label',
  summary: string,
): Rule => {
  const sort = code.slice('reference-'.length) as Sort
  return {
    ...referenceCheck(code, sort, 'warning', summary),
    code,
    test: testMembers(
      (path, kind) => sortOf(path, kind) === sort,
      (value, path, subject, member) => {
        const { world } = subject
        if (typeof value !== 'string' || (sort === 'person' && !world.hasAny('users')))
          return undefined
        const tables = tablesOf(path)
        const message = () =>
          `refers to a record that is missing from ${tables.join(', ')}: ${shownValue(value)}`
        const waiting = () => ({
          code,
          place: { ...subject.place, member },
          message: describeBreach(subject, { member, message: message() }),
        })
        return world.resolve(value, tables, waiting) ? undefined : message()
      },
    ),
  }
}

function referenceCheck(code: string, sort: Sort, severity: Severity, summary: string): Check {
  return {
    code,
    severity,
    summary,
    source: 'observed in real exports',
    evidence: WHOLE_EXPORTS,
    run(database, faults) {
      // An archive without users has one fault, users-missing, rather than one in each record.
      const users = () =>
        database.prepare('SELECT 1 FROM users WHERE url IS NOT NULL LIMIT 1').get()
      if (sort === 'person' && !users()) return
      for (const member of KNOWN_MEMBERS) {
        if (sortOf(member.path, member.kind) === sort) faults.addAll(dangling(member))
      }
    },
  }
}

/** Dangling references. */
export const referenceRules: readonly Rule[] = [
  referenceRule(
    'reference-record',
    'The record that this one belongs to is missing, so an importer may drop it',
  ),
  referenceRule(
    'reference-person',
    'A person without a record in users or bots cannot be mapped to an account',
  ),
  referenceRule('reference-label', 'A label that its repository does not list is lost'),
]

/** References that often dangle: a note for a database, nothing for a single record. */
export const referenceChecks: readonly Check[] = [
  {
    ...referenceCheck(
      'reference-outside',
      'outside',
      'note',
      'Even complete exports have these: references to forks, other repositories or people without a record',
    ),
    evidence: { seenIn: '24 exports, where these often dangle' },
  },
]
