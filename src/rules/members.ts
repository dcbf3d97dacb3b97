import { quoteName, quoteText } from '../database/quote.ts'
import { recordTables } from '../database/rows/read-record.ts'
import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import type { Column } from '../records/kinds/kind.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import { requirementOf } from './requirements.ts'
import type { Rule } from './rule.ts'
import { KNOWN_MEMBERS, type KnownMember } from './sql/known-members.ts'
import { inEachKind, isAbsent, recordsWhere, says, words } from './sql/record-select.ts'

const columnOf = (kind: string, member: string): Column | undefined =>
  (KINDS[kind as KindName].columns as Readonly<Record<string, Column>>)[member]

/** The rule `list-expected` reports lists that are null. */
const isList = (kind: string, member: string) => columnOf(kind, member)?.list !== undefined

// JSON.stringify omits undefined members.
const has = (record: JsonObject, member: string): boolean =>
  Object.hasOwn(record, member) && record[member] !== undefined
const isSet = (record: JsonObject, member: string) => has(record, member) && record[member] !== null

/** SQL for whether a member is in `_extra` because its column cannot hold its JSON type. */
const isInRest = (member: string): string =>
  `(o._extra IS NOT NULL AND json_valid(o._extra)
    AND json_type(o._extra, ${quoteText(`$."${member}"`)}) IS NOT NULL)`

/** SQL for whether a record lacks a member. */
const isMissing = (kind: string, member: string): string =>
  `(${isAbsent(member, columnOf(kind, member)?.optional ?? false)} AND NOT ${isInRest(member)})`

/** SQL for whether a member is null: neither missing nor of another type. */
export const isGivenAsNull = (kind: string, member: string): string =>
  `(o.${quoteName(member)} IS NULL AND NOT ${isMissing(kind, member)} AND NOT ${isInRest(member)})`

/** SQL for whether a member has a value, even of another type. */
const isSetInSql = (member: string): string =>
  `(o.${quoteName(member)} IS NOT NULL OR ${isInRest(member)})`

/** Members with rules of their own. */
const APART = ['url', 'pull_request_review_thread']

/** A SELECT of the records in which a condition of any member holds; the message lists those members. */
function recordsWith(
  kind: KindName,
  predicate: string,
  wrong: readonly (readonly [string, string])[],
) {
  const list = wrong.map(([member, where]) => `iif(${where}, ${words(`, ${member}`)}, '')`)
  const where = wrong.map(([, condition]) => condition).join(' OR ') || 'false'
  return recordsWhere(kind, where, says(words(predicate), `substr(${says(...list, "''")}, 2)`))
}

/** The objects in records of a kind that have required members, by whether exporters document these. */
function partsOf(kind: string, { documented }: { documented?: boolean } = {}) {
  const { parts = {}, seenParts = {}, ...of } = requirementOf(kind)
  const all = [
    ...(documented !== !of.documented ? Object.entries(parts) : []),
    ...(documented !== true ? Object.entries(seenParts) : []),
  ]
  return all.map(([path, { required, orNull = [] }]) => ({
    path,
    required,
    members: [...required, ...orNull],
  }))
}

/** The objects at a path, an object or the elements of a list, each with its place. */
function objectsAt(record: JsonObject, path: string): [place: string, part: JsonObject][] {
  const name = path.replace('[]', '')
  const value = Object.hasOwn(record, name) ? record[name] : undefined
  const places: [string, JsonValue | undefined][] =
    name === path
      ? [[name, value]]
      : Array.isArray(value)
        ? value.map((element, i) => [`${name}[${i}]`, element])
        : []
  return places.flatMap(([place, part]) => (isObject(part) ? [[place, part]] : []))
}

const knownMember = (kind: string, path: string): KnownMember =>
  KNOWN_MEMBERS.find((each) => each.kind === kind && each.path.text === path) as KnownMember

/** A SELECT of the objects at a path that lack any of these members. */
function partsWithout(kind: KindName, path: string, members: readonly string[]) {
  const known = members.map((member) => knownMember(kind, `${path}.${member}`))
  const [{ parent, elements }] = known as [KnownMember]
  const isObject = `json_type(${parent}) = 'object'`
  const list = known.map(({ path, type }) => `iif(${type} IS NULL, ${words(`, ${path.name}`)}, '')`)
  const where = known.map(({ type }) => `${type} IS NULL`).join(' OR ')
  const message = says(words(`${path} lacks`), `substr(${says(...list)}, 2)`)
  return recordsWhere(kind, `${isObject} AND (${where})`, message, elements)
}

/** A rule about required members, in kinds whose requirements are documented or only observed. */
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
    run: inEachKind((kind) => {
      const inParts = partsOf(kind, { documented }).map(({ path, members }) =>
        partsWithout(kind, path, members),
      )
      if (!isAbout(kind)) return inParts
      const { parents = [] } = requirementOf(kind)
      const missing = membersOf(kind).map((member) => [member, isMissing(kind, member)] as const)
      const none = parents.map((member) => `NOT ${isSetInSql(member)}`).join(' AND ')
      const noParent = none === '' ? [] : [[parents.join(' or '), `(${none})`] as const]
      return [recordsWith(kind, 'lacks', [...missing, ...noParent]), ...inParts]
    }),
    test({ name, record }) {
      const breaches: { member: string; message: string }[] = []
      for (const { path, members } of partsOf(name, { documented })) {
        for (const [member, part] of objectsAt(record, path)) {
          const missing = members.filter((each) => !has(part, each))
          if (missing.length > 0) breaches.push({ member, message: `lacks ${missing.join(', ')}` })
        }
      }
      if (!isAbout(name)) return breaches
      const { parents = [] } = requirementOf(name)
      const missing = membersOf(name).filter((member) => !has(record, member))
      breaches.unshift(...missing.map((member) => ({ member, message: 'is missing' })))
      const [first] = parents
      if (first === undefined || parents.some((member) => isSet(record, member))) return breaches
      const message = `is missing: expected one of ${parents.join(', ')}`
      return [...breaches, { member: first, message }]
    },
  }
}

/** The members that records must have. */
export const requiredMemberRules: readonly Rule[] = [
  {
    code: 'record-without-url',
    severity: 'error',
    summary: 'The url is the identity of a record: nothing can refer to a record without one',
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
        : [{ member: 'url', message: url === undefined ? 'is missing' : 'is not a string' }],
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
      'Every known record or part of one has these members; whether importers need them is not known',
    evidence: {
      seenIn: '2,277 records of the kinds that no exporter writes, and 146 parts of others',
    },
    source: 'observed in real exports',
  }),
  {
    code: 'member-null',
    severity: 'warning',
    summary: 'These members are never null: they say what a record is and where it belongs',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run: inEachKind((kind) => {
      const members = valuesOf(kind)
      const isNull = members.map((member) => [member, isGivenAsNull(kind, member)] as const)
      const inParts = partsOf(kind).flatMap(({ path, required }) =>
        required.map((member) => knownMember(kind, `${path}.${member}`)),
      )
      return [
        recordsWith(kind, 'has null for', isNull),
        ...inParts.map(({ path, type, elements }) =>
          recordsWhere(kind, `${type} = 'null'`, words(`has null for ${path.text}`), elements),
        ),
      ]
    }),
    test({ name, record }) {
      const message = 'is null, which known records never have'
      const isNull = valuesOf(name).filter((member) => record[member] === null)
      const breaches = isNull.map((member) => ({ member, message }))
      for (const { path, required } of partsOf(name)) {
        for (const [place, part] of objectsAt(record, path)) {
          const isNull = required.filter((member) => part[member] === null)
          breaches.push(...isNull.map((member) => ({ member: `${place}.${member}`, message })))
        }
      }
      return breaches
    },
  },
  {
    code: 'emails-null',
    severity: 'error',
    summary: 'An importer looks for an email address and stops at null; an empty list is valid',
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
        ? [{ member: 'emails', message: 'must be an array, but is null' }]
        : [],
  },
  {
    code: 'thread-missing',
    severity: 'error',
    summary: 'A review comment without a thread is refused',
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
    run: inEachKind((kind) => {
      const { parents = [] } = requirementOf(kind)
      if (parents.length === 0) return []
      const number = parents.map(isSetInSql).join(' + ')
      const message = says(words('belongs to '), `(${number})`, words(' records'))
      return [recordsWhere(kind, `${number} > 1`, message)]
    }),
    test({ name, record }) {
      const { parents = [] } = requirementOf(name)
      const [member, second] = parents.filter((parent) => isSet(record, parent))
      if (member === undefined || second === undefined) return []
      return [
        { member, message: `and ${second} are both set: expected one of ${parents.join(', ')}` },
      ]
    },
  },
]

const ACCOUNTS: readonly KindName[] = ['users', 'bots']
const COMMENTS = 'pull_request_review_comments'
const THREAD = 'pull_request_review_thread'

const valuesOf = (kind: string): string[] =>
  requirementOf(kind).required.filter((member) => !APART.includes(member) && !isList(kind, member))
