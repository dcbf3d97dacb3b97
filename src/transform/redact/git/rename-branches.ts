import type { Database } from '../../../database/open-database.ts'
import { editRecords } from '../../edit-records.ts'
import type { EditedRows } from '../../edited-rows.ts'
import { createPatternFinder, ESCAPED } from '../../find-patterns.ts'
import { type Redaction, redactText } from '../redact-records.ts'
import type { BranchRenamer } from './branch-renamer.ts'
import { redactRefName } from './git-edits.ts'

/** A branch or tag, without where it is kept. */
const PLACE = /^refs\/(?:heads|tags|remotes\/[^/]+|notes|pull)\//

/**
 * Names of branches and tags in which other signs stand for the spaces of somebody's name, as records have them, with their new ones:
 * texts are not searched for names in this form.
 */
export function renamedBranches(database: Database, redaction: Redaction): Map<string, string> {
  const renamed = new Map<string, string>()
  for (const ref of database.prepare<[], string>('SELECT DISTINCT name FROM refs').pluck().all()) {
    const name = ref.replace(PLACE, '')
    const now = redactRefName(name, redaction)
    if (now === name) continue
    const inRecords = redactText(name, redaction, () => {})
    const asName = redactText(name, { ...redaction, mode: 'pseudonym' }, () => {})
    if (now !== asName) renamed.set(inRecords, now)
  }
  return renamed
}

const findEscapes = createPatternFinder([ESCAPED])

/** Gives such branches their new names in all records: as a whole value, and in texts and URLs. Returns the changed rows by table. */
export function renameBranches(
  database: Database,
  { size, rename, find }: BranchRenamer,
  edited?: EditedRows,
): Record<string, number> {
  if (size === 0) return {}
  return editRecords(database, (value) => rename(value), {
    hints: () => (bytes) => {
      const hints = findEscapes(bytes, bytes.toString('latin1'))
      find(bytes, (at) => {
        hints.push(at)
        return false
      })
      return hints.sort((a, b) => a - b)
    },
    edited,
  })
}
