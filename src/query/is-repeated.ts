import type { Database } from '../database/open-database.ts'

/** Whether the last archive that has an entry has several with this path. */
export const isEntryRepeated = (database: Database, path: string): boolean =>
  isReported(database, "code = 'entry-repeated' AND entry = ?", path)

/** Whether records with this url gave way to a later one of their archive. */
export const isRecordRepeated = (database: Database, url: string): boolean =>
  isReported(database, "code = 'record-duplicate' AND instr(message, ?) = 1", JSON.stringify(url))

const isReported = (database: Database, where: string, value: string): boolean =>
  database.prepare(`SELECT 1 FROM problems WHERE ${where} LIMIT 1`).get(value) !== undefined
