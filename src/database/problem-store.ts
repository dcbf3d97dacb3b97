import type { Problem, ProblemCode, Report } from '../errors.ts'
import type { Database } from './open-database.ts'

/** Problems with one code that are kept: hostile archives have millions. All of them are counted. */
const MOST = 100_000

/** Keeps the problems of an archive. */
export interface ProblemStore {
  report: Report
  /** Tells of those that were too many to keep. */
  finish(): void
}

/** Stores the problems of an archive, counts them by code in `counts`, and passes them on. */
export function openProblemStore(
  database: Database,
  archive: number,
  counts: Partial<Record<ProblemCode, number>>,
  next: Report,
): ProblemStore {
  const insert = database.prepare('INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?)')
  const keep = (problem: Problem) => {
    const { code, message, content, place } = problem
    const { entry, record, member } = place
    const where = [entry ?? null, record ?? null, member ?? null]
    insert.run(archive, code, ...where, message, content ?? null)
    next(problem)
  }
  return {
    report(problem) {
      const count = (counts[problem.code] ?? 0) + 1
      counts[problem.code] = count
      if (count <= MOST) keep(problem)
    },
    finish() {
      for (const [code, count] of Object.entries(counts) as [ProblemCode, number][]) {
        const message = `${count - MOST} more, of which nothing was kept`
        if (count > MOST) keep({ code, place: {}, message })
      }
    },
  }
}
