import { SOURCE_PROBLEMS } from '../../base/error-codes.ts'
import { describePlace } from '../../base/errors.ts'
import type { FileCount, Inspection } from '../../inspect/inspect-archive.ts'
import type { DatabaseInspection } from '../../inspect/inspect-database.ts'
import type { SqlValue } from '../../query/run-query.ts'
import type { Io } from '../command/io.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { shellWord } from '../command/usage-error.ts'
import { type ChartOptions, drawSeries, formatChart } from '../output/charts/format-chart.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatTable } from '../output/format-table.ts'
import { formatBytes, formatCount } from '../output/quantities.ts'
import { PLAIN_STYLES, stylesFor } from '../output/styles.ts'
import { describeProblems } from './describe-problems.ts'
import { chartOptions } from './write-chart.ts'

/** Problems shown one by one; the rest are counted. */
const MOST = 20

/** An inspection for people, of the source that the command line names so. */
export function describeInspection(found: Found, named: string, { stdout, env }: Io): SafeText {
  const styles = stylesFor(stdout, env)
  const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
  const section = (title: SafeText, columns: readonly string[], rows: SqlValue[][]) =>
    rows.length === 0
      ? []
      : [
          safe``,
          styles.bold(title),
          [...formatTable({ columns, rows }, { styles, width })].join('').trimEnd(),
        ]

  const reasons = found.problems.filter(({ code }) => SOURCE_PROBLEMS.includes(code))
  const problems = found.problems.filter((problem) => !reasons.includes(problem)).slice(0, MOST)
  const hidden = found.problemCount - reasons.length - problems.length
  return [
    ...describeArchive(found, named).map(
      ([label, value]) => safe`${ownText(label).padEnd(8)} ${escapeControls(value)}`,
    ),
    ...section(safe`Kinds`, ...kindTable(found, width)),
    ...section(
      safe`Repositories`,
      ['repository', 'issues', 'pulls', 'comments', 'git', 'wiki'],
      repositoryRows(found),
    ),
    ...describeActivity(found, chartOptions({ stdout, env })),
    ...section(safe`Files`, ['role', 'files', 'size'], fileRows(found)),
    ...(reasons.length > 0 ? [safe``, ...describeProblems({}, reasons, { stdout, env })] : []),
    ...section(
      reasons.length > 0 ? safe`Other problems` : safe`Problems`,
      ['code', 'place', 'what'],
      problems.map(({ code, place, message }) => [code, describePlace(place), message]),
    ),
    ...(hidden > 0 ? [safe`and ${formatCount(hidden)} more`] : []),
  ].join('\n')
}

type Found = Inspection & Partial<Pick<DatabaseInspection, 'archives'>>

const SALVAGED = 'only the readable part is shown; the problems list what is lost'

/** The next step with a backup or export of another program. */
const nextWith = (named: string) =>
  `marc build ${shellWord(named)} -o archive.tar.gz makes an archive of it; marc help sources`

/** The form of a backup or export of another program, and its repository if there is one. */
function readAs(source: string, repositories: Found['repositories']): string {
  const [name, ...others] = Object.keys(repositories)
  const of = name === undefined || others.length > 0 ? '' : ` of ${name}`
  return `${source}, read as an archive${of}`
}

function describeArchive(found: Found, named: string): [string, string][] {
  const { name, size, state, source, form, schema, kinds, archives, repositories } = found
  const { container, dialect, prefix, topFolder } = form
  const layout = [
    container === 'gzip' ? 'tar.gz' : container,
    dialect && `${dialect} headers`,
    prefix && `paths begin with ${prefix}`,
    topFolder && `all in ${topFolder}`,
  ]
  const counts = Object.values(kinds)
  const records = counts.reduce((sum, { records }) => sum + records, 0)
  const whole = state === 'complete' ? [] : [['damaged', SALVAGED] as [string, string]]
  return [
    [
      archives ? 'database' : 'archive',
      size === undefined ? name : `${name}, ${formatBytes(size)}`,
    ],
    ...whole,
    archives
      ? [archives.length === 1 ? 'archive' : 'archives', archives.join(', ')]
      : ['form', source ? readAs(source, repositories) : layout.filter(Boolean).join(', ')],
    ...(source ? [['next', nextWith(named)] as [string, string]] : []),
    ['schema', schema?.version ?? 'not stated'],
    ...(schema?.github_sha ? [['host', `build ${schema.github_sha}`] as [string, string]] : []),
    ['records', `${formatCount(records)} of ${count(counts.length, 'kind')}`],
  ]
}

const count = (amount: number, noun: string) =>
  `${formatCount(amount)} ${amount === 1 ? noun : `${noun}s`}`

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1

/** The columns of kinds, the most wanted first. */
const KIND_COLUMNS: readonly string[][] = [
  ['kind', 'records', 'files', 'first', 'last'],
  ['kind', 'records', 'first', 'last'],
  ['kind', 'records'],
]

/** The table of kinds. In a narrow terminal it has fewer columns, because names that are cut look alike. */
function kindTable(found: Inspection, width = Number.POSITIVE_INFINITY): [string[], SqlValue[][]] {
  const [all = []] = KIND_COLUMNS
  const rows = kindRows(found)
  const widths = all.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => `${row[i]}`.length)),
  )
  const widthOf = (columns: string[]) =>
    columns.reduce((sum, name) => sum + (widths[all.indexOf(name)] ?? 0) + 2, -2)
  const columns = KIND_COLUMNS.find((each) => widthOf(each) <= width) ?? KIND_COLUMNS.at(-1) ?? all
  return [columns, rows.map((row) => columns.map((name) => row[all.indexOf(name)] ?? null))]
}

const kindRows = ({ kinds }: Inspection): SqlValue[][] =>
  Object.entries(kinds)
    .sort(byName)
    .map(([name, { records, files, known, first, last }]) => [
      known ? name : `${name} (unknown)`,
      records,
      files,
      dayOf(first),
      dayOf(last),
    ])

// Dates without times leave room for the names of kinds.
const dayOf = (time: string | undefined) => time?.split('T')[0] ?? null

const fileRows = ({ files }: Inspection): SqlValue[][] => {
  const rows = Object.entries(files).sort(byName)
  const sizes = alignSizes(rows.map(([, { bytes }]) => bytes))
  return rows.map(([role, { count }], index) => [role, count, sizes[index] ?? null])
}

function repositoryRows({ repositories, git }: Inspection): SqlValue[][] {
  const names = new Set([
    ...Object.keys(repositories),
    ...Object.keys(git).map((name) => name.replace(/\.wiki$/, '')),
  ])
  const sorted = [...names].sort()
  const bytesOf = (files: FileCount | undefined) => files?.bytes
  const sizes = alignSizes(sorted.map((name) => bytesOf(git[name])))
  const wikis = alignSizes(sorted.map((name) => bytesOf(git[`${name}.wiki`])))
  return sorted.map((name, index) => {
    const { issues = 0, pull_requests = 0, ...rest } = repositories[name] ?? {}
    const comments = (rest.issue_comments ?? 0) + (rest.pull_request_review_comments ?? 0)
    return [name, issues, pull_requests, comments, sizes[index] ?? null, wikis[index] ?? null]
  })
}

/** Sizes aligned to the right. */
function alignSizes(sizes: readonly (number | undefined)[]): (string | null)[] {
  const texts = sizes.map((bytes) => (bytes === undefined ? null : formatBytes(bytes)))
  const width = Math.max(0, ...texts.map((text) => text?.length ?? 0))
  return texts.map((text) => text?.padStart(width) ?? null)
}

/** Charts of an inspection: activity by month, the largest repositories, the most active people. */
const describeActivity = (found: Inspection, options: ChartOptions): SafeText[] => [
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
