import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { recordColumns } from '../database/rows/read-record.ts'
import type { Row, SqlValue } from '../database/rows/row-layout.ts'
import { isObject, isRawNumber, type JsonValue } from '../records/json/json.ts'
import { parseLossless } from '../records/json/parse-lossless.ts'
import { type FindHints, readHintedRows } from './read-hinted-rows.ts'

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
  /** Finds where a row of a table may hold a string to be edited; rows without a place are not read. */
  hints?: (table: string) => FindHints | undefined
  /** Whether to edit names of members as well. */
  names?: boolean
}

/**
 * Edits the strings of all records, whichever member they are in, and writes the rows that change. Other values keep their
 * text. Returns the number of changed rows by table.
 */
export function editRecords(
  database: Database,
  edit: StringEdit,
  { mayHold = () => true, hints = () => undefined, names = false }: EditOptions = {},
): Record<string, number> {
  const changed: Record<string, number> = {}
  for (const table of orderOf(database).tables) {
    const count = editTable(database, table, edit, { mayHold, hints, names })
    if (count > 0) changed[table] = count
  }
  return changed
}

function editTable(
  database: Database,
  table: string,
  edit: StringEdit,
  { mayHold, hints, names }: Required<EditOptions>,
): number {
  const { kind } = recordColumns(table)
  const members = Object.entries(kind.columns).map(([name, { storage }]) => ({ name, storage }))
  const write = openRowWriter(database, table, [
    ...members.map(({ name }) => name),
    ...['_extra', '_member_order'],
  ])
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
  for (const rows of readHintedRows(database, table, hints(table))) {
    for (const [id, ...row] of rows) {
      const rowid = id as bigint
      const changed: number[] = []
      const edited = row.map((value, i) => {
        const now = editColumn(i, value, rowid)
        if (now !== value) changed.push(i)
        return now
      })
      if (changed.length === 0) continue
      write.row(rowid, edited, changed)
      count++
    }
  }
  write.end()
  return count
}

/**
 * Writes the changed columns of rows. Two records may exchange URLs, which no unique index would allow one after the other,
 * so from the first of those on the table has no indexes, and gets them back in the end.
 */
function openRowWriter(database: Database, table: string, columns: readonly string[]) {
  const indexes = database
    .prepare<[string], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
    )
    .all(table)
  const unique = new Set(
    database
      .prepare<[string], string>(
        `SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i WHERE l."unique"`,
      )
      .pluck()
      .all(table),
  )
  const isUnique = columns.map((name) => unique.has(name) || unique.has(null as unknown as string))
  const updates = new Map<string, (...values: SqlValue[]) => unknown>()
  let isIndexed = true
  return {
    row(rowid: bigint, values: Row, changed: readonly number[]): void {
      if (isIndexed && changed.some((i) => isUnique[i])) {
        isIndexed = false
        for (const { name } of indexes) database.exec(`DROP INDEX ${quoteName(name)}`)
      }
      const key = changed.join()
      let update = updates.get(key)
      if (!update) {
        const set = changed.map((i) => `${quoteName(columns[i] as string)} = ?`).join(', ')
        update = database.prepare(`UPDATE ${quoteName(table)} SET ${set} WHERE rowid = ?`).run
        updates.set(key, update)
      }
      update(...changed.map((i) => values[i] as SqlValue), rowid)
    },
    end(): void {
      if (!isIndexed) for (const { sql } of indexes) database.exec(sql)
    },
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
