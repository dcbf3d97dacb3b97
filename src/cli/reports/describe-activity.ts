import type { Inspection } from '../../inspect-archive/inspect-archive.ts'
import type { SqlValue } from '../../query/run-query.ts'
import { type ChartOptions, drawSeries, formatChart } from '../output/charts/format-chart.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import { PLAIN_STYLES } from '../output/styles.ts'

/** Charts of an inspection: activity by month, the largest repositories, the most active people. */
export const describeActivity = (found: Inspection, options: ChartOptions): SafeText[] => [
  ...describeMonths(found, options),
  ...describeMost(found, options),
]

/** The kinds in the chart of activity, in order. */
const ACTIVITY = [
  'issues',
  'pull_requests',
  'issue_comments',
  'pull_request_reviews',
  'issue_events',
]

function describeMonths({ kinds }: Inspection, options: ChartOptions): SafeText[] {
  const series = ACTIVITY.map((name) => ({
    name,
    values: new Map(Object.entries(kinds[name]?.months ?? {})),
  })).filter(({ values }) => values.size > 0)
  const months = new Set(series.flatMap(({ values }) => [...values.keys()]))
  if (months.size < 2) return []
  return section(safe`By month`, drawSeries(series, options), options)
}

/** The ten repositories with most records and the people with most, if there is more than one. */
function describeMost({ repositories, writers }: Inspection, options: ChartOptions): SafeText[] {
  const records = Object.entries(repositories)
    .map(([name, counts]) => [name, Object.values(counts).reduce((sum, count) => sum + count, 0)])
    .sort(([, a], [, b]) => Number(b) - Number(a))
    .slice(0, 10)
  const bars = (title: SafeText, rows: SqlValue[][]) =>
    rows.length < 2
      ? []
      : section(
          title,
          formatChart({ columns: ['', 'records'], rows: rows.values() }, options),
          options,
        )
  return [
    ...bars(safe`Repositories by records`, records),
    ...bars(
      safe`People by records`,
      writers.map(({ login, records }) => [login, records]),
    ),
  ]
}

const section = (
  title: SafeText,
  chart: SafeText | undefined,
  { styles = PLAIN_STYLES }: ChartOptions,
): SafeText[] => [safe``, styles.bold(title), chart?.trimEnd() ?? safe``]
