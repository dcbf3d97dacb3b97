import type { Store } from './store.ts'

/**
 * Makes the temporary table `closings`, unless there is one: the view `closing_pull_requests` by issue. Its records say which
 * issues a pull request closes, so that SQLite would read all pull requests for each issue.
 */
export function keepClosings({ database }: Store): void {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS closings AS SELECT * FROM closing_pull_requests')
  database.exec('CREATE INDEX IF NOT EXISTS temp.closings_by_issue ON closings (issue)')
}
