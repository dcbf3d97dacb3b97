import { writeFileSync } from 'node:fs'
import { ArchiveError } from '../base/errors.ts'
import { attemptSync } from '../files/attempt.ts'
import { refuseLargeCells } from './large-cells.ts'
import type { Database } from './open-database.ts'
import { quoteText } from './quote.ts'
import { refuseTriggers } from './secure-connection.ts'

/** Larger databases are not held in memory. */
const SMALL = 16 * 2 ** 20

/**
 * Copies a database to a new file, in one snapshot. A small one is copied byte for byte, free pages included: VACUUM INTO
 * would create each table and index again, which takes longer than renaming or redacting all records of a small archive.
 */
export function copyDatabase(source: Database, path: string, small = SMALL): void {
  refuseTriggers(source)
  refuseLargeCells(source)
  const [pages, size] = ['page_count', 'page_size'].map((name) =>
    Number(source.pragma(name, { simple: true })),
  ) as [number, number]
  if (pages * size > small) vacuumInto(source, path)
  else attemptSync(path, () => writeFileSync(path, source.serialize(), { flag: 'wx', mode: 0o600 }))
}

/**
 * Writes a database to a new file, without free pages. SQLite would give 16 MB each to the old and the new one, and to every
 * sort of an index; a quarter takes no longer, because the pages are read and written once, in order. A disk that is full is
 * that of the new file, which errors name as `named`.
 */
export function vacuumInto(database: Database, path: string, named = path): void {
  const before = database.pragma('cache_size', { simple: true })
  database.pragma('cache_size = -4096')
  try {
    database.exec(`VACUUM INTO ${quoteText(path)}`)
  } catch (error) {
    if (!(error instanceof ArchiveError && error.code === 'database-full')) throw error
    throw new ArchiveError(error.code, error.message, { archive: named }, error)
  } finally {
    database.pragma(`cache_size = ${before}`)
  }
}
