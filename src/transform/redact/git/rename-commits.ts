import type { Database } from '../../../database/open-database.ts'
import { editRecords } from '../../edit-records.ts'
import type { EditedRows } from '../../edited-rows.ts'

const DIGITS = /(?<![0-9A-Za-z_])[0-9a-f]{7,40}(?![0-9A-Za-z_])/g
/** Hexadecimal digits in bytes, seven or more. */
const HINT = /[0-9a-f]{7}/g

/**
 * Writes the new ids of commits and tags into all records, whichever member they are in: whole ids, and in texts also their
 * first digits, if these are of one of them alone. Returns the number of changed rows by table. `temp.renamed_objects` has
 * the old and new ids.
 */
export function renameCommits(database: Database, edited?: EditedRows): Record<string, number> {
  const exact = database
    .prepare<[string], string>('SELECT new FROM temp.renamed_objects WHERE old = ?')
    .pluck()
  const starting = database
    .prepare<[string, string], string>(
      `SELECT new FROM temp.renamed_objects
       WHERE old >= ? AND old < ? AND type IN ('commit', 'tag') LIMIT 2`,
    )
    .pluck()
  const newOf = (digits: string): string => {
    if (digits.length === 40) return exact.get(digits) ?? digits
    // A number is rather that of something else.
    if (!/[a-f]/.test(digits)) return digits
    const [now, other] = starting.all(digits, `${digits}g`)
    return now === undefined || other !== undefined ? digits : now.slice(0, digits.length)
  }
  const find = (bytes: Buffer) =>
    [...bytes.toString('latin1').matchAll(HINT)].map(({ index }) => index)
  return editRecords(database, (value) => value.replace(DIGITS, newOf), {
    mayHold: (json) => json.search(HINT) >= 0,
    hints: () => find,
    edited,
  })
}
