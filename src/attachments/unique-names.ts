import type { Database } from '../database/open-database.ts'
import { foldName, numberedName } from '../files/safe-name.ts'

/** The names that were given to extracted files: no two that any system takes for one. */
export interface Names {
  /**
   * A path for this content, or nothing if the same content has the name `wanted` already, which is the path
   * unless told otherwise.
   */
  take(parts: readonly string[], sha256: string, wanted?: string): string[] | undefined
}

/** Keeps names in a temporary table, so that memory does not grow with their number. */
export function createUniqueNames(own: Database): Names {
  own.exec(`
    CREATE TEMP TABLE names (
      path TEXT PRIMARY KEY, wanted TEXT NOT NULL, number INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX temp.names_by_content ON names (wanted, sha256);
    CREATE INDEX temp.names_by_number ON names (wanted, number);`)
  const isTaken = own.prepare('SELECT 1 FROM temp.names WHERE path = ?')
  const isSame = own.prepare('SELECT 1 FROM temp.names WHERE wanted = ? AND sha256 = ?')
  const last = own.prepare('SELECT max(number) FROM temp.names WHERE wanted = ?').pluck()
  const insert = own.prepare('INSERT INTO temp.names VALUES (?, ?, ?, ?)')
  return {
    take(parts, sha256, name = parts.join('/')) {
      const wanted = foldName(name)
      if (isSame.get(wanted, sha256)) return undefined
      const folder = parts.slice(0, -1)
      const file = parts.at(-1) as string
      for (let number = ((last.get(wanted) as number | null) ?? 0) + 1; ; number++) {
        const path = [...folder, number === 1 ? file : numberedName(file, number)]
        const folded = foldName(path.join('/'))
        if (isTaken.get(folded)) continue
        insert.run(folded, wanted, number, sha256)
        return path
      }
    },
  }
}
