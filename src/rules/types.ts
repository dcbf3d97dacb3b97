import { quoteText } from '../database/quote.ts'
import { isObject, isRawNumber, type JsonValue, nameOf } from '../records/json/json.ts'
import type { Column, Storage } from '../records/kinds/kind.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import { isColumn, type MemberPath } from '../records/kinds/member-paths.ts'
import { testMembers } from './member-rule.ts'
import { isGivenAsNull } from './members.ts'
import type { Rule } from './rule.ts'
import { columnsOf, kindNames, REST } from './sql/kind-columns.ts'
import { KNOWN_MEMBERS, type KnownMember } from './sql/known-members.ts'
import { isOtherJson, oddColumn, otherJson } from './sql/odd-columns.ts'
import { recordsWhere, recordsWithAny, says, words } from './sql/select-records.ts'

const WORDS: Readonly<Record<Storage, string>> = {
  text: 'a string',
  time: 'a date',
  flag: 'true or false',
  integer: 'an integer',
  json: 'an object or array',
}

/** What SQLite calls the JSON types that a column holds. */
const typesOf = ({ storage, members }: Column): string => {
  const types: Readonly<Record<Storage, readonly string[]>> = {
    text: ['text'],
    time: ['text'],
    flag: ['true', 'false'],
    integer: ['integer'],
    json: members ? ['object'] : ['object', 'array'],
  }
  return [...types[storage], 'null'].map(quoteText).join(', ')
}

function fits(value: JsonValue, { storage, members }: Column): boolean {
  switch (storage) {
    case 'text':
    case 'time':
      return typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean'
    case 'integer':
      return /^-?\d+$/.test(isRawNumber(value) ? value.rawJSON : JSON.stringify(value))
    case 'json':
      return isObject(value) || (members === undefined && Array.isArray(value))
  }
}

const isList = ({ column }: Pick<MemberPath, 'column'>) => column.list !== undefined
const isWhole = ({ type }: KnownMember) => type === null
const isEmails = (kind: string, { text }: MemberPath) =>
  text === 'emails' && (kind === 'users' || kind === 'bots')

/** Faults of all members deeper than columns, in one pass for those in one list. */
function nestedSelects(which: readonly KnownMember[], wrong: (member: KnownMember) => string) {
  const groups = Map.groupBy(which, ({ kind, elements }) => `${kind} ${elements}`)
  return [...groups.values()].map((members) => {
    const [{ kind, elements }] = members as [KnownMember]
    const faults = members.map((member) => {
      const message = says(words(`${member.path.text} is `), member.type ?? "''")
      return [wrong(member), message] as const
    })
    return { ...recordsWithAny(kind, faults), elements }
  })
}

function objectSelects(members: readonly KnownMember[]) {
  return [...Map.groupBy(members, (m) => `${m.kind} ${m.elements} ${m.parent}`).values()].map(
    (inOne) => {
      const [{ kind, path, parent, elements }] = inOne as [KnownMember]
      const prefix = path.text.slice(0, -path.name.length)
      const cases = inOne.map(
        ({ path, column }) =>
          `WHEN ${quoteText(path.name)} THEN m.type NOT IN (${typesOf(column)})`,
      )
      const odd = `FROM json_each(${parent}) AS m WHERE CASE m.key ${cases.join(' ')} END`
      const message = `(SELECT ${says(words(prefix), 'm.key', words(' is '), 'm.type')} ${odd})`
      return recordsWhere(kind, `EXISTS (SELECT 1 ${odd})`, message, elements)
    },
  )
}

const NESTED = KNOWN_MEMBERS.filter((member) => !isWhole(member))
/** Elements of lists, and the members of objects: all those of one object in one pass. */
const NESTED_TYPES = [
  ...nestedSelects(
    NESTED.filter((member) => !isList(member) && member.parent === null),
    ({ type, column }) => `${type} NOT IN (${typesOf(column)})`,
  ),
  ...objectSelects(NESTED.filter((member) => !isList(member) && member.parent !== null)),
]
const NESTED_LISTS = nestedSelects(
  NESTED.filter(isList),
  ({ type }) => `${type} IS NOT NULL AND ${type} <> 'array'`,
)
/** Lists of objects that hold something else. */
const ODD_ELEMENTS = KNOWN_MEMBERS.filter(
  ({ column: { list } }) => list && !isColumn(list.element),
).map(({ kind, path, list, elements }) =>
  recordsWhere(
    kind,
    `EXISTS (SELECT 1 FROM json_each(${list}) WHERE type <> 'object')`,
    words(`${path.text} lists something other than objects`),
    elements,
  ),
)

/** Members of another JSON type than their kind has. */
export const typeRules: readonly Rule[] = [
  {
    code: 'list-expected',
    severity: 'warning',
    summary:
      'These members are always lists, if need be empty ones; importers may stop at anything else',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kindNames) {
        const lists = columnsOf(kind).filter(([, column]) => column.list)
        if (lists.length === 0) continue
        const names = lists.map(([name]) => quoteText(name)).join(', ')
        const message = says('e.key', words(' is '), 'e.type', words(', not a list'))
        faults.addAll(recordsWhere(kind, `e.key IN (${names})`, message, REST))
        for (const [name] of lists) {
          if (name === 'emails') continue
          faults.addAll(
            recordsWhere(kind, isGivenAsNull(kind, name), words(`${name} is null; write []`)),
          )
        }
        // SQL may have put in other JSON.
        const odd = lists.map(([name]) => [isOtherJson(name, ['array']), otherJson(name)] as const)
        faults.addAll(recordsWithAny(kind, odd))
      }
      for (const select of [...NESTED_LISTS, ...ODD_ELEMENTS]) faults.addAll(select)
    },
    test: testMembers(isList, (value, path, { name }) => {
      if (value === null && isEmails(name, path)) return undefined
      if (!Array.isArray(value)) return `must be an array, and is ${nameOf(value)}`
      const element = path.column.list?.element
      const odd = element && !isColumn(element) && value.find((each) => !isObject(each))
      return odd === undefined || odd === false
        ? undefined
        : `must list objects, and has ${nameOf(odd)}`
    }),
  },
  {
    code: 'member-type',
    severity: 'warning',
    summary: 'A member of another JSON type than ever seen is refused or lost',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kindNames) {
        const columns = columnsOf(kind).filter(([, column]) => !column.list)
        const cases = columns.map(
          ([name, column]) => `WHEN ${quoteText(name)} THEN e.type NOT IN (${typesOf(column)})`,
        )
        const message = says('e.key', words(' is '), 'e.type', words(', which it never was'))
        faults.addAll(recordsWhere(kind, `CASE e.key ${cases.join(' ')} END`, message, REST))
        const odd = columns.flatMap(([name, column]) => oddColumn(name, column))
        faults.addAll(recordsWithAny(kind, odd))
      }
      for (const select of NESTED_TYPES) faults.addAll(select)
    },
    test: testMembers(
      (path) => !isList(path),
      (value, { column }) =>
        value === null || fits(value, column)
          ? undefined
          : `must be ${WORDS[column.storage]}, and is ${nameOf(value)}`,
    ),
  },
  {
    code: 'record-type',
    severity: 'warning',
    summary: 'A record whose type does not fit its file is taken for what it is not',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kindNames) {
        const other = `json_valid(o._extra) AND json_type(o._extra, '$.type') IS NOT NULL`
        faults.addAll(
          recordsWhere(
            kind,
            `o._extra IS NOT NULL AND ${other}`,
            `'type is ' || substr(o._extra -> '$.type', 1, 100) || ', not "${KINDS[kind].type}"'`,
          ),
        )
        faults.addAll(
          recordsWhere(
            kind,
            `o._entry IN (SELECT path FROM record_files WHERE kind <> '${kind}')`,
            `'a record of type ${KINDS[kind].type} in a file of another kind'`,
          ),
        )
      }
    },
    test: ({ record, kind: { type } }) =>
      !Object.hasOwn(record, 'type') || record.type === type
        ? []
        : [{ member: 'type', message: `must be ${type}` }],
  },
]
