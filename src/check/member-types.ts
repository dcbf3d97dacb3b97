import { quoteName, quoteText } from '../database/quote.ts'
import type { Column } from '../records/kind.ts'
import type { Check } from './check.ts'
import { columnsOf, kindNames, REST } from './kind-columns.ts'
import { isOtherJson, oddColumn, otherJson } from './odd-columns.ts'
import { recordsWhere, recordsWithAny, says, shown, words } from './select-records.ts'

const texts = (list: readonly string[]) => list.map(quoteText).join(', ')

/** What is kept beside the members, and the type of its JSON. */
const OWN = [
  ['_rest', 'object'],
  ['_members', 'array'],
] as const

/** A list that the kind always has, as far as is known. */
const isNeededList = ([, column]: readonly [string, Column]) => column.list && !column.optional

/** Members of other types than their kind has them. */
export const memberTypeChecks: readonly Check[] = [
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
        // SQL may have put in other JSON.
        const odd = lists.map(([name]) => [isOtherJson(name, ['array']), otherJson(name)] as const)
        faults.addAll(recordsWithAny(kind, odd))
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
        const odd = columnsOf(kind).flatMap(([name, column]) => oddColumn(name, column))
        faults.addAll(recordsWithAny(kind, odd))
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
