import type { JsonValue } from '../records/json/json.ts'
import { isColumn, type MemberPath } from '../records/kinds/member-paths.ts'
import { testMembers } from './member-rule.ts'
import type { Rule } from './rule.ts'
import { KNOWN_MEMBERS } from './sql/known-members.ts'
import { recordsWhere, words } from './sql/record-select.ts'

const isList = ({ column }: MemberPath) => column.list !== undefined

/** Whether a list has values, rather than objects. The rule `list-expected` reports null in a list of objects. */
const hasValues = ({ column: { list } }: MemberPath) => list !== undefined && isColumn(list.element)

const MESSAGE = 'has null, or the same element twice'

/** The elements of lists. */
export const listRules: readonly Rule[] = [
  {
    code: 'list-element',
    severity: 'warning',
    summary: 'A list has null in it, or the same element twice; an importer may stop there',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const { kind, path, list, elements } of KNOWN_MEMBERS) {
        if (!isList(path)) continue
        const count = hasValues(path) ? 'count(*)' : 'count(value)'
        // NULL is not counted as distinct.
        const where = `json_type(${list}) = 'array' AND (
          SELECT ${count} <> count(DISTINCT type || ' ' || value) FROM json_each(${list}))`
        faults.addAll(recordsWhere(kind, where, words(`${path.text} ${MESSAGE}`), elements))
      }
    },
    test: testMembers(isList, (value, path) => {
      if (!Array.isArray(value)) return undefined
      const known = new Set<string>()
      const isWrong = (element: JsonValue) => {
        if (element === null) return hasValues(path)
        const text = JSON.stringify(element)
        return known.has(text) || !known.add(text)
      }
      return value.some(isWrong) ? MESSAGE : undefined
    }),
  },
]
