import type { MemberPath } from '../records/kinds/member-paths.ts'
import { memberRule } from './member-rule.ts'
import { COLOR_MEMBERS, LINE_MEMBERS, LISTS_WITH_OFFSETS, SHA_MEMBERS } from './requirements.ts'
import { type Rule, shownValue } from './rule.ts'
import { COMMIT_ID } from './sql/record-select.ts'

export const isCommitId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

const color = /^[0-9a-fA-F]{6}$/
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: texts must not have them
const control = /[\u0000-\u001f\u007f]/

const SECOND = '????-??-??T??:??:??'
const DIGIT = '[0-9]'
const FRACTIONS = ['', `.${DIGIT}`, `.${DIGIT.repeat(2)}`, `.${DIGIT.repeat(3)}`]
const ZONES = ['Z', `[+-]${DIGIT.repeat(2)}:${DIGIT.repeat(2)}`]

const hasOffset = ({ steps }: MemberPath) => LISTS_WITH_OFFSETS.has(steps[0] ?? '')

/** Whether the second exists: Date.parse turns 2023-02-30, or hour 24, into another day. */
function isSecond(date: string): boolean {
  const at = (start: number, end = start + 2) => Number(date.slice(start, end))
  const [year, month] = [at(0, 4), at(5)]
  if (month < 1 || month > 12 || at(11) > 23 || at(14) > 59 || at(17) > 59) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] as number)
  return at(8) >= 1 && at(8) <= days
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// GitHub writes the last of these, so it is compared first.
const FORMS = FRACTIONS.flatMap((fraction) => ZONES.map((zone) => fraction + zone)).toReversed()

/** SQL for whether a text is not a date: date() returns another day for one that does not exist, and NULL for other texts. */
function isNoDate(text: string, hasOffset: boolean): string {
  const second = hasOffset ? `substr(${text}, 1, 19)` : text
  const form = hasOffset ? SECOND : `${SECOND}Z`
  const isNoSecond = `date(${second}) IS NOT substr(${text}, 1, 10) OR ${second} NOT GLOB '${form}'`
  return hasOffset
    ? `${isNoSecond} OR instr(CAST(${text} AS BLOB), x'00') > 0
       OR ${FORMS.map((each) => `substr(${text}, 20) NOT GLOB '${each}'`).join(' AND ')}`
    : `${isNoSecond} OR octet_length(${text}) <> ${form.length}`
}

/** GLOB stops at NUL, so this compares the number of bytes as well. */
const isNoGlob = (text: string, glob: string, bytes: number) =>
  `${text} NOT GLOB '${glob}' OR octet_length(${text}) <> ${bytes}`

const FIRST_YEAR = '1970'
const NO_YEAR = '2100'

const EXPORTERS = 'exporters whose archives were imported'

/** Members without which a host makes no record, by path or by kind and path. */
const NAMES = new Set([
  'title',
  'login',
  'teams name',
  'discussion_categories name',
  'attachments asset_name',
  'repository_files file_name',
  'repositories collaborators[].permission',
])

/** The form of dates, commits, colors and lines of text, at any depth. */
export const valueRules: readonly Rule[] = [
  memberRule({
    code: 'date-form',
    severity: 'error',
    summary: 'Dates are in UTC, such as 2024-01-31T12:00:00Z; others are misread or refused',
    evidence: 'documented',
    source: `${EXPORTERS}, which convert all dates`,
    about: ({ column }) => column.storage === 'time',
    breach: (value, path) =>
      (hasOffset(path) ? withOffset : utc).test(value) && isSecond(value)
        ? undefined
        : `must be a date such as 2024-01-31T23:59:59Z, but is ${shownValue(value)}`,
    wrong: (date, path) =>
      path.steps.length === 1
        ? isNoDate(date, hasOffset(path))
        : // LIMIT makes SQLite extract the value once rather than at each use.
          `(SELECT ${isNoDate('v', hasOffset(path))} FROM (SELECT ${date} AS v LIMIT 1))`,
  }),
  memberRule({
    code: 'date-range',
    severity: 'warning',
    summary: 'A year before 1970 or after 2099 is a mistake, or the place of a missing date',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    // People set this one to any day.
    about: ({ column, name }) => column.storage === 'time' && name !== 'due_on',
    breach: (value) =>
      /^\d{4}-/.test(value) && (value < FIRST_YEAR || value >= NO_YEAR)
        ? `must be in the years 1970 to 2099, but is ${shownValue(value)}`
        : undefined,
    wrong: (date) =>
      `(${date} < '${FIRST_YEAR}' OR ${date} >= '${NO_YEAR}') AND ${date} GLOB '[0-9][0-9][0-9][0-9]-*'`,
  }),
  memberRule({
    code: 'commit-id',
    severity: 'error',
    summary: 'An importer accepts only full commit IDs of 40 hexadecimal digits',
    evidence: 'documented',
    source: EXPORTERS,
    about: ({ name }) => SHA_MEMBERS.has(name),
    breach: (value) =>
      isCommitId(value)
        ? undefined
        : `must be forty hexadecimal digits, but is ${shownValue(value)}`,
    wrong: (sha) => isNoGlob(sha, COMMIT_ID, 40),
  }),
  memberRule({
    code: 'label-color',
    severity: 'error',
    summary: 'A color is six hexadecimal digits without #',
    evidence: 'documented',
    source: EXPORTERS,
    about: ({ name }) => COLOR_MEMBERS.has(name),
    breach: (value) =>
      color.test(value) ? undefined : `must be six hexadecimal digits, but is ${shownValue(value)}`,
    wrong: (text) => isNoGlob(text, '[0-9a-fA-F]'.repeat(6), 6),
  }),
  memberRule({
    code: 'value-empty',
    severity: 'warning',
    summary: 'A host makes no issue without a title, and no account without a login',
    evidence: 'documented',
    source: 'host documentation: these members are required to make a record',
    about: ({ text }, kind) => NAMES.has(text) || NAMES.has(`${kind} ${text}`),
    breach: (value) => (value === '' ? 'is empty' : undefined),
    wrong: (text) => `${text} = ''`,
  }),
  memberRule({
    code: 'description-controls',
    severity: 'error',
    summary: 'A description is one line: newlines and control characters are refused',
    evidence: 'documented',
    source: EXPORTERS,
    about: ({ text }, kind) => LINE_MEMBERS[kind]?.includes(text) ?? false,
    breach: (value) =>
      control.test(value)
        ? `must be one line without control characters, but is ${shownValue(value)}`
        : undefined,
    // GLOB stops at NUL, so NUL needs its own condition.
    wrong: (text) => `${text} GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*'
      OR instr(CAST(${text} AS BLOB), x'00') > 0`,
  }),
]
