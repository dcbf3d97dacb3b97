import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { hasSum } from '../../database/record-files/loaded-sums.ts'
import { recordColumns, recordTables } from '../../database/rows/read-record.ts'
import { toRecord } from '../../database/rows/to-record.ts'
import type { Row } from '../../database/schema/row-layout.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import type { Edit } from './database-fault.ts'

/**
 * Compares each record with the checksum of the record it was loaded from, one record at a time. Replaced records do not
 * count as removed.
 */
export function findRecordEdits(database: Database): Edit[] {
  const edits = new Map<string, Edit>()
  const editOf = (kind: string): Edit => {
    const edit = edits.get(kind) ?? { what: 'records', kind, changed: 0, added: 0, removed: 0 }
    edits.set(kind, edit)
    return edit
  }
  const files = listRecordFiles(database)
  const checksumsOf = openChecksums(database)
  for (const table of recordTables(database)) {
    const { kind, columns } = recordColumns(table)
    const edit = editOf(table)
    const rows = database
      .prepare(`SELECT ${columns}, _archive, _entry, _record_number FROM ${quoteName(table)}`)
      .raw()
      .safeIntegers()
    for (const row of rows.iterate() as IterableIterator<Row>) {
      const [archive, entry, place] = row.slice(-3)
      const file = files.get(`${archive} ${entry}`)
      const checksums = file ? checksumsOf(file) : []
      const index = Number(place) - 1
      const sums = checksums.flatMap((all) => all.subarray(index * 4, index * 4 + 4))
      if (!file || !(index >= 0) || !sums.some(({ length }) => length === 4)) edit.added++
      else note(file, index, hasChecksum(kind, row, sums), edit)
    }
  }
  for (const { kind, expected, found } of files.values()) {
    if (found < expected) editOf(kind).removed += expected - found
  }
  return [...edits.values()]
}

/** A record file as loaded, and which of its records were found. */
interface RecordFile {
  kind: string
  /** Number of records that should exist. */
  expected: number
  found: number
  /** Its rowids in `record_files`; several if the archive had the path more than once. */
  rows: bigint[]
  /** One bit per record: whether a row claims to be it, and whether one is unchanged. */
  seen: Bits
  same: Bits
}

function listRecordFiles(database: Database): Map<string, RecordFile> {
  const files = new Map<string, RecordFile>()
  const rows = database
    .prepare<[], Record<'id' | 'archive' | 'expected', bigint> & Named>(`
      SELECT rowid AS id, archive, path, kind,
        sum(records) OVER same - max(replaced) OVER same AS expected
      FROM record_files WINDOW same AS (PARTITION BY archive, path)`)
    .safeIntegers()
  for (const { id, archive, path, kind, expected } of rows.iterate()) {
    const key = `${archive} ${path}`
    const file = files.get(key)
    if (file) file.rows.push(id)
    else {
      const bits = { seen: new Bits(), same: new Bits() }
      files.set(key, { kind, expected: Number(expected), found: 0, rows: [id], ...bits })
    }
  }
  return files
}

type Named = Record<'path' | 'kind', string>

/** Reads the checksums of a file, and keeps those of the last one: rows of a file follow each other. */
function openChecksums(database: Database): (file: RecordFile) => readonly Buffer[] {
  const read = database
    .prepare<[bigint], unknown>('SELECT checksums FROM record_files WHERE rowid = ?')
    .pluck()
  let last: { file: RecordFile; checksums: Buffer[] } | undefined
  return (file) => {
    if (last?.file !== file) {
      const found = file.rows.map((row) => read.get(row)).filter((each) => Buffer.isBuffer(each))
      last = { file, checksums: found }
    }
    return last.checksums
  }
}

/** Whether the record of a row has one of these checksums in any of the forms of record files. */
function hasChecksum(kind: Kind, row: Row, sums: readonly Buffer[]): boolean {
  try {
    const whole = sums.filter(({ length }) => length === 4)
    const known = whole.map((each) => each.readUInt32BE())
    return hasSum(toRecord(kind, row), known)
  } catch (error) {
    // Invalid JSON in a column, which has its own fault.
    if (error instanceof ArchiveError) return false
    throw error
  }
}

/** If several rows claim the same position, the unchanged one counts as loaded, the others as added. */
function note(file: RecordFile, index: number, isSame: boolean, edit: Edit): void {
  const isRepeated = file.rows.length > 1 ? file.found >= file.expected : !file.seen.set(index)
  if (!isRepeated) {
    file.found++
    if (!isSame) edit.changed++
    else file.same.set(index)
    return
  }
  edit.added++
  if (isSame && file.rows.length === 1 && file.same.set(index)) edit.changed--
}

/** A bit set that grows with its highest bit. */
class Bits {
  #bytes = new Uint8Array(16)

  /** Returns false if it was already set. */
  set(index: number): boolean {
    const at = index >> 3
    if (at >= this.#bytes.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bytes.length * 2))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    const bit = 1 << (index & 7)
    const isNew = ((this.#bytes[at] as number) & bit) === 0
    this.#bytes[at] = (this.#bytes[at] as number) | bit
    return isNew
  }
}
