import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { readPages } from '../../database/read-pages.ts'
import { orderOf } from '../../database/record-files/place-records.ts'
import { createRecordEditor } from '../../database/rows/edit-record.ts'
import type { SqlValue } from '../../database/schema/row-layout.ts'
import { isObject, type JsonObject, type JsonValue } from '../../records/json/json.ts'
import { parseLossless } from '../../records/json/parse-lossless.ts'
import type { Column, Members } from '../../records/kinds/kind.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'

/** Members of list elements that say whose element it is: without the person there is none. */
const WHOSE = ['user', 'reviewer'] as const
const PAGE = 500

/** The new value of a member that refers to people; the same value if it stays. */
export type ReferenceEdit = (value: JsonValue, column: Column) => JsonValue

/**
 * Edits all members that refer to people: URLs, lists of them, lists of objects and objects. Returns by kind and member how
 * many references were taken out, such as `issues.assignees`.
 */
export function editPersonReferences(
  database: Database,
  edit: ReferenceEdit,
): Record<string, number> {
  const removed: Record<string, number> = {}
  for (const table of orderOf(database).tables) {
    const members = Object.entries(kindNamed(table)?.columns ?? {}).filter(([, column]) =>
      mayNamePeople(column),
    )
    if (members.length === 0) continue
    const editRecord = createRecordEditor(database, table)
    const pages = readPages<Record<string, SqlValue>>(database, {
      columns: members.map(([name]) => quoteName(name)).join(', '),
      from: quoteName(table),
      size: PAGE,
    })
    for (const rows of pages) {
      for (const row of rows) {
        const changed: JsonObject = {}
        for (const [name, column] of members) {
          const value = readValue(row[name] as SqlValue, column)
          const now = edit(value, column)
          if (now === value) continue
          changed[name] = now
          const key = `${table}.${name}`
          // An object without its person is one reference less.
          removed[key] = (removed[key] ?? 0) + Math.max(1, lengthOf(value) - lengthOf(now))
        }
        if (Object.keys(changed).length === 0) continue
        editRecord(row.position as bigint, (record) => ({ ...record, ...changed }))
      }
    }
  }
  return removed
}

const namesPeople = ({ refersTo }: Column): boolean => refersTo?.includes('users') === true

const isColumn = (element: Column | Members): element is Column =>
  typeof (element as Column).storage === 'string'

function mayNamePeople(column: Column): boolean {
  const inMembers = (members: Members = {}) => Object.values(members).some(namesPeople)
  if (namesPeople(column) || inMembers(column.members)) return true
  const element = column.list?.element
  return element !== undefined && (isColumn(element) ? namesPeople(element) : inMembers(element))
}

function readValue(stored: SqlValue, { storage }: Column): JsonValue {
  if (typeof stored !== 'string') return null
  if (storage !== 'json') return stored
  try {
    return parseLossless(stored, { maxDepth: Number.POSITIVE_INFINITY })
  } catch {
    // SQL may have stored anything.
    return null
  }
}

/** How many elements there are in a value; all but lists are one. */
const lengthOf = (value: JsonValue): number =>
  Array.isArray(value) ? value.length : value === null ? 0 : 1

/** An edit that makes references to some people null, and takes what is theirs out of lists. */
export function withoutPeople(isGone: (url: string) => boolean): ReferenceEdit {
  const goes = (value: JsonValue | undefined, column: Column | undefined): boolean =>
    typeof value === 'string' && column !== undefined && namesPeople(column) && isGone(value)
  const inMembers = (value: JsonObject, members: Members): JsonObject => {
    const cut = Object.keys(value).filter((name) => goes(value[name], members[name]))
    return cut.length === 0 ? value : { ...value, ...Object.fromEntries(cut.map((n) => [n, null])) }
  }
  return (value, column) => {
    if (goes(value, column)) return null
    const element = column.list?.element
    if (Array.isArray(value) && element) {
      const kept = value.flatMap((each): JsonValue[] => {
        if (isColumn(element)) return goes(each, element) ? [] : [each]
        if (!isObject(each)) return [each]
        if (WHOSE.some((name) => goes(each[name], element[name]))) return []
        return [inMembers(each, element)]
      })
      return kept.length === value.length && kept.every((each, i) => each === value[i])
        ? value
        : kept
    }
    return isObject(value) && column.members ? inMembers(value, column.members) : value
  }
}

/**
 * An edit that leaves one element of each person in a list, the first, and one for each content of reactions. Only elements of
 * people with a `key` count: it is the same for people who become one, and undefined for others.
 */
export function withoutDoubles(key: (url: string) => string | undefined): ReferenceEdit {
  const keyOf = (each: JsonValue, element: Column | Members): string | undefined => {
    if (isColumn(element)) return typeof each === 'string' ? key(each) : undefined
    const whose = WHOSE.find((name) => element[name] && namesPeople(element[name]))
    const url = whose && isObject(each) ? each[whose] : undefined
    const person = typeof url === 'string' ? key(url) : undefined
    return person === undefined || !isObject(each)
      ? undefined
      : JSON.stringify([person, each.content ?? null])
  }
  return (value, { list }) => {
    if (!Array.isArray(value) || !list) return value
    const seen = new Map<string, JsonValue>()
    const kept = value.filter((each) => {
      const own = keyOf(each, list.element)
      if (own === undefined || !seen.has(own)) {
        if (own !== undefined) seen.set(own, each)
        return true
      }
      return false
    })
    return kept.length === value.length ? value : kept
  }
}
