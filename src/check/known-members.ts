import { quoteName } from '../database/quote.ts'
import type { Column, Kind } from '../records/kind.ts'
import { KINDS, type KindName } from '../records/kinds.ts'
import { type MemberPath, memberPaths } from '../records/member-paths.ts'
import type { Check } from './check.ts'
import {
  elementMember,
  elementsOf,
  memberOf,
  recordsWhere,
  says,
  shown,
  words,
} from './select-records.ts'

/** A member of a kind, and how SQL reads it from the records `o` with `elements`. */
export interface KnownMember {
  kind: KindName
  /** `url`, `head.repo`, `labels[]`, `reactions[].user` */
  path: string
  /** Its own name; that of the list for an element. */
  name: string
  /** The column of the table that it is in. */
  within: string
  column: Column
  value: string
  elements: string
}

/** Every member of records, of objects in them, and of the lists in them. */
export const KNOWN_MEMBERS: readonly KnownMember[] = Object.entries(KINDS).flatMap(
  ([kind, definition]) =>
    memberPaths(definition as Kind).flatMap((path) => {
      const read = readMember(path.steps)
      const { text, name, column, steps } = path
      const within = steps[0] as string
      return read ? [{ kind: kind as KindName, path: text, name, within, column, ...read }] : []
    }),
)

/** What lies deeper than that, no rule is about. */
function readMember([first, second, third, ...more]: MemberPath['steps']) {
  if (typeof first !== 'string' || more.length > 0) return undefined
  const own = `o.${quoteName(first)}`
  if (second === undefined) return { value: own, elements: '' }
  if (second !== null) {
    return third === undefined ? { value: memberOf(own, second), elements: '' } : undefined
  }
  if (third === null) return undefined
  const value = third === undefined ? 'e.value' : elementMember(third)
  return { value, elements: elementsOf(first) }
}

/** A check of all such members: `wrong` says in SQL which values are. */
export function checkMembers(
  which: (member: KnownMember) => boolean,
  wrong: (value: string) => string,
): Check['run'] {
  const selects = KNOWN_MEMBERS.filter(which).map(({ kind, path, value, elements }) => {
    const message = says(words(`${path} is `), shown(value))
    return recordsWhere(kind, `${value} IS NOT NULL AND ${wrong(value)}`, message, elements)
  })
  return (_, faults) => {
    for (const select of selects) faults.addAll(select)
  }
}
