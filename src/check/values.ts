import {
  COLOR_MEMBERS,
  LINE_MEMBERS,
  LISTS_WITH_OFFSETS,
  SHA_MEMBERS,
} from '../records/requirements.ts'
import type { Check } from './check.ts'
import { checkMembers } from './known-members.ts'
import { COMMIT_ID } from './select-records.ts'

const DAY = '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'
const UTC = `${DAY}T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z`
const COLOR = '[0-9a-fA-F]'.repeat(6)
const EXPORTERS = 'exporters whose archives were imported'

/** How dates, commits, colors and lines are written, wherever they stand. */
export const valueChecks: readonly Check[] = [
  {
    code: 'date-form',
    severity: 'error',
    summary: 'Dates are in UTC, such as 2024-01-31T12:00:00Z; others are misread or refused',
    source: 'observed in real exports; exporters convert all of theirs',
    run: checkMembers(
      ({ column, within }) => column.storage === 'time' && !LISTS_WITH_OFFSETS.has(within),
      (date) => `${date} NOT GLOB '${UTC}'`,
    ),
  },
  {
    code: 'commit-id',
    severity: 'error',
    summary: 'An importer takes commits by all of their 40 hexadecimal digits only',
    source: EXPORTERS,
    run: checkMembers(
      ({ name }) => SHA_MEMBERS.has(name),
      (sha) => `${sha} NOT GLOB '${COMMIT_ID}'`,
    ),
  },
  {
    code: 'label-color',
    severity: 'error',
    summary: 'A color is six hexadecimal digits without #',
    source: EXPORTERS,
    run: checkMembers(
      ({ name }) => COLOR_MEMBERS.has(name),
      (color) => `${color} NOT GLOB '${COLOR}'`,
    ),
  },
  {
    code: 'description-controls',
    severity: 'error',
    summary: 'A description is one line: newlines and control characters are refused',
    source: EXPORTERS,
    run: checkMembers(
      ({ kind, path }) => LINE_MEMBERS[kind]?.includes(path) ?? false,
      // GLOB reads no further than a NUL, which therefore is looked for by itself.
      (text) => `(${text} GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*'
        OR instr(CAST(${text} AS BLOB), x'00') > 0)`,
    ),
  },
]
