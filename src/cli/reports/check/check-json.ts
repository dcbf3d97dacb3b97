import { safe } from '../../output/safe-text.ts'
import { streamJson } from '../../output/stream-json.ts'
import { type ReportFormat, takePlaces } from './check-report.ts'

/** A report as a JSON object, with every place unless fewer are asked for. */
export const checkAsJson: ReportFormat = function* ({
  most = Number.POSITIVE_INFINITY,
  ...report
}) {
  const { archive, profile, ok, checks, incomplete } = report
  const findings = report.findings.map(({ allPlaces, ...finding }) => ({
    ...finding,
    places: takePlaces({ ...finding, allPlaces }, most),
  }))
  yield* streamJson({ archive, profile, ok, checks, incomplete, findings })
  yield safe`\n`
}
