import { quoteName, quoteText } from '../../database/quote.ts'
import { recordTables } from '../../database/rows/read-record.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { KINDS, type KindName } from '../../records/kinds/kinds.ts'
import type { Check } from '../../rules/rule.ts'
import {
  columnsOf,
  EXTRA,
  inEachKind,
  PROBLEMS_WITH,
  recordsWhere,
  recordsWithAny,
  says,
  shown,
  words,
} from '../../rules/sql/record-select.ts'

/** Unknown members and kinds, values that are not records, and invalid JSON in columns. */
export const memberChecks: readonly Check[] = [
  {
    code: 'member-unknown',
    severity: 'note',
    summary: 'Importers probably ignore members that no known export has',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of Object.keys(KINDS) as KindName[]) {
        const known = ['type', ...columnsOf(kind).map(([name]) => name)].map(quoteText).join(', ')
        const message = `'unknown: ' || substr(e.key, 1, 100) || iif(count(*) = 1, '', ' in ' || count(*) || ' records, first in this')`
        // With min(), SQLite takes the other columns from the row with the minimum: the first place.
        const first = `${message} || substr('', 1, min(o.rowid) * 0)`
        const where = `e.key NOT IN (${known}) GROUP BY e.key`
        faults.addAll({ ...recordsWhere(kind, where, first, EXTRA), apart: true })
      }
    },
  },
  {
    code: 'kind-unknown',
    severity: 'warning',
    summary: 'An importer ignores kinds of records that it does not know',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(database, faults) {
      for (const table of recordTables(database).filter((name) => !kindNamed(name))) {
        const count = database
          .prepare(`SELECT count(*) FROM ${quoteName(table)}`)
          .pluck()
          .get()
        const entry = database.prepare(`SELECT _entry FROM ${quoteName(table)} LIMIT 1`).pluck()
        if (count === 0) continue
        const message = `${count} ${count === 1 ? 'record' : 'records'} of the unknown kind ${table}`
        faults.add({ kind: table, entry: (entry.get() as string | null) ?? null, message })
      }
    },
  },
  {
    code: 'record-not-object',
    severity: 'error',
    summary: 'A record file holds objects; an importer stops at anything else',
    evidence: 'documented',
    source: 'readers, which refuse anything else',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'record-not-object'),
  },
  {
    code: 'json-damaged',
    severity: 'error',
    summary: 'A column of lists or objects holds invalid JSON, which cannot be written',
    evidence: 'documented',
    source: 'RFC 8259; the columns of the database',
    run: inEachKind((kind) => {
      const columns = columnsOf(kind).filter(([, { storage }]) => storage === 'json')
      const faulty = (name: string, where: string) =>
        [where, says(words(`${name} is `), shown(`o.${quoteName(name)}`))] as const
      return [
        recordsWithAny(kind, [
          ...columns.map(([name]) => {
            const own = `o.${quoteName(name)}`
            return faulty(name, `${own} <> '[]' AND NOT json_valid(${own})`)
          }),
          ...OWN.map(([name, type]) => {
            const found = `iif(json_valid(o.${name}), json_type(o.${name}), '')`
            return faulty(name, `o.${name} IS NOT NULL AND ${found} <> '${type}'`)
          }),
        ]),
      ]
    }),
  },
]

/** Columns beside the members, and their JSON types. */
const OWN = [
  ['_extra', 'object'],
  ['_member_order', 'array'],
] as const
