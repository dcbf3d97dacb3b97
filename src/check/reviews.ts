import type { Check } from '../rules/rule.ts'

/** Reviews, their threads, and comments of all sorts. */
export const reviewChecks: readonly Check[] = [
  {
    code: 'comment-same-time',
    severity: 'warning',
    summary: 'Of comments by one person in one thread with one date an importer keeps one',
    evidence: 'documented',
    source: "users' reports of imports",
    run: (_, faults) =>
      faults.addAll(
        // Only the place of the last of them is sorted with what they share, which begins with what few do share; and
        // rows come in their order, where by the index of users each would be looked for.
        `SELECT 'issue_comments' AS kind, url, _entry AS entry, _record_number AS record,
           times || ' comments with the date ' || created_at AS message FROM (
             SELECT max(rowid) AS last, count(*) AS times
             FROM issue_comments NOT INDEXED WHERE "user" IS NOT NULL
             GROUP BY created_at, "user", coalesce(issue, pull_request) HAVING times > 1)
         JOIN issue_comments ON issue_comments.rowid = last`,
      ),
  },
]
