import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { recordColumns } from '../database/rows/read-record.ts'
import type { Row, SqlValue } from '../database/rows/row-layout.ts'
import { completeIndexes } from '../database/schema/schema.ts'
import { isObject, isRawNumber, type JsonValue } from '../records/json/json.ts'
import { parseLossless } from '../records/json/parse-lossless.ts'

/** Where a string stands. */
export interface StringPlace {
  table: string
  rowid: bigint
  /** The member with all on the way to it: `emails[].address`. */
  path: string
  /** Its own name: `address`; that of the list for an element. */
  name: string
  /** Whether it is in a member that no column holds. */
  extra: boolean
}

/** The new value of a string; the same if it stays. */
export type StringEdit = (value: string, place: StringPlace) => string | null

export interface EditOptions {
  /** Whether a JSON text may hold a string to be edited; others are not parsed. */
  mayHold?: (json: string) => boolean
  /** Whether to edit names of members as well. */
  names?: boolean
}

const PAGE = 200
const FIRST = -(2n ** 63n)

/**
 * Edits the strings of all records, whichever member they are in, and writes the rows that change. Other values keep their
 * text. Returns the number of changed rows by table.
 */
export function editRecords(
  database: Database,
  edit: StringEdit,
  { mayHold = () => true, names = false }: EditOptions = {},
): Record<string, number> {
  const { tables } = orderOf(database)
  const changed: Record<string, number> = {}
  dropIndexes(database, tables)
  for (const table of tables) {
    const count = editTable(database, table, edit, { mayHold, names })
    if (count > 0) changed[table] = count
  }
  completeIndexes(database)
  return changed
}

/** Two records may exchange URLs, which no unique index would allow one after the other. */
function dropIndexes(database: Database, tables: readonly string[]): void {
  const indexes = database.prepare<[string], string>(
    `SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
  )
  for (const table of tables) {
    for (const name of indexes.pluck().all(table)) database.exec(`DROP INDEX ${quoteName(name)}`)
  }
}

function editTable(
  database: Database,
  table: string,
  edit: StringEdit,
  { mayHold, names }: Required<EditOptions>,
): number {
  const { kind, columns } = recordColumns(table)
  const members = Object.entries(kind.columns).map(([name, { storage }]) => ({ name, storage }))
  const stored = [...members.map(({ name }) => name), '_extra', '_member_order']
  const page = database
    .prepare(
      `SELECT rowid, ${columns} FROM ${quoteName(table)} WHERE rowid >= ? ORDER BY rowid LIMIT ${PAGE}`,
    )
    .raw()
    .safeIntegers()
  const update = database.prepare(
    `UPDATE ${quoteName(table)} SET ${stored.map((name) => `${quoteName(name)} = ?`).join(', ')}
     WHERE rowid = ?`,
  )
  const editJson = (text: string, path: string, name: string, rowid: bigint): string => {
    if (text === '[]' || text === '{}' || !mayHold(text)) return text
    const value = parseLossless(text, { maxDepth: Number.POSITIVE_INFINITY })
    const extra = path === ''
    const edited = editValue(value, { table, rowid, path, name, extra }, edit, names)
    return edited === value ? text : JSON.stringify(edited)
  }
  const editColumn = (i: number, value: SqlValue, rowid: bigint): SqlValue => {
    if (typeof value !== 'string') return value
    const member = members[i]
    if (!member) {
      if (i === members.length) return editJson(value, '', '', rowid)
      return names ? editJson(value, '_member_order', '', rowid) : value
    }
    const { name, storage } = member
    if (storage === 'json') return editJson(value, name, name, rowid)
    return edit(value, { table, rowid, path: name, name, extra: false })
  }
  let count = 0
  for (let next = FIRST; ; ) {
    const rows = page.all(next) as Row[]
    for (const [id, ...row] of rows) {
      const rowid = id as bigint
      let isChanged = false
      const edited = row.map((value, i) => {
        const now = editColumn(i, value, rowid)
        isChanged ||= now !== value
        return now
      })
      if (!isChanged) continue
      update.run(...edited, rowid)
      count++
    }
    if (rows.length < PAGE) return count
    next = (rows.at(-1)?.[0] as bigint) + 1n
  }
}

/** A JSON value with its strings edited; the same value if none changes. */
function editValue(
  value: JsonValue,
  place: StringPlace,
  edit: StringEdit,
  names: boolean,
): JsonValue {
  if (typeof value === 'string') return edit(value, place)
  if (Array.isArray(value)) {
    const inner = { ...place, path: `${place.path}[]` }
    const edited = value.map((element) => editValue(element, inner, edit, names))
    return edited.some((element, i) => element !== value[i]) ? edited : value
  }
  if (!isObject(value) || isRawNumber(value)) return value
  let isChanged = false
  const edited = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const path = place.path === '' ? name : `${place.path}.${name}`
    const now = editValue(member, { ...place, path, name }, edit, names)
    const newName = names
      ? (edit(name, { ...place, path: `${place.path}{}`, name: '{}' }) ?? name)
      : name
    isChanged ||= now !== member || newName !== name
    return [newName, now]
  })
  return isChanged ? Object.fromEntries(edited) : value
}
