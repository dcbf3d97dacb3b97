import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { recordColumns } from '../database/rows/read-record.ts'
import type { Row, SqlValue } from '../database/schema/row-layout.ts'
import { type EditJsonString, editJson } from './edit-json.ts'
import type { EditedRows } from './edited-rows.ts'
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
  /** Receives the rows that change. */
  edited?: EditedRows | undefined
}

/**
 * Edits the strings of all records, whichever member they are in, and writes the rows that change. Other values keep their
 * text. Returns the number of changed rows by table.
 */
export function editRecords(
  database: Database,
  edit: StringEdit,
  { mayHold = () => true, hints = () => undefined, names = false, edited }: EditOptions = {},
): Record<string, number> {
  const changed: Record<string, number> = {}
  for (const table of orderOf(database).tables) {
    const count = editTable(database, table, edit, { mayHold, hints, names, edited })
    if (count > 0) changed[table] = count
  }
  return changed
}

function editTable(
  database: Database,
  table: string,
  edit: StringEdit,
  { mayHold, hints, names, edited: rows }: Required<EditOptions>,
): number {
  const { kind } = recordColumns(table)
  const members = Object.entries(kind.columns).map(([name, { storage }]) => ({ name, storage }))
  // Most tables are empty, or no row of them changes.
  let write: RowWriter | undefined
  const editTree = (text: string, path: string, name: string, rowid: bigint): string => {
    if (text === '[]' || text === '{}' || !mayHold(text)) return text
    const extra = path === ''
    const editString: EditJsonString = (value, place) =>
      edit(value, { table, rowid, path: place.path, name: place.name, extra })
    return editJson(text, editString, { place: { path, name }, names })
  }
  const editColumn = (i: number, value: SqlValue, rowid: bigint): SqlValue => {
    if (typeof value !== 'string') return value
    const member = members[i]
    if (!member) {
      if (i === members.length) return editTree(value, '', '', rowid)
      return names ? editTree(value, '_member_order', '', rowid) : value
    }
    const { name, storage } = member
    if (storage === 'json') return editTree(value, name, name, rowid)
    return edit(value, { table, rowid, path: name, name, extra: false })
  }
  let count = 0
  for (const { rows: page, columns } of readHintedRows(database, table, hints(table))) {
    for (const [id, ...row] of page) {
      const rowid = id as bigint
      const changed: number[] = []
      const edited = row.slice()
      for (const i of columns ?? row.keys()) {
        const value = row[i] as SqlValue
        const now = editColumn(i, value, rowid)
        if (now !== value) changed.push(i)
        edited[i] = now
      }
      if (changed.length === 0) continue
      write ??= openRowWriter(database, table, [
        ...members.map(({ name }) => name),
        '_extra',
        '_member_order',
      ])
      write.row(rowid, edited, changed)
      rows?.add(table, rowid)
      count++
    }
  }
  write?.end()
  return count
}

interface Index {
  name: string
  sql: string
  unique: number
  columns: string
}

type RowWriter = ReturnType<typeof openRowWriter>

/** If more than this share of the rows of a table changes in an index, rebuilding it is faster. */
const FEW = 1 / 8

/**
 * Writes the changed columns of rows. Two records may exchange URLs, which a unique index would not allow one after the
 * other: from the first such pair on, the table has no indexes. An index in which many rows change is dropped as well.
 * All indexes are made again in the end.
 */
function openRowWriter(database: Database, table: string, columns: readonly string[]) {
  const indexes = database
    .prepare<[string], Index>(
      `SELECT s.name, s.sql, l."unique", (SELECT json_group_array(i.name) FROM pragma_index_info(s.name) AS i) AS columns
       FROM sqlite_schema AS s JOIN pragma_index_list(s.tbl_name) AS l ON l.name = s.name
       WHERE s.type = 'index' AND s.tbl_name = ? AND s.sql IS NOT NULL ORDER BY s.rowid`,
    )
    .all(table)
    .map((index) => ({ ...index, columns: JSON.parse(index.columns) as (string | null)[] }))
  const last = database
    .prepare<[], number>(`SELECT coalesce(max(rowid), 0) FROM ${quoteName(table)}`)
    .pluck()
    .safeIntegers()
    .get()
  const changes = new Map(indexes.map((index) => [index, 0]))
  const drop = (index: (typeof indexes)[number]) => {
    if (changes.delete(index)) database.exec(`DROP INDEX ${quoteName(index.name)}`)
  }
  const updates = new Map<string, ReturnType<typeof prepareUpdate>>()
  const prepareUpdate = (changed: readonly number[]) => {
    const names = changed.map((i) => columns[i] as string)
    const set = names.map((name) => `${quoteName(name)} = ?`).join(', ')
    const { run } = database.prepare(`UPDATE ${quoteName(table)} SET ${set} WHERE rowid = ?`)
    // An index of an expression may have any column.
    const affected = indexes.filter((index) =>
      index.columns.some((name) => name === null || names.includes(name)),
    )
    return { run, affected }
  }
  return {
    row(rowid: bigint, values: Row, changed: readonly number[]): void {
      const key = changed.join()
      const { run, affected } = updates.get(key) ?? prepareUpdate(changed)
      if (!updates.has(key)) updates.set(key, { run, affected })
      for (const index of affected) {
        const count = changes.get(index)
        if (count === undefined) continue
        if (index.unique) for (const each of indexes) drop(each)
        else if (count > Number(last) * FEW) drop(index)
        else changes.set(index, count + 1)
      }
      run(...changed.map((i) => values[i] as SqlValue), rowid)
    },
    end(): void {
      for (const index of indexes) if (!changes.has(index)) database.exec(index.sql)
    },
  }
}
