import type { CheckResult } from '../conformance/checks/check-database.ts'
import type { ImportLine } from '../conformance/checks/importer.ts'
import type { Fault } from '../rules/rule.ts'

/** The result of a check, as one process tells it to another. */
export interface CheckReport {
  readonly ok: boolean
  readonly checks: number
  readonly git: CheckResult['git']
  readonly incomplete: readonly { readonly code: string; readonly why: string }[]
  readonly findings: readonly {
    readonly code: string
    readonly severity: string
    readonly summary: string
    readonly count: number
    readonly places: readonly string[]
  }[]
  readonly importer: readonly ImportLine[]
}

/** The plain values of a result. */
export const reportOf = ({
  ok,
  checks,
  git,
  incomplete,
  findings,
  importer,
}: CheckResult): CheckReport => ({
  ok,
  checks,
  git,
  incomplete,
  findings: findings.map(({ code, severity, summary, count, places }) => ({
    code,
    severity,
    summary,
    count,
    places: places.map((place) => describe(place)),
  })),
  importer,
})

const describe = ({ url, entry, record, message }: Fault): string => {
  const place =
    url ?? (entry === null ? undefined : `${entry}${record === null ? '' : `, record ${record}`}`)
  return place === undefined ? message : `${place}: ${message}`
}
