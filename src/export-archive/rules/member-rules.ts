import { isObject, isRawNumber, type JsonValue, nameOf } from '../../records/json.ts'
import type { Column } from '../../records/kind.ts'
import { isColumn } from '../../records/member-paths.ts'
import {
  BRANCH_MEMBERS,
  COLOR_MEMBERS,
  LINE_MEMBERS,
  LISTS_WITH_OFFSETS,
  SHA_MEMBERS,
} from '../../records/requirements.ts'
import { memberRule, type Rule, shown } from '../rule.ts'

const sha = /^[0-9a-f]{40}$/
const color = /^[0-9a-fA-F]{6}$/
const second = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`
const utc = new RegExp(`^${second}Z$`)
const withOffset = new RegExp(`^${second}(?:\\.\\d{1,3})?(?:Z|[+-]\\d\\d:\\d\\d)$`)
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that must not be there
const control = /[\u0000-\u001f\u007f]/

/** Rules about the values of members. A value of another type than expected breaks only that rule. */
export const MEMBER_RULES: readonly Rule[] = [
  typeRule(),
  memberRule({
    code: 'rule-array',
    source: 'Exporter of Bitbucket Cloud, #70: emails that were null stopped the import.',
    why: 'Importers go through lists without looking whether they are there.',
    about: ({ column }) => column.list !== undefined,
    nulls: true,
    breach(value, { column }) {
      if (!Array.isArray(value)) return `must be an array, and is ${nameOf(value)}`
      const element = column.list?.element
      const odd = element && !isColumn(element) && value.find((each) => !isObject(each))
      return odd === undefined || odd === false
        ? undefined
        : `must list objects, and has ${nameOf(odd)}`
    },
  }),
  memberRule({
    code: 'rule-date',
    source: 'All dates of the host; exporters convert theirs.',
    why: 'Dates are compared as texts, and one of another form is misread.',
    about: ({ column }) => column.storage === 'time',
    breach(value, { steps }) {
      if (typeof value !== 'string') return undefined
      const form = LISTS_WITH_OFFSETS.has(steps[0] ?? '') ? withOffset : utc
      return form.test(value) && isDay(value)
        ? undefined
        : `must be a date such as 2024-01-31T23:59:59Z, and is ${shown(value)}`
    },
  }),
  memberRule({
    code: 'rule-sha',
    source: 'Exporter of Bitbucket Cloud: short ids were not found.',
    why: 'Commits are looked up by their full id.',
    about: ({ name }) => SHA_MEMBERS.has(name),
    breach: (value) =>
      typeof value !== 'string' || sha.test(value)
        ? undefined
        : `must be forty hexadecimal digits, and is ${shown(value)}`,
  }),
  memberRule({
    code: 'rule-color',
    source: 'Exporter of GitLab, which takes away #.',
    why: 'A color with # fails as the label is made.',
    about: ({ name }) => COLOR_MEMBERS.has(name),
    breach: (value) =>
      typeof value !== 'string' || color.test(value)
        ? undefined
        : `must be six hexadecimal digits, and is ${shown(value)}`,
  }),
  memberRule({
    code: 'rule-branch-name',
    source: 'Exporters of Bitbucket Cloud and GitLab: such refs were rejected.',
    why: 'A branch named like a commit cannot be told from it.',
    about: ({ text }, kind) => BRANCH_MEMBERS[kind]?.includes(text) ?? false,
    breach: (value) =>
      typeof value === 'string' && sha.test(value)
        ? `must not be named like a commit, and is ${value}`
        : undefined,
  }),
  memberRule({
    code: 'rule-control-character',
    source: 'Exporters of Bitbucket Cloud and GitLab, which take them away.',
    why: 'Descriptions of one line with line breaks or control characters are rejected.',
    about: ({ text }, kind) => LINE_MEMBERS[kind]?.includes(text) ?? false,
    breach: (value) =>
      typeof value === 'string' && control.test(value)
        ? `must be one line without control characters, and is ${shown(value)}`
        : undefined,
  }),
  memberRule({
    code: 'rule-wiki',
    source: 'Exporter of Bitbucket Cloud: an empty wiki_url was an InvalidTarballUrl.',
    why: 'A wiki_url is taken for a path as soon as it is there.',
    about: ({ text }, kind) => kind === 'repositories' && text === 'wiki_url',
    nulls: true,
    breach: (value) =>
      value === null || value === '' ? 'must be absent where there is no wiki' : undefined,
  }),
]

function typeRule(): Rule {
  const members = memberRule({
    code: 'rule-type',
    source: 'All records of the host.',
    why: 'Importers do not convert.',
    about: ({ column }) => column.list === undefined,
    breach: (value, { column }) =>
      fits(value, column) ? undefined : `must be ${WORDS[column.storage]}, and is ${nameOf(value)}`,
  })
  return {
    ...members,
    test(subject) {
      const { type } = subject.kind
      const breaches = members.test(subject)
      return subject.record.type === type
        ? breaches
        : [{ member: 'type', message: `must be ${type}` }, ...breaches]
    },
  }
}

const WORDS = {
  text: 'a string',
  time: 'a date',
  flag: 'true or false',
  integer: 'an integer',
  json: 'an object or array',
} as const

function fits(value: JsonValue, { storage, members }: Column): boolean {
  switch (storage) {
    case 'text':
    case 'time':
      return typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean'
    case 'integer':
      return isRawNumber(value) ? /^-?\d+$/.test(value.rawJSON) : Number.isInteger(value)
    case 'json':
      return isObject(value) || (members === undefined && Array.isArray(value))
  }
}

/** Whether the month has that many days: 2023-02-30 would be read as another day. */
function isDay(date: string): boolean {
  const day = Number(date.slice(8, 10))
  return day <= 28 || new Date(`${date.slice(0, 10)}T00:00:00Z`).getUTCDate() === day
}
