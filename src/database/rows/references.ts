import type { Column, Kind } from '../../records/kinds/kind.ts'
import { tablesWith } from '../../records/kinds/references.ts'
import { quoteName, quoteText } from '../quote.ts'

/** A member of a kind that holds URLs of other records. */
export interface Reference {
  /** The member of the record: the reference itself, or the list or object around it. */
  member: string
  /** The tables that may have the record. */
  tables: readonly string[]
  /** SQL for the URLs in rows of `o`: an addition to FROM, and the expression. */
  from: string
  url: string
}

/** All references of a kind, including those in lists and objects. */
export function referencesOf(kind: Kind): Reference[] {
  return Object.entries(kind.columns).flatMap(([member, column]) => inColumn(member, column))
}

function inColumn(member: string, { refersTo, list, members }: Column): Reference[] {
  const stored = `o.${quoteName(member)}`
  if (refersTo) return [{ member, tables: tablesWith(refersTo), from: '', url: stored }]
  // SQL may have stored anything in a column.
  const json = `CASE WHEN json_valid(${stored}) THEN ${stored} END`
  if (members) {
    return inMembers(member, members, '', (name) => `(${json}) ->> ${quoteText(name)}`)
  }
  if (!list) return []
  const from = `, json_each(${json}) AS e`
  const { element } = list
  if (typeof (element as Column).storage !== 'string') {
    const memberOf = (name: string) =>
      `CASE e.type WHEN 'object' THEN e.value ->> ${quoteText(name)} END`
    return inMembers(member, element as Record<string, Column>, from, memberOf)
  }
  const { refersTo: tables } = element as Column
  return tables ? [{ member, tables: tablesWith(tables), from, url: 'e.value' }] : []
}

function inMembers(
  member: string,
  members: Readonly<Record<string, Column>>,
  from: string,
  urlOf: (name: string) => string,
): Reference[] {
  return Object.entries(members).flatMap(([name, { refersTo }]) =>
    refersTo ? [{ member, tables: tablesWith(refersTo), from, url: urlOf(name) }] : [],
  )
}
