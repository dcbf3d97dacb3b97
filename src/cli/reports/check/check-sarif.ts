import { VERSION } from '../../../base/version.ts'
import { CHECKS } from '../../../conformance/checks/checks.ts'
import { describeEvidence, type Fault } from '../../../rules/rule.ts'
import { safe } from '../../command/safe-text.ts'
import { type StreamedJson, streamJson } from '../../output/stream-json.ts'
import { type CheckReport, type ReportFormat, takePlaces } from './check-report.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** A report as SARIF 2.1.0, which GitHub shows with a build. Lists every place by default. */
export const checkAsSarif: ReportFormat = function* (report) {
  const { profile, checks, incomplete, git, findings, importer } = report
  const ids = findings.map(({ code }) => code)
  yield* streamJson({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'marc check',
            semanticVersion: VERSION,
            rules: CHECKS.filter(({ code }) => ids.includes(code)).map(ruleOf),
          },
        },
        results: resultsOf(report),
        properties: { profile, checks, incomplete, git: { ...git }, importer },
      },
    ],
  })
  yield safe`\n`
}

function* resultsOf(report: CheckReport): Generator<StreamedJson> {
  const { findings, most = Number.POSITIVE_INFINITY } = report
  for (const finding of findings) {
    const { code, severity, count } = finding
    for (const place of takePlaces(finding, most)) {
      yield {
        ruleId: code,
        level: severity,
        message: { text: place.message },
        locations: [locationOf(place, report)],
        properties: { count },
      }
    }
  }
}

const ruleOf = ({ code, summary, evidence, source }: (typeof CHECKS)[number]) => ({
  id: code,
  shortDescription: { text: summary },
  help: { text: `${summary}. Evidence: ${describeEvidence(evidence)}. Source: ${source}.` },
})

/** The entry, or the archive if the fault is not in one entry; the record by its URL. */
function locationOf(fault: Fault, { archives }: CheckReport) {
  const { kind, url, entry, record } = fault
  const uri = (entry ?? fault.archive ?? archives[0] ?? '').split('/').map(encodePart).join('/')
  const names = [url ?? undefined, record === null ? undefined : `record ${record}`]
  const name = names.filter((part) => part !== undefined).join(', ')
  return {
    physicalLocation: { artifactLocation: { uri } },
    ...(name !== '' && {
      logicalLocations: [{ fullyQualifiedName: name, ...(kind !== null && { kind }) }],
    }),
  }
}

// encodeURIComponent throws on a lone surrogate.
const encodePart = (part: string) => encodeURIComponent(part.toWellFormed())
