import { CHECKS } from '../../check/checks.ts'
import type { SqlValue } from '../../query/run-query.ts'
import { describeEvidence, type Profile, severityOf } from '../../rules/rule.ts'

/** The table of checks as a profile has them, as rows. */
export function listChecks(profile: Profile): { columns: string[]; rows: SqlValue[][] } {
  return {
    columns: ['code', 'severity', 'summary', 'evidence', 'source'],
    rows: CHECKS.map((check) => [
      ...[
        check.code,
        severityOf(check, profile),
        check.summary,
        describeEvidence(check.evidence),
        check.source,
      ],
    ]),
  }
}
