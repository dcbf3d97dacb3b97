import { quoteName, quoteText } from '../database/quote.ts'
import { recordTables } from '../database/rows/read-record.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import type { Check } from '../rules/rule.ts'
import { columnsOf, kindNames, REST } from '../rules/sql/kind-columns.ts'
import {
  PROBLEMS_WITH,
  recordsWhere,
  recordsWithAny,
  says,
  selectRecords,
  shown,
  words,
} from '../rules/sql/select-records.ts'

const texts = (list: readonly string[]) => list.map(quoteText).join(', ')

/** Members and kinds that nobody knows, and records that are none. */
export const memberChecks: readonly Check[] = [
  {
    code: 'member-unknown',
    severity: 'note',
    summary: 'Members that no export was seen to have are most likely passed over',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kindNames) {
        const known = texts(['type', ...columnsOf(kind).map(([name]) => name)])
        const message = `'unknown: ' || substr(e.key, 1, 100) || iif(count(*) = 1, '', ' in ' || count(*) || ' records, first in this')`
        // A row of min() is the row that has the minimum, so that the place is the first.
        const first = `${message} || substr('', 1, min(o.rowid) * 0)`
        const where = `e.key NOT IN (${known}) GROUP BY e.key`
        faults.addAll(selectRecords(recordsWhere(kind, where, first, REST)))
      }
    },
  },
  {
    code: 'kind-unknown',
    severity: 'warning',
    summary: 'An importer passes over kinds of records that it does not know',
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
    summary: 'A file of records holds objects; an importer stops at anything else',
    evidence: 'documented',
    source: 'readers, which refuse anything else',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'record-not-object'),
  },
  {
    code: 'json-damaged',
    severity: 'error',
    summary: 'What was put into a column of lists or objects is no JSON, and cannot be written',
    evidence: 'documented',
    source: 'RFC 8259; the columns of the database',
    run(_, faults) {
      for (const kind of kindNames) {
        const stored = columnsOf(kind).flatMap(([name, { storage }]) =>
          storage === 'json' ? [[`o.${quoteName(name)}`, name] as const] : [],
        )
        const noJson = stored.map(
          ([own, name]) =>
            [
              `${own} <> '[]' AND NOT json_valid(${own})`,
              says(words(`${name} is `), shown(own)),
            ] as const,
        )
        faults.addAll(
          recordsWithAny(kind, [
            ...noJson,
            ...OWN.map(
              ([name, type]) =>
                [
                  `o.${name} IS NOT NULL AND iif(json_valid(o.${name}), json_type(o.${name}), '') <> '${type}'`,
                  says(words(`${name} is `), shown(`o.${name}`)),
                ] as const,
            ),
          ]),
        )
      }
    },
  },
]

/** What is kept beside the members, and the type of its JSON. */
const OWN = [
  ['_extra', 'object'],
  ['_member_order', 'array'],
] as const
