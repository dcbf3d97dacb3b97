import { quoteName, quoteText } from '../database/quote.ts'
import { recordTables } from '../database/read-record.ts'
import type { Column } from '../records/kind.ts'
import { kindNamed } from '../records/kind-of-record.ts'
import { KINDS, type KindName } from '../records/kinds.ts'
import type { Check } from './check.ts'
import { PROBLEMS_WITH, recordsWhere, says, shown, words } from './select-records.ts'

const kindNames = Object.keys(KINDS) as KindName[]
const columnsOf = (kind: KindName) =>
  Object.entries(KINDS[kind].columns) as (readonly [string, Column])[]

const texts = (list: readonly string[]) => list.map(quoteText).join(', ')

// Members that no column could hold; a rest that is no JSON was put in by somebody.
const REST = ', json_each(CASE WHEN json_valid(o._rest) THEN o._rest END) AS e'

/** A list that the kind always has, as far as is known. */
const isNeededList = ([, column]: readonly [string, Column]) => column.list && !column.optional

/** Members and types that are not as the kind has them. */
export const memberChecks: readonly Check[] = [
  {
    code: 'list-expected',
    severity: 'error',
    summary: 'An importer goes through these lists and stops at anything else, null included',
    source: 'observed in real exports, where they are always lists, if need be empty ones',
    run(_, faults) {
      for (const kind of kindNames) {
        const lists = columnsOf(kind).filter(([, column]) => column.list)
        if (lists.length === 0) continue
        const names = texts(lists.map(([name]) => name))
        const message = says('e.key', words(' is '), 'e.type', words(', not a list'))
        faults.addAll(recordsWhere(kind, `e.key IN (${names})`, message, REST))
        // The emails of users have a check of their own.
        const needed = lists.filter(isNeededList).filter(([name]) => name !== 'emails')
        for (const [name] of needed) {
          const where = `o.${quoteName(name)} IS NULL
            AND (o._members IS NULL OR instr(o._members, '"${name}"') > 0)
            AND (o._rest IS NULL OR instr(o._rest, '"${name}"') = 0)`
          faults.addAll(recordsWhere(kind, where, words(`${name} is null; write []`)))
        }
      }
    },
  },
  {
    code: 'member-type',
    severity: 'error',
    summary: 'A member of another JSON type than ever seen is refused or lost',
    source: 'observed in real exports',
    run(_, faults) {
      for (const kind of kindNames) {
        const names = columnsOf(kind)
          .filter(([, column]) => !column.list)
          .map(([name]) => name)
        const message = says('e.key', words(' is '), 'e.type', words(', which it never was'))
        faults.addAll(recordsWhere(kind, `e.key IN (${texts(names)})`, message, REST))
      }
    },
  },
  {
    code: 'json-damaged',
    severity: 'error',
    summary: 'What was put into a column of lists or objects is no JSON, and cannot be written',
    source: 'RFC 8259; the columns of the database',
    run(_, faults) {
      for (const kind of kindNames) {
        for (const [name, { storage }] of columnsOf(kind)) {
          if (storage !== 'json') continue
          const own = `o.${quoteName(name)}`
          const message = says(words(`${name} is `), shown(own))
          faults.addAll(recordsWhere(kind, `${own} <> '[]' AND NOT json_valid(${own})`, message))
        }
      }
    },
  },
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
        faults.addAll(recordsWhere(kind, `e.key NOT IN (${known}) GROUP BY e.key`, first, REST))
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
