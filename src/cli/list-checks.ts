import { type Profile, severityOf } from '../check/check.ts'
import { CHECKS } from '../check/checks.ts'
import type { SqlValue } from '../query/query-result.ts'

/** The table of checks as a profile has them, as rows. */
export function listChecks(profile: Profile): { columns: string[]; rows: SqlValue[][] } {
  return {
    columns: ['code', 'severity', 'summary', 'source'],
    rows: CHECKS.map((check) => [
      ...[check.code, severityOf(check, profile), check.summary, check.source],
    ]),
  }
}
