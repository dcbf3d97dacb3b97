import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import type { RecordFile } from '../database/record-files/place-records.ts'
import { formsOf } from '../database/record-files/plan-record-files.ts'
import { printRecordFile } from '../database/record-files/record-entry.ts'
import { recordColumns } from '../database/rows/read-record.ts'
import type { Row } from '../database/rows/row-layout.ts'
import { toRecord } from '../database/rows/to-record.ts'
import type { JsonObject } from '../records/json/json.ts'

interface Origin {
  rowid: number
  archive: number
  entry: string
  record: number
}

type LoadedFile = Pick<RecordFile, 'records' | 'size' | 'crc32' | 'layout'>

/**
 * Tells whether a record is in the database as it was loaded: its file of records, printed again, has the size and the
 * checksum that it had. What the host wrote so, a selection is not refused for.
 */
export function openOriginals(database: Database): (table: string, record: JsonObject) => boolean {
  const known = new Map<string, boolean>()
  const formOf = formsOf(database)
  const fileOf = database.prepare<[number, string], LoadedFile>(
    'SELECT records, size, crc32, layout FROM record_files WHERE archive = ? AND path = ?',
  )
  return (table, { url }) => {
    if (typeof url !== 'string') return false
    const origin = database
      .prepare<[string], Origin>(
        `SELECT rowid, _archive AS archive, _entry AS entry, _record_number AS record
         FROM ${quoteName(table)} WHERE url = ? AND _entry IS NOT NULL`,
      )
      .get(url)
    if (!origin) return false
    const key = `${origin.archive} ${origin.entry}`
    let isOriginal = known.get(key)
    if (isOriginal === undefined) {
      const files = fileOf.all(origin.archive, origin.entry)
      const [file] = files
      isOriginal =
        file !== undefined &&
        files.length === 1 &&
        isAsLoaded(database, table, origin, file, formOf)
      known.set(key, isOriginal)
    }
    return isOriginal
  }
}

/** Records of a file are in successive rows, unless something was changed. */
function isAsLoaded(
  database: Database,
  table: string,
  origin: Origin,
  file: LoadedFile,
  formOf: ReturnType<typeof formsOf>,
): boolean {
  const { kind, columns } = recordColumns(table, 'o')
  const first = origin.rowid - origin.record + 1
  const select = database
    .prepare(
      `SELECT ${columns} FROM ${quoteName(table)} AS o
       WHERE o.rowid BETWEEN ? AND ? AND o._archive = ? AND o._entry = ? ORDER BY o._record_number`,
    )
    .raw()
  function* records() {
    const last = first + file.records - 1
    for (const row of select.iterate(first, last, origin.archive, origin.entry)) {
      yield toRecord(kind, row as Row)
    }
  }
  const { archive, entry: path } = origin
  const form = formOf({ archive, ...file })
  return printRecordFile({ path, form, before: file, records }).unchanged
}
