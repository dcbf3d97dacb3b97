import type { ProblemCode, Report } from '../errors.ts'
import type { Database } from './open-database.ts'

/** Stores the problems of an archive, counts them by code in `counts`, and passes them on. */
export function openProblemStore(
  database: Database,
  archive: number,
  counts: Partial<Record<ProblemCode, number>>,
  next: Report,
): Report {
  const insert = database.prepare('INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?)')
  return (problem) => {
    const { code, message, content, place } = problem
    const { entry, record, member } = place
    insert.run(
      archive,
      code,
      entry ?? null,
      record ?? null,
      member ?? null,
      message,
      content ?? null,
    )
    counts[code] = (counts[code] ?? 0) + 1
    next(problem)
  }
}
