import type { Database } from '../../../database/open-database.ts'
import { editRecords } from '../../edit-records.ts'
import type { EditedRows } from '../../edited-rows.ts'
import { createNeedleFinder, ESCAPED, findPatterns } from '../../find-needles.ts'
import { type Redaction, redactText } from '../redact-records.ts'
import { escapePattern } from '../secrets.ts'
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
    const inRecords = redactText(name, redaction, () => {})
    const asName = redactText(name, { ...redaction, mode: 'pseudonym' }, () => {})
    const now = redactRefName(name, redaction)
    if (now !== asName) renamed.set(inRecords, now)
  }
  return renamed
}

/** Gives such branches their new names in all records: as a whole value, and in texts and URLs. Returns the changed rows by table. */
export function renameBranches(
  database: Database,
  renamed: ReadonlyMap<string, string>,
  edited?: EditedRows,
): Record<string, number> {
  if (renamed.size === 0) return {}
  const names = [...renamed.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`(?<![\\w-])(?:${names.map(escapePattern).join('|')})(?![\\w-])`, 'g')
  const find = createNeedleFinder(names.map((name) => [name, undefined] as const))
  return editRecords(
    database,
    (value) => value.replace(pattern, (name) => renamed.get(name) as string),
    {
      hints: () => (bytes) => {
        const hints = findPatterns(bytes.toString('latin1'), [ESCAPED])
        find(bytes, (at) => {
          hints.push(at)
          return false
        })
        return hints.sort((a, b) => a - b)
      },
      edited,
    },
  )
}
