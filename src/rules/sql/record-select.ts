import { quoteName, quoteText } from '../../database/quote.ts'
import type { Column } from '../../records/kinds/kind.ts'
import { KINDS, type KindName } from '../../records/kinds/kinds.ts'

/** Names of the tables of records, known or not. */
export type TableName = KindName | (string & {})

/** Selects records `o` of a table with a fault, or elements `e` of a list in them. */
export interface RecordSelect {
  table: TableName
  /** SQL for whether there is a fault. */
  where: string
  /** SQL for the message. */
  message: string
  /** Opens a list: `elementsOf('labels')`. */
  elements: string
  /** Whether it is counted by itself, not in one pass with others of the table: an index suffices, or it has groups. */
  apart?: boolean
}

export const recordsWhere = (
  table: TableName,
  where: string,
  message: string,
  elements = '',
): RecordSelect => ({ table, where, message, elements })

const kindNames = Object.keys(KINDS) as KindName[]

/** Runs a check on these records of each kind. Writes the SQL once, when it is first needed. */
export function inEachKind(selectsOf: (kind: KindName) => readonly RecordSelect[]) {
  let selects: readonly RecordSelect[] | undefined
  return (_: unknown, faults: { addAll(select: RecordSelect): void }): void => {
    selects ??= kindNames.flatMap(selectsOf)
    for (const select of selects) faults.addAll(select)
  }
}

export const columnsOf = (kind: KindName) =>
  Object.entries(KINDS[kind].columns) as (readonly [string, Column])[]

/** Opens the members that no column can hold. SQL may have stored invalid JSON. */
export const EXTRA = ', json_each(CASE WHEN json_valid(o._extra) THEN o._extra END) AS e'

/** The FROM clause of a SELECT of faults. */
export const fromClause = ({ table, elements }: Pick<RecordSelect, 'table' | 'elements'>): string =>
  `FROM ${quoteName(table)} AS o${elements}`

/** A SELECT of these faults. CAST, because SQL may have stored values of other types. */
export const selectStatement = (select: RecordSelect): string =>
  `SELECT ${quoteText(select.table)} AS kind, CAST(o."url" AS TEXT) AS url, CAST(o._entry AS TEXT) AS entry,
   CAST(o._record_number AS INTEGER) AS record, CAST(o._archive AS INTEGER) AS archive, ${select.message} AS message
   ${fromClause(select)} WHERE ${select.where}`

/** Several faults, each with its message, in one pass. Reports the first fault of each record. */
export function recordsWithAny(
  table: TableName,
  faults: readonly (readonly [where: string, message: string])[],
): RecordSelect {
  const cases = faults.map(([where, message]) => `WHEN ${where} THEN ${message}`)
  const any = faults.map(([where]) => `(${where})`)
  return recordsWhere(table, any.join(' OR ') || 'false', `CASE ${cases.join(' ')} END`)
}

/** The elements `e` of a list of `o`; none if the column is not JSON. */
export function elementsOf(list: string): string {
  const column = `o.${quoteName(list)}`
  return `, json_each(CASE WHEN ${column} <> '[]' AND json_valid(${column}) THEN ${column} END) AS e`
}

/** A member of an element `e` that should be an object. */
export const elementMember = (member: string): string =>
  `CASE e.type WHEN 'object' THEN e.value ->> ${quoteText(member)} END`

/** SQL for a value in a message: quoted and shortened. */
export const shown = (value: string): string =>
  `CASE WHEN ${value} IS NULL THEN 'null' ELSE '"' || substr(${value}, 1, 120) || '"' END`

/** SQL that joins the parts of a message. */
export const says = (...parts: readonly string[]): string => parts.join(' || ')

/** A full commit ID, as a GLOB pattern. */
export const COMMIT_ID = '[0-9a-f]'.repeat(40)

/** A text as part of `says`. */
export const words = quoteText

/** SQL for whether a record lacks a member. NULL means absent or null; `_member_order` says which. */
export function isAbsent(member: string, optional: boolean): string {
  const named = `instr(o._member_order, ${quoteText(JSON.stringify(member))}) > 0`
  const absent = optional
    ? `(o._member_order IS NULL OR NOT ${named})`
    : `(o._member_order IS NOT NULL AND NOT ${named})`
  return member === 'type' ? absent : `(o.${quoteName(member)} IS NULL AND ${absent})`
}

/** Faults among the problems that loading reported with this code. */
export const PROBLEMS_WITH = `SELECT NULL AS kind, NULL AS url, entry, record, archive, message
  FROM problems WHERE code = ?`
