import { quoteName, quoteText } from '../database/quote.ts'
import { recordTables } from '../database/read-record.ts'
import { kindNamed } from '../records/kind-of-record.ts'
import { KINDS } from '../records/kinds.ts'
import type { Check } from './check.ts'
import { columnsOf, kindNames, REST } from './kind-columns.ts'
import { PROBLEMS_WITH, recordsWhere, selectRecords } from './select-records.ts'

const texts = (list: readonly string[]) => list.map(quoteText).join(', ')

/** Members and kinds that nobody knows, and records that are none. */
export const memberChecks: readonly Check[] = [
  {
    code: 'member-unknown',
    severity: 'note',
    summary: 'Members that no export was seen to have are most likely passed over',
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
    code: 'record-type',
    severity: 'error',
    summary: 'A record whose type does not fit its file is taken for what it is not',
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kindNames) {
        const other = `json_valid(o._rest) AND json_type(o._rest, '$.type') IS NOT NULL`
        faults.addAll(
          recordsWhere(
            kind,
            `o._rest IS NOT NULL AND ${other}`,
            `'type is ' || substr(o._rest -> '$.type', 1, 100) || ', not "${KINDS[kind].type}"'`,
          ),
        )
        faults.addAll(
          recordsWhere(
            kind,
            `o._entry IN (SELECT path FROM shards WHERE kind <> '${kind}')`,
            `'a record of type ${KINDS[kind].type} in a file of another kind'`,
          ),
        )
      }
    },
  },
  {
    code: 'record-not-object',
    severity: 'error',
    summary: 'A file of records holds objects; an importer stops at anything else',
    source: 'observed in real exports',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'record-not-object'),
  },
  {
    code: 'record-without-url',
    severity: 'error',
    summary: 'The url is the identity of a record: without one nothing can refer to it',
    source: 'observed in real exports, where every record has one',
    run(database, faults) {
      for (const table of recordTables(database)) {
        faults.addAll(recordsWhere(table, 'o."url" IS NULL', "'there is no url'"))
      }
    },
  },
  {
    code: 'record-duplicate',
    severity: 'error',
    summary: 'Of several records with one url an importer keeps one',
    source: 'observed in real exports, where no url stands twice',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'record-duplicate'),
  },
]
