import type { Database } from '../database/open-database.ts'
import type { DatabaseFault } from './database-fault.ts'

/** SQLite stops looking after so many faults. */
const MOST = 1000

/** What SQLite itself finds wrong with the file: pages, rows, and indexes that do not fit their tables. */
export function* examinePages(database: Database): Generator<DatabaseFault> {
  const found = database.pragma(`integrity_check(${MOST})`) as { integrity_check: string }[]
  for (const { integrity_check: message } of found) {
    if (message === 'ok') return
    const index = /(?:missing from|entries in|non-unique entry in) index (.+)$/.exec(message)?.[1]
    if (index) yield { code: 'index-damaged', where: index, message }
    else yield { code: 'pages-damaged', where: database.name, message }
  }
}
