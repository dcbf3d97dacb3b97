import { quoteName, quoteText } from '../database/quote.ts'
import { isObject, isRawNumber, type JsonValue, typeName } from '../records/json/json.ts'
import type { Column, Storage } from '../records/kinds/kind.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import { isColumn, type MemberPath } from '../records/kinds/member-paths.ts'
import { testMembers } from './member-rule.ts'
import { isGivenAsNull } from './members.ts'
import type { Rule } from './rule.ts'
import { KNOWN_MEMBERS, type KnownMember } from './sql/known-members.ts'
import {
  columnsOf,
  EXTRA,
  inEachKind,
  recordsWhere,
  recordsWithAny,
  says,
  words,
} from './sql/record-select.ts'

const WORDS: Readonly<Record<Storage, string>> = {
  text: 'a string',
  time: 'a date',
  flag: 'true or false',
  integer: 'an integer',
  json: 'an object or array',
}

/** SQLite's names of the JSON types that a column holds. */
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

/** Faults of members below columns, in one pass per list. */
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
/** Elements of lists, and members of objects: all members of an object in one pass. */
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
/** Lists of objects with elements that are not objects. */
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

const listSelects = inEachKind((kind) => {
  const names = columnsOf(kind).flatMap(([name, column]) => (column.list ? [name] : []))
  if (names.length === 0) return []
  const message = says('e.key', words(' is '), 'e.type', words(', not a list'))
  const nulls = names.filter((name) => name !== 'emails')
  return [
    recordsWhere(kind, `e.key IN (${names.map(quoteText).join(', ')})`, message, EXTRA),
    ...nulls.map((name) =>
      recordsWhere(kind, isGivenAsNull(kind, name), words(`${name} is null; write []`)),
    ),
    // SQL may have stored other JSON.
    recordsWithAny(
      kind,
      names.map((name) => [isOtherJson(name, ['array']), otherJson(name)]),
    ),
  ]
})

const columnSelects = inEachKind((kind) => {
  const columns = columnsOf(kind).filter(([, column]) => !column.list)
  const cases = columns.map(
    ([name, column]) => `WHEN ${quoteText(name)} THEN e.type NOT IN (${typesOf(column)})`,
  )
  const message = says('e.key', words(' is '), 'e.type', words(UNUSUAL))
  const odd = columns.flatMap(([name, column]) => oddColumn(name, column))
  return [
    recordsWhere(kind, `CASE e.key ${cases.join(' ')} END`, message, EXTRA),
    recordsWithAny(kind, odd),
  ]
})

/** Members with a JSON type that their kind does not have. */
export const typeRules: readonly Rule[] = [
  {
    code: 'list-expected',
    severity: 'warning',
    summary: 'These members are always lists, even if empty; importers may stop at anything else',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(database, faults) {
      listSelects(database, faults)
      for (const select of [...NESTED_LISTS, ...ODD_ELEMENTS]) faults.addAll(select)
    },
    test: testMembers(isList, (value, path, { name }) => {
      if (value === null && isEmails(name, path)) return undefined
      if (!Array.isArray(value)) return `must be an array, but is ${typeName(value)}`
      const element = path.column.list?.element
      if (!element || isColumn(element)) return undefined
      const [odd] = value.filter((each) => !isObject(each))
      return odd === undefined ? undefined : `must list objects, but has ${typeName(odd)}`
    }),
  },
  {
    code: 'member-type',
    severity: 'warning',
    summary: 'A member with a JSON type that no known record has is refused or lost',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(database, faults) {
      columnSelects(database, faults)
      for (const select of NESTED_TYPES) faults.addAll(select)
    },
    test: testMembers(
      (path) => !isList(path),
      (value, { column }) =>
        value === null || fits(value, column)
          ? undefined
          : `must be ${WORDS[column.storage]}, but is ${typeName(value)}`,
    ),
  },
  {
    code: 'record-type',
    severity: 'warning',
    summary: 'A record whose type does not match its file is misread',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run: inEachKind((kind) => [
      recordsWhere(
        kind,
        `o._extra IS NOT NULL AND json_valid(o._extra) AND json_type(o._extra, '$.type') IS NOT NULL`,
        `'type is ' || substr(o._extra -> '$.type', 1, 100) || ', not "${KINDS[kind].type}"'`,
      ),
      recordsWhere(
        kind,
        `o._entry IN (SELECT path FROM record_files WHERE kind <> '${kind}')`,
        `'a record of type ${KINDS[kind].type} in a file of another kind'`,
      ),
    ]),
    test: ({ record, kind: { type } }) =>
      !Object.hasOwn(record, 'type') || record.type === type
        ? []
        : [{ member: 'type', message: `must be ${type}` }],
  },
]

const UNUSUAL = ', which known records never have'

/** SQL for whether a column holds JSON of other types. */
function isOtherJson(name: string, types: readonly string[]): string {
  const own = `o.${quoteName(name)}`
  // The first character decides almost always.
  const begins = types.map((type) => (type === 'array' ? '[[]*' : '{*'))
  return `${begins.map((begin) => `${own} NOT GLOB '${begin}'`).join(' AND ')}
    AND json_valid(${own}) AND json_type(${own}) NOT IN (${types.map(quoteText).join(', ')})`
}

/** The message about JSON of another type. */
const otherJson = (name: string): string =>
  says(words(`${name} is `), `json_type(o.${quoteName(name)})`, words(UNUSUAL))

/** The condition for a value that SQL stored with a type the column never has, and its message. */
function oddColumn(
  name: string,
  { storage, list, members }: Column,
): [condition: string, message: string][] {
  if (list) return []
  if (storage === 'json') {
    const types = members ? ['object'] : ['object', 'array']
    return [[isOtherJson(name, types), otherJson(name)]]
  }
  const own = `o.${quoteName(name)}`
  const type = `typeof(${own})`
  const isInteger = storage === 'flag' || storage === 'integer'
  // A TEXT column turns numbers into texts, and every blob sorts after every text: one comparison suffices.
  const where = isInteger ? `${type} NOT IN ('integer', 'null')` : `${own} >= x''`
  return [[where, says(words(`${name} is `), type, words(UNUSUAL))]]
}
