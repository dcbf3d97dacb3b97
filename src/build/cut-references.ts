import { join } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { copyDatabase } from '../database/copy-database.ts'
import { type Database, openDatabase } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { readPages } from '../database/read-pages.ts'
import { createRecordEditor } from '../database/rows/edit-record.ts'
import { type Reference, referencesOf } from '../database/rows/references.ts'
import { makeTemporaryFolder } from '../files/temporary-folder.ts'
import { isObject, type JsonValue } from '../records/json/json.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { requirementOf } from '../rules/requirements.ts'
import type { BuildOptions } from './build-options.ts'

/** A copy of a database in a temporary folder, which may be changed. */
export function openCopy(source: Database): { database: Database; close(): void } {
  const temporary = makeTemporaryFolder()
  try {
    const path = join(temporary.path, 'copy.db')
    copyDatabase(source, path)
    const database = openDatabase(path, { readonly: false })
    database.pragma('synchronous = OFF')
    const close = () => {
      database.close()
      temporary.remove()
    }
    return { database, close }
  } catch (error) {
    temporary.remove()
    throw error
  }
}

/** A chosen record and one of its references, which leads to a record that is left out. */
interface CutReference {
  url: string
  entry: string | null
  record: number | null
}

const PAGE = 500

/** The first references of a table that lead to records left out; no statement stays open. */
function* cutIn(
  database: Database,
  tables: readonly string[],
  table: string,
  { from, url, tables: targets }: Reference,
): Generator<(CutReference & { position: bigint })[]> {
  const present = targets.filter((name) => tables.includes(name))
  if (present.length === 0) return
  const exists = (chosen: boolean) =>
    present
      .map((name) => {
        const isChosen = `SELECT 1 FROM temp.chosen WHERE "table" = ${tables.indexOf(name)} AND id = t.rowid`
        const and = chosen ? `AND EXISTS (${isChosen})` : ''
        return `EXISTS (SELECT 1 FROM ${quoteName(name)} AS t WHERE t.url = ${url} ${and})`
      })
      .join(' OR ')
  // One reference of each record: cutting goes on until there is none.
  yield* readPages<CutReference>(database, {
    columns: 'url, entry, record',
    from: `(SELECT c.id AS id, min(${url}) AS url, o._entry AS entry, o._record_number AS record
      FROM temp.chosen AS c CROSS JOIN ${quoteName(table)} AS o ON o.rowid = c.id ${from}
      WHERE c."table" = ${tables.indexOf(table)} AND (${exists(false)}) AND NOT (${exists(true)})
      GROUP BY c.id)`,
    key: 'id',
    size: PAGE,
  })
}

const referencesIn = (table: string): Reference[] => {
  const kind = kindNamed(table)
  return kind ? referencesOf(kind) : []
}

/** Throws `reference-record` or `reference-person` for a chosen record that refers to one left out; with `allowInvalid`, reports it. */
export function refuseCutReferences(
  database: Database,
  tables: readonly string[],
  { allowInvalid = false, report }: BuildOptions,
): void {
  for (const table of tables) {
    for (const reference of referencesIn(table)) {
      for (const rows of cutIn(database, tables, table, reference)) {
        for (const { url, entry, record } of rows) {
          const code = reference.tables.includes('users') ? 'reference-person' : 'reference-record'
          const message = `this record refers to ${JSON.stringify(url)}, which is left out`
          const place = {
            ...(entry !== null && { entry }),
            ...(record !== null && { record }),
            member: reference.member,
          }
          if (!allowInvalid) throw new ArchiveError(code, message, place)
          report?.({ code, place, message })
        }
      }
    }
  }
}

/**
 * Removes the references of chosen records to records that are left out: a member becomes null, and an element leaves its
 * list. A record that needs the reference is left out too, round by round.
 */
export function cutReferences(database: Database, tables: readonly string[]): void {
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const [i, table] of tables.entries()) {
      const { required, parents = [] } = requirementOf(table)
      const leaveOut = database.prepare(`DELETE FROM temp.chosen WHERE "table" = ${i} AND id = ?`)
      const edit = createRecordEditor(database, table)
      for (const reference of referencesIn(table)) {
        const { member } = reference
        const column = kindNamed(table)?.columns[member]
        const isNeeded = column?.refersTo && [...required, ...parents].includes(member)
        for (const rows of cutIn(database, tables, table, reference)) {
          for (const { position, url } of rows) {
            isDone = false
            if (isNeeded) leaveOut.run(position)
            else {
              edit(position, (record) => ({
                ...record,
                [member]: without(record[member] ?? null, url),
              }))
            }
          }
        }
      }
    }
  }
}

/** A value without a URL: null, or a list without the elements that are or hold it. */
function without(value: JsonValue, url: string): JsonValue {
  if (value === url) return null
  const holds = (element: JsonValue) =>
    element === url || (isObject(element) && Object.values(element).includes(url))
  if (Array.isArray(value)) return value.filter((element) => !holds(element))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [name, own === url ? null : own]),
  )
}
