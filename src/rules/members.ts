import { quoteName, quoteText } from '../database/quote.ts'
import { recordTables } from '../database/rows/read-record.ts'
import type { JsonObject } from '../records/json/json.ts'
import type { Column } from '../records/kinds/kind.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import { requirementOf } from './requirements.ts'
import type { Rule } from './rule.ts'
import { isAbsent, recordsWhere, says, words } from './sql/select-records.ts'

const kinds = Object.keys(KINDS) as KindName[]
const columnsOf = (kind: string) =>
  KINDS[kind as KindName].columns as Readonly<Record<string, Column>>

/** Lists that are null break a rule of their own. */
const isList = (kind: string, member: string) => columnsOf(kind)[member]?.list !== undefined

// Undefined is not written, and so is absent.
const has = (record: JsonObject, member: string): boolean =>
  Object.hasOwn(record, member) && record[member] !== undefined
const isSet = (record: JsonObject, member: string) => has(record, member) && record[member] !== null

/** A member of a JSON type that its column cannot hold is in `_extra`. */
const isInRest = (member: string): string =>
  `(o._extra IS NOT NULL AND json_valid(o._extra)
    AND json_type(o._extra, ${quoteText(`$."${member}"`)}) IS NOT NULL)`

/** Whether a record lacks a member, in SQL. */
const isMissing = (kind: string, member: string): string =>
  `(${isAbsent(member, columnsOf(kind)[member]?.optional ?? false)} AND NOT ${isInRest(member)})`

/** Whether it is null: neither missing, nor of another type. */
export const isGivenAsNull = (kind: string, member: string): string =>
  `(o.${quoteName(member)} IS NULL AND NOT ${isMissing(kind, member)} AND NOT ${isInRest(member)})`

/** Whether it has a value, be it of another type. */
const isSetInSql = (member: string): string =>
  `(o.${quoteName(member)} IS NOT NULL OR ${isInRest(member)})`

/** Members that each have a code of their own. */
const APART = ['url', 'pull_request_review_thread']

/** For each member what is wrong with it where, as a SELECT of the records that have something of it. */
function recordsWith(kind: KindName, what: string, wrong: readonly (readonly [string, string])[]) {
  const list = wrong.map(([member, where]) => `iif(${where}, ${words(`, ${member}`)}, '')`)
  const where = wrong.map(([, condition]) => condition).join(' OR ') || 'false'
  return recordsWhere(kind, where, says(words(what), `substr(${says(...list, "''")}, 2)`))
}

/** A rule about members that must be there, in the kinds of which that is documented or only seen. */
const missingRule = (
  documented: boolean,
  rule: Pick<Rule, 'code' | 'severity' | 'summary' | 'evidence' | 'source'>,
): Rule => {
  const isAbout = (kind: string) => requirementOf(kind).documented === documented
  const membersOf = (kind: string) => {
    const { required, orNull = [] } = requirementOf(kind)
    return ['type', ...required, ...orNull].filter((member) => !APART.includes(member))
  }
  return {
    ...rule,
    run(_, faults) {
      for (const kind of kinds.filter(isAbout)) {
        const { parents = [] } = requirementOf(kind)
        const missing = membersOf(kind).map((member) => [member, isMissing(kind, member)] as const)
        const none = parents.map((member) => `NOT ${isSetInSql(member)}`).join(' AND ')
        const noParent = none === '' ? [] : [[parents.join(' or '), `(${none})`] as const]
        faults.addAll(recordsWith(kind, 'lacks', [...missing, ...noParent]))
      }
    },
    test({ name, record }) {
      if (!isAbout(name)) return []
      const { parents = [] } = requirementOf(name)
      const missing = membersOf(name).filter((member) => !has(record, member))
      const breaches = missing.map((member) => ({ member, message: 'is missing' }))
      const [first] = parents
      if (first === undefined || parents.some((member) => isSet(record, member))) return breaches
      const message = `is missing, as is any other: expected one of ${parents.join(', ')}`
      return [...breaches, { member: first, message }]
    },
  }
}

/** The members that records must have. */
export const requiredMemberRules: readonly Rule[] = [
  {
    code: 'record-without-url',
    severity: 'error',
    summary: 'The url is the identity of a record: without one nothing can refer to it',
    evidence: 'documented',
    source: 'host documentation: the tables of a migration name records by url',
    run(database, faults) {
      for (const table of recordTables(database)) {
        faults.addAll(recordsWhere(table, 'o."url" IS NULL', "'there is no url'"))
      }
    },
    test: ({ record: { url } }) =>
      typeof url === 'string' && url.isWellFormed()
        ? []
        : [{ member: 'url', message: url === undefined ? 'is missing' : 'is no text' }],
  },
  missingRule(true, {
    code: 'member-missing',
    severity: 'error',
    summary: 'An importer needs these members in every record of the kind',
    evidence: 'documented',
    source: 'the smallest records of exporters whose archives were imported',
  }),
  missingRule(false, {
    code: 'member-absent',
    severity: 'warning',
    summary:
      'Every known record of the kind has these members; whether importers need them is not known',
    evidence: { seenIn: '2,277 records of the kinds that no exporter writes' },
    source: 'observed in real exports',
  }),
  {
    code: 'member-null',
    severity: 'warning',
    summary: 'These members always have a value: they say what a record is and where it belongs',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kinds) {
        const isNull = valuesOf(kind).map(
          (member) => [member, isGivenAsNull(kind, member)] as const,
        )
        faults.addAll(recordsWith(kind, 'has null for', isNull))
      }
    },
    test: ({ name, record }) =>
      valuesOf(name)
        .filter((member) => record[member] === null)
        .map((member) => ({ member, message: 'is null, which it never was' })),
  },
  {
    code: 'emails-null',
    severity: 'error',
    summary: 'An importer looks for an address and stops at null; an empty list is fine',
    evidence: 'documented',
    source: "importer's error message NoMethodError",
    run(_, faults) {
      for (const kind of ACCOUNTS) {
        faults.addAll(
          recordsWhere(kind, isGivenAsNull(kind, 'emails'), "'emails is null; write []'"),
        )
      }
    },
    test: ({ name, record }) =>
      ACCOUNTS.includes(name as KindName) && record.emails === null
        ? [{ member: 'emails', message: 'must be an array, and is null' }]
        : [],
  },
  {
    code: 'thread-missing',
    severity: 'error',
    summary: 'A review comment that is in no thread is refused',
    evidence: 'documented',
    source: "importer's error message: thread_id can't be blank",
    run: (_, faults) =>
      faults.addAll(recordsWhere(COMMENTS, `NOT ${isSetInSql(THREAD)}`, `'there is no ${THREAD}'`)),
    test: ({ name, record }) =>
      name === COMMENTS && !isSet(record, THREAD)
        ? [{ member: THREAD, message: 'is missing' }]
        : [],
  },
  {
    code: 'parent-ambiguous',
    severity: 'warning',
    summary: 'A comment, event or attachment belongs to one issue, pull request, review or comment',
    evidence: { seenIn: '2,897 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kinds) {
        const { parents = [] } = requirementOf(kind)
        if (parents.length === 0) continue
        const number = parents.map(isSetInSql).join(' + ')
        const message = says(words('belongs to '), `(${number})`, words(' records'))
        faults.addAll(recordsWhere(kind, `${number} > 1`, message))
      }
    },
    test({ name, record }) {
      const { parents = [] } = requirementOf(name)
      const [member, second] = parents.filter((parent) => isSet(record, parent))
      if (member === undefined || second === undefined) return []
      return [{ member, message: `stands beside ${second}: expected one of ${parents.join(', ')}` }]
    },
  },
]

const ACCOUNTS: readonly KindName[] = ['users', 'bots']
const COMMENTS = 'pull_request_review_comments'
const THREAD = 'pull_request_review_thread'

const valuesOf = (kind: string): string[] =>
  requirementOf(kind).required.filter((member) => !APART.includes(member) && !isList(kind, member))
