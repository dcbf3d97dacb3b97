import { PROBLEMS, type ProblemCode } from '../../base/error-codes.ts'
import type { Database } from '../../database/open-database.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import type { Styles } from '../output/styles.ts'
import { PROBLEM_REMEDIES } from '../remedies.ts'

/** Occurrences by code. */
export type ProblemCounts = Partial<Record<ProblemCode, number>>

/** A line per code of problem: count and meaning. */
export function describeProblems(problems: ProblemCounts, { yellow }: Styles): SafeText[] {
  const codes = Object.entries(problems) as [ProblemCode, number][]
  if (codes.length === 0) return []
  return [
    yellow(safe`Problems`),
    ...codes.map(([code, count]) => {
      const text = [PROBLEMS[code], PROBLEM_REMEDIES[code]].filter(Boolean).join('; ')
      return safe`  ${escapeControls(code)} × ${formatCount(count)}: ${ownText(text)}`
    }),
  ]
}

/** Counts the values that loading a backup or export of another program made, changed or left out. */
export function foreignProblems(database: Database): { problems?: ProblemCounts } {
  const counts = database
    .prepare<[], [ProblemCode, number]>(
      `SELECT code, sum(times) FROM problems
       WHERE code LIKE 'source-%' OR code IN ('date-estimated', 'text-rewritten')
       GROUP BY code ORDER BY min(rowid)`,
    )
    .raw()
    .all()
  return counts.length > 0 ? { problems: Object.fromEntries(counts) } : {}
}
