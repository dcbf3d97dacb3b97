import type { Database } from '../../../database/open-database.ts'

/** The names of the repositories of which a database has Git data. */
export const repositoriesOf = (database: Database): string[] =>
  database
    .prepare<[], string>(
      `SELECT DISTINCT repository FROM files WHERE role = 'git' AND repository IS NOT NULL ORDER BY 1`,
    )
    .pluck()
    .all()
