import { PROBLEMS, type ProblemCode, SOURCE_PROBLEMS } from '../../base/error-codes.ts'
import type { Problem } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import type { Io } from '../command/io.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { columnsOf, cutToWidth } from '../output/display-width.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { stylesFor } from '../output/styles.ts'
import { PROBLEM_REMEDIES } from '../remedies.ts'

/** Occurrences by code. */
export type ProblemCounts = Partial<Record<ProblemCode, number>>

/** Reasons listed. */
const MOST = 10

/**
 * A line per code of problem: count and meaning. Codes that `reasons` tell have a line for each reason in place of that, the
 * most frequent first, cut to the width of the terminal.
 */
export function describeProblems(
  problems: ProblemCounts,
  reasons: readonly Problem[],
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
): SafeText[] {
  const width = columnsOf(stdout)
  const told = new Set(reasons.map(({ code }) => code))
  const codes = (Object.entries(problems) as [ProblemCode, number][]).filter(
    ([code]) => !told.has(code),
  )
  if (codes.length === 0 && reasons.length === 0) return []
  const byCount = reasons.toSorted((a, b) => timesOf(b) - timesOf(a))
  const more = reasons.length - MOST
  return [
    stylesFor(stdout, env).yellow(safe`Problems`),
    ...codes.map(([code, count]) => {
      const text = [PROBLEMS[code], PROBLEM_REMEDIES[code]].filter(Boolean).join('; ')
      return line(code, count, ownText(text))
    }),
    ...byCount
      .slice(0, MOST)
      .map((reason) => line(reason.code, timesOf(reason), escapeControls(reason.message)))
      .map((text) => cutToWidth(text, width)),
    ...(more > 0 ? [safe`  and ${formatCount(more)} more, in the table problems`] : []),
  ]
}

const timesOf = ({ times = 1 }: Problem) => times

const line = (code: ProblemCode, count: number, text: SafeText): SafeText =>
  safe`  ${escapeControls(code)} × ${formatCount(count)}: ${text}`

/** Lists the problems of reading backups and exports of other programs, one for each reason. */
export const listReasons = (database: Database): Problem[] =>
  database
    .prepare<string[], Pick<Problem, 'code' | 'message'> & { entry: string; times: number }>(
      `SELECT code, entry, message, sum(times) AS times FROM problems
       WHERE code IN (${SOURCE_PROBLEMS.map(() => '?')}) GROUP BY code, message ORDER BY min(rowid)`,
    )
    .all(...SOURCE_PROBLEMS)
    .map(({ code, entry, message, times }) => ({
      code,
      place: { entry },
      message,
      ...(times > 1 && { times }),
    }))

/** How often each code occurs. */
export function countByCode(problems: readonly Problem[]): ProblemCounts {
  const counts: ProblemCounts = {}
  for (const problem of problems) {
    counts[problem.code] = (counts[problem.code] ?? 0) + timesOf(problem)
  }
  return counts
}
