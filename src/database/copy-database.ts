import { writeFileSync } from 'node:fs'
import { attemptSync } from '../files/write-file.ts'
import type { Database } from './open-database.ts'
import { quoteText } from './quote.ts'

/** Larger databases are not held in memory. */
const SMALL = 16 * 2 ** 20

/**
 * Copies a database to a new file, in one snapshot. A small one is copied byte for byte, free pages included: VACUUM INTO
 * would create each table and index again, which takes longer than renaming or redacting all records of a small archive.
 */
export function copyDatabase(source: Database, path: string, small = SMALL): void {
  const [pages, size] = ['page_count', 'page_size'].map((name) =>
    Number(source.pragma(name, { simple: true })),
  ) as [number, number]
  if (pages * size > small) source.exec(`VACUUM INTO ${quoteText(path)}`)
  else attemptSync(path, () => writeFileSync(path, source.serialize(), { flag: 'wx', mode: 0o600 }))
}
