import type { Database } from '../database/open-database.ts'
import type { NeededContents } from '../rules/rule.ts'

/** The files whose contents a check reads, and what to call them. */
const NEEDED: Readonly<Record<NeededContents, readonly [where: string, what: string]>> = {
  objects: [
    "role = 'git' AND (path GLOB '*.git/objects/??/*' OR path GLOB '*.git/objects/pack/*')",
    'Git objects',
  ],
  'pack-indexes': [
    "role = 'git' AND path GLOB '*.git/objects/pack/*.idx'",
    'the indexes of Git packs',
  ],
  uploads: ["role IN ('attachment', 'repository-file', 'release-asset')", 'uploads'],
}

/** Says which contents a database lacks because they were left out when its archives were loaded. */
export const describeMissing =
  (database: Database) =>
  (needed: NeededContents): string | undefined => {
    const [where, what] = NEEDED[needed]
    const missing = database
      .prepare(`SELECT 1 FROM files WHERE NOT stored AND size > 0 AND ${where} LIMIT 1`)
      .get()
    return missing === undefined ? undefined : `the contents of ${what} were not loaded`
  }
