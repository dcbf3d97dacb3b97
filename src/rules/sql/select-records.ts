import { quoteName, quoteText } from '../../database/quote.ts'
import type { KindName } from '../../records/kinds/kinds.ts'

/** Names of the tables of records, known or not. */
export type TableName = KindName | (string & {})

/** Which records `o` of a table, or elements `e` of a list in them, have a fault. */
export interface RecordSelect {
  table: TableName
  /** SQL that says whether it is there. */
  where: string
  /** SQL for what is wrong. */
  message: string
  /** Opens a list: `elementsOf('labels')`. */
  elements: string
}

export const recordsWhere = (
  table: TableName,
  where: string,
  message: string,
  elements = '',
): RecordSelect => ({ table, where, message, elements })

/** What a SELECT of faults selects from. */
export const fromClause = ({ table, elements }: Pick<RecordSelect, 'table' | 'elements'>): string =>
  `FROM ${quoteName(table)} AS o${elements}`

/** A SELECT of these faults. What SQL put into a column of another type is no reason not to name the record. */
export const selectRecords = (select: RecordSelect): string =>
  `SELECT ${quoteText(select.table)} AS kind, CAST(o."url" AS TEXT) AS url, CAST(o._entry AS TEXT) AS entry,
   CAST(o._record_number AS INTEGER) AS record, ${select.message} AS message ${fromClause(select)} WHERE ${select.where}`

/** The same of several faults, each with its message, in one pass; of a record that has more, the first. */
export function recordsWithAny(
  table: TableName,
  faults: readonly (readonly [where: string, message: string])[],
): RecordSelect {
  const cases = faults.map(([where, message]) => `WHEN ${where} THEN ${message}`)
  const any = faults.map(([where]) => `(${where})`)
  return recordsWhere(table, any.join(' OR ') || 'false', `CASE ${cases.join(' ')} END`)
}

/** The elements `e` of a list of `o`; none where somebody put in what is no JSON. */
export function elementsOf(list: string): string {
  const column = `o.${quoteName(list)}`
  return `, json_each(CASE WHEN ${column} <> '[]' AND json_valid(${column}) THEN ${column} END) AS e`
}

/** A member of the object in a column; of an element `e` where the column is `e.value`. */
export function memberOf(column: string, member: string): string {
  return `CASE WHEN json_valid(${column}) THEN ${column} ->> ${quoteText(member)} END`
}

/** A member of an element `e` that should be an object. */
export const elementMember = (member: string): string =>
  `CASE e.type WHEN 'object' THEN e.value ->> ${quoteText(member)} END`

/** A value in a message: quoted, and not too long to read. */
export const shown = (value: string): string =>
  `CASE WHEN ${value} IS NULL THEN 'null' ELSE '"' || substr(${value}, 1, 120) || '"' END`

/** SQL that puts parts of a message together: SQL expressions and texts in turn. */
export const says = (...parts: readonly string[]): string => parts.join(' || ')

/** What a commit is named by, for GLOB: all of its hexadecimal digits. */
export const COMMIT_ID = '[0-9a-f]'.repeat(40)

/** A text as part of `says`. */
export const words = quoteText

/** Whether a record lacks a member: NULL in its column is absent or null, which `_member_order` tells. */
export function isAbsent(member: string, optional: boolean): string {
  const named = `instr(o._member_order, ${quoteText(JSON.stringify(member))}) > 0`
  const absent = optional
    ? `(o._member_order IS NULL OR NOT ${named})`
    : `(o._member_order IS NOT NULL AND NOT ${named})`
  return member === 'type' ? absent : `(o.${quoteName(member)} IS NULL AND ${absent})`
}

/** Faults among the problems that loading reported with this code. */
export const PROBLEMS_WITH = `SELECT NULL AS kind, NULL AS url, entry, record, message
  FROM problems WHERE code = ?`
