import type { MemberPath } from '../records/kinds/member-paths.ts'
import { memberRule } from './member-rule.ts'
import { COLOR_MEMBERS, LINE_MEMBERS, LISTS_WITH_OFFSETS, SHA_MEMBERS } from './requirements.ts'
import { type Rule, shownValue } from './rule.ts'
import { COMMIT_ID } from './sql/select-records.ts'

export const isCommitId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

const color = /^[0-9a-fA-F]{6}$/
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that must not be there
const control = /[\u0000-\u001f\u007f]/

const SECOND = '????-??-??T??:??:??'
const DIGIT = '[0-9]'
const FRACTIONS = ['', `.${DIGIT}`, `.${DIGIT.repeat(2)}`, `.${DIGIT.repeat(3)}`]
const ZONES = ['Z', `[+-]${DIGIT.repeat(2)}:${DIGIT.repeat(2)}`]

const hasOffset = ({ steps }: MemberPath) => LISTS_WITH_OFFSETS.has(steps[0] ?? '')

/** Whether there is such a second: of 2023-02-30 another day is made, and so of an hour 24. */
function isSecond(date: string): boolean {
  const second = date.slice(0, 19)
  const time = Date.parse(`${second}Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(second)
}

// The host writes the last of these, which is therefore compared first.
const FORMS = FRACTIONS.flatMap((fraction) => ZONES.map((zone) => fraction + zone)).toReversed()

/** SQL for a text that is no date: date() returns another day for one that does not exist, and NULL for no date. */
function isNoDate(text: string, hasOffset: boolean): string {
  const second = hasOffset ? `substr(${text}, 1, 19)` : text
  const form = hasOffset ? SECOND : `${SECOND}Z`
  const isNoSecond = `date(${second}) IS NOT substr(${text}, 1, 10) OR ${second} NOT GLOB '${form}'`
  return hasOffset
    ? `${isNoSecond} OR instr(CAST(${text} AS BLOB), x'00') > 0
       OR ${FORMS.map((each) => `substr(${text}, 20) NOT GLOB '${each}'`).join(' AND ')}`
    : `${isNoSecond} OR octet_length(${text}) <> ${form.length}`
}

/** GLOB stops at a NUL, so the number of bytes is compared as well. */
const isNoGlob = (text: string, glob: string, bytes: number) =>
  `${text} NOT GLOB '${glob}' OR octet_length(${text}) <> ${bytes}`

const EXPORTERS = 'exporters whose archives were imported'

/** The form of dates, commits, colors and lines of text, wherever they are. */
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
        : `must be a date such as 2024-01-31T23:59:59Z, and is ${shownValue(value)}`,
    wrong: (date, path) =>
      path.steps.length === 1
        ? isNoDate(date, hasOffset(path))
        : // JSON is asked for it once: without LIMIT SQLite would ask wherever it is named.
          `(SELECT ${isNoDate('v', hasOffset(path))} FROM (SELECT ${date} AS v LIMIT 1))`,
  }),
  memberRule({
    code: 'commit-id',
    severity: 'error',
    summary: 'An importer takes commits by all of their 40 hexadecimal digits only',
    evidence: 'documented',
    source: EXPORTERS,
    about: ({ name }) => SHA_MEMBERS.has(name),
    breach: (value) =>
      isCommitId(value)
        ? undefined
        : `must be forty hexadecimal digits, and is ${shownValue(value)}`,
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
      color.test(value) ? undefined : `must be six hexadecimal digits, and is ${shownValue(value)}`,
    wrong: (text) => isNoGlob(text, '[0-9a-fA-F]'.repeat(6), 6),
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
        ? `must be one line without control characters, and is ${shownValue(value)}`
        : undefined,
    // GLOB reads no further than a NUL, which therefore is looked for by itself.
    wrong: (text) => `${text} GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*'
      OR instr(CAST(${text} AS BLOB), x'00') > 0`,
  }),
]
