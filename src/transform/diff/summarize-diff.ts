import type { Database } from '../../database/open-database.ts'
import { openPair } from '../../database/open-pair.ts'
import { SIDES } from './changed-rows.ts'
import { diffDatabases } from './diff-databases.ts'
import type { ChangeType, DiffOptions } from './diff-options.ts'

/** How two databases differ, in numbers. */
export interface DiffSummary {
  /** The changes of each kind. */
  counts: ReadonlyMap<string, Readonly<Record<ChangeType, number>>>
  /** Records that are there under one URL in two kinds. They count as removed from the one and added to the other. */
  moved: { from: string; to: string; records: number }[]
  /** The archives that the databases were loaded from. */
  sides: readonly [DiffSide, DiffSide]
}

export interface DiffSide {
  archives: { name: string; exported_at: string | null; state: string }[]
  /** Problems found while loading, by code. */
  problems: { code: string; times: number }[]
}

/**
 * Compares two databases as `diffDatabases` does, and counts the changes. Throws as that does.
 */
export async function summarizeDiff(
  a: Database,
  b: Database,
  options: DiffOptions,
): Promise<DiffSummary> {
  const counts = new Map<string, Record<ChangeType, number>>()
  const pair = openPair(a, b)
  try {
    pair.exec('CREATE TEMP TABLE one_sided (url TEXT, kind TEXT, change TEXT)')
    const insert = pair.prepare('INSERT INTO temp.one_sided VALUES (?, ?, ?)')
    for await (const { kind, url, change } of diffDatabases(a, b, options)) {
      const count = counts.get(kind) ?? { added: 0, removed: 0, changed: 0 }
      count[change]++
      counts.set(kind, count)
      if (change !== 'changed' && url !== null) insert.run(url, kind, change)
    }
    const moved = pair
      .prepare<[], DiffSummary['moved'][number]>(
        `SELECT r.kind AS "from", a.kind AS "to", count(*) AS records
         FROM temp.one_sided AS r JOIN temp.one_sided AS a ON a.url = r.url AND a.kind <> r.kind
         WHERE r.change = 'removed' AND a.change = 'added' GROUP BY 1, 2 ORDER BY 1, 2`,
      )
      .all()
    return { counts, moved, sides: [describeSide(pair, 0), describeSide(pair, 1)] }
  } finally {
    pair.close()
  }
}

function describeSide(pair: Database, side: 0 | 1): DiffSide {
  const all = <Found>(sql: string) => pair.prepare<[], Found>(sql).all()
  return {
    archives: all(`SELECT name, exported_at, state FROM ${SIDES[side]}.archives ORDER BY id`),
    problems: all(
      `SELECT code, sum(times) AS times FROM ${SIDES[side]}.problems GROUP BY code ORDER BY code`,
    ),
  }
}
