import type { Problem, ProblemCode, Report } from '../base/errors.ts'
import type { Database } from './open-database.ts'

/** Problems stored per code, at most: hostile archives have millions. All are counted. */
const MOST = 100_000

/** Stores the problems of an archive. */
export interface ProblemStore {
  report: Report
  /** Reports how many were not stored. */
  finish(): void
}

/** Stores problems, adds the number of affected records to `counts` by code, and passes the problems on. */
export function openProblemStore(
  database: Database,
  archive: number,
  counts: Partial<Record<ProblemCode, number>>,
  next: Report,
): ProblemStore {
  const insert = database.prepare('INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const reported: typeof counts = {}
  const keep = (problem: Problem) => {
    const { code, message, content, place, times = 1 } = problem
    const { entry, record, member } = place
    const where = [entry ?? null, record ?? null, member ?? null]
    insert.run(archive, code, ...where, message, content ?? null, times)
    next(problem)
  }
  return {
    report(problem) {
      const { code, times = 1 } = problem
      counts[code] = (counts[code] ?? 0) + times
      reported[code] = (reported[code] ?? 0) + 1
      if (reported[code] <= MOST) keep(problem)
    },
    finish() {
      for (const [code, count] of Object.entries(reported) as [ProblemCode, number][]) {
        const message = `${count - MOST} more, not stored`
        if (count > MOST) keep({ code, place: {}, message, times: count - MOST })
      }
    },
  }
}
