import {
  aFlag,
  aFunction,
  anOpenDatabase,
  checkArguments,
  checkOptions,
} from '../../base/check-arguments.ts'
import { ArchiveError } from '../../base/errors.ts'
import { findLargeCells } from '../../database/large-cells.ts'
import { describeLargeCell, type LargeCell } from '../../database/large-row.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { parseSqliteMessage } from '../../database/sqlite-messages.ts'
import type { DatabaseFault, Edit } from './database-fault.ts'
import { examineFiles } from './examine-files.ts'
import { examineRelations } from './examine-relations.ts'
import { examineSearch } from './examine-search.ts'
import { examineRecords, examineValues } from './examine-values.ts'
import { findEdits } from './find-edits.ts'
import { isRepairable, repairDatabase } from './repair-database.ts'

/** How to treat faults. */
export interface ExamineOptions {
  /** Recreate views and indexes, also that of searches, and remove orphaned chunks. Default false. */
  repair?: boolean | undefined
  /** Called with the bytes of contents read so far. */
  progress?: ((done: { bytes: number }) => void) | undefined
}

/** The result of `examineDatabase`. */
export interface IntegrityReport {
  /** The first 1,000 faults. */
  faults: DatabaseFault[]
  /** The number of all faults. */
  count: number
  /** The faults that were repaired. They are not in `faults`. */
  repaired: DatabaseFault[]
  /** Changes made with SQL since loading, which are not faults. Empty if the file is corrupt. */
  edits: Edit[]
  /** Tables without records that cannot be compared, because an earlier version loaded them. */
  unverified: string[]
}

const MOST = 1000

/**
 * Checks a database: SQLite's integrity check, the schema, contents against their SHA-256, and every record, file and other
 * row against what was loaded, and the index of searches against the records. Uses bounded memory.
 *
 * @param database the database to examine; it is read through separate connections
 * @param options `repair` fixes what can be fixed without touching loaded data
 * @returns faults, repaired faults and edits
 * @throws `database-busy`, `database-read-only` for a repair, the codes of `openDatabase`, or `option-invalid`
 * @example
 * const { count, edits } = examineDatabase(database)
 */
export function examineDatabase(database: Database, options: ExamineOptions = {}): IntegrityReport {
  checkArguments({ database }, { database: anOpenDatabase })
  checkOptions(options, { repair: aFlag, progress: aFunction })
  const { repair = false } = options
  let bytes = 0
  const progress = (more: number) => {
    bytes += more
    options.progress?.({ bytes })
  }
  const path = database.name
  const found = inDatabase(path, { readonly: true }, (database) => examine(database, progress))
  const repairable = found.faults.filter(isRepairable)
  if (!repair || repairable.length === 0) return { ...found, repaired: [] }
  inDatabase(path, { readonly: false }, (database) => repairDatabase(database, found.faults))
  const left = inDatabase(path, { readonly: true }, (database) => examine(database, progress))
  const isLeft = ({ code, where }: DatabaseFault) =>
    left.faults.some((other) => other.code === code && other.where === where)
  return { ...left, repaired: repairable.filter((fault) => !isLeft(fault)) }
}

function inDatabase<T>(
  path: string,
  options: { readonly: boolean },
  work: (database: Database) => T,
): T {
  const database = openDatabase(path, options)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function examine(
  database: Database,
  progress: (bytes: number) => void,
): Omit<IntegrityReport, 'repaired'> {
  const faults: DatabaseFault[] = []
  let found: ReturnType<typeof findEdits> = { edits: [], unknown: [] }
  let count = 0
  const note = (found: Iterable<DatabaseFault>) => {
    for (const fault of found) if (++count <= MOST) faults.push(fault)
  }
  try {
    note(examinePages(database))
    note(examineRelations(database))
    // Missing tables cannot be examined.
    if (!faults.some(({ code }) => code.startsWith('table-'))) {
      // Their values would fill the memory.
      const large = [...findLargeCells(database)]
      note(large.map(asFault))
      if (large.length > 0) return { faults, count, edits: [], unverified: [] }
      note(examineRecords(database))
      note(examineValues(database))
      note(examineFiles(database, progress))
      note(examineSearch(database))
      if (!faults.some(({ code }) => code === 'pages-damaged')) found = findEdits(database)
    }
  } catch (error) {
    if (!(error instanceof ArchiveError) || error.code !== 'database-damaged') throw error
    note([{ code: 'pages-damaged', where: database.name, message: error.message }])
  }
  return { faults, count, edits: found.edits, unverified: found.unknown }
}

const asFault = (cell: LargeCell): DatabaseFault => ({
  code: 'value-invalid',
  where: cell.column,
  message: describeLargeCell(cell),
})

/** SQLite's integrity check: pages, rows, and indexes that do not match their tables. */
function* examinePages(database: Database): Generator<DatabaseFault> {
  const found = database.pragma(`integrity_check(${MOST})`) as { integrity_check: string }[]
  for (const { integrity_check: message } of found) {
    if (message === 'ok') return
    const found = parseSqliteMessage(message)
    if (found?.fault === 'index-damaged') yield { code: found.fault, where: found.name, message }
    else yield { code: 'pages-damaged', where: database.name, message }
  }
}
