import type { ExportSummary } from '../../exporters/export-data.ts'
import type { ExportVerification } from '../../exporters/verify/verify-export.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { type Styles, stylesFor } from '../output/styles.ts'

/** The summary for people: the tables of one partition, or a line for each of several, and what did not fit into columns. */
export function describeExport(
  folder: string,
  done: readonly ExportSummary[],
  seconds: number,
  io: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  const styles = stylesFor(io.stdout, io.env)
  const [first] = done
  const lines =
    first && done.length === 1 ? describeOne(first, styles) : describeSeveral(done, styles)
  const written = done.filter(isWritten).length
  if (written === 0) return lines.join('\n')
  const where = safe`Wrote ${countPartitions(written)} of ${escapeControls(folder)}`
  return [...lines, safe`${where} in ${formatDuration(seconds * 1000)}.`].join('\n')
}

const isWritten = ({ outcome }: ExportSummary) => outcome === 'written'

function describeOne(one: ExportSummary, { bold, yellow }: Styles): SafeText[] {
  const name = bold(escapeControls(one.name))
  return [
    ...(isWritten(one)
      ? [name, ...Object.entries(one.tables).map(describeTable)]
      : [safe`${name} is up to date.`]),
    ...(one.state === 'salvaged' ? [yellow(safe`  ${INCOMPLETE}`)] : []),
  ]
}

function describeSeveral(done: readonly ExportSummary[], { yellow }: Styles): SafeText[] {
  const written = done.filter(isWritten)
  const unchanged = done.length - written.length
  const are = unchanged === 1 ? safe`is` : safe`are`
  return [
    ...written.map(({ name, tables }) => describeTable([name, sumOf(Object.values(tables))])),
    ...(unchanged > 0 ? [safe`${countPartitions(unchanged)} ${are} up to date.`] : []),
    ...done
      .filter(({ state }) => state === 'salvaged')
      .map(({ name }) => yellow(safe`  ${escapeControls(name)} is ${INCOMPLETE}`)),
  ]
}

const INCOMPLETE = safe`incomplete: the archive is damaged; marc inspect says what is lost`

const countPartitions = (count: number): SafeText =>
  count === 1 ? safe`1 partition` : safe`${formatCount(count)} partitions`

type ExportedTable = ExportSummary['tables'][string]

function sumOf(tables: readonly ExportedTable[]): Pick<ExportedTable, 'rows' | 'bytes' | 'extra'> {
  const sum = { rows: 0, bytes: 0, extra: { rows: 0, members: {} } }
  for (const { rows, bytes, extra } of tables) {
    sum.rows += rows
    sum.bytes += bytes
    sum.extra.rows += extra.rows
    Object.assign(sum.extra.members, extra.members)
  }
  return sum
}

function describeTable([name, { rows, bytes, extra }]: [
  string,
  Pick<ExportedTable, 'rows' | 'bytes' | 'extra'>,
]): SafeText {
  const counts = safe`${formatCount(rows).padStart(11)}${formatBytes(bytes).padStart(11)}`
  return safe`  ${escapeControls(name).padEnd(30)}${counts}${describeExtra(extra)}`
}

function describeExtra({ rows, members }: ExportedTable['extra']): SafeText {
  if (rows === 0) return safe``
  const names = Object.keys(members).slice(0, 3).map(escapeControls)
  return safe`  _extra in ${formatCount(rows)}: ${names.join(', ')}`
}

/** The sources that were not exported before a fault of the target. */
export function describeLeft(left: readonly string[], sources: number): SafeText {
  const exported = safe`${formatCount(sources - left.length)} of ${formatCount(sources)} were exported`
  return [
    safe`${exported}. Not exported:`,
    ...left.map((one) => safe`  ${escapeControls(one)}`),
  ].join('\n')
}

/** Differences of one partition that are shown, at most. */
const SHOWN = 20

/** Formats the result of `--verify` for people. */
export function describeVerification(
  found: readonly ExportVerification[],
  io: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  const { bold } = stylesFor(io.stdout, io.env)
  const isEmpty = found.every(({ name }) => name === null)
  const lines = found.flatMap(({ name, differences, notCompared }) => {
    const shown = name === null ? safe`The rest of the target` : escapeControls(name)
    const left = notCompared.map(escapeControls).join(', ')
    const scope = left === '' ? safe`` : safe` Not compared: ${left as SafeText}.`
    if (differences.length === 0) return [safe`${shown} is as it should be.${scope}`]
    const more = differences.length - SHOWN
    return [
      safe`${bold(shown)} differs:`,
      ...differences.slice(0, SHOWN).map(describeDifference),
      ...(more > 0 ? [safe`  and ${more} more`] : []),
      ...(left === '' ? [] : [safe` ${scope}`]),
    ]
  })
  return [...(isEmpty ? [safe`There are no partitions.`] : []), ...lines].join('\n') as SafeText
}

function describeDifference({
  table,
  record,
  fact,
  expected,
  found,
}: ExportVerification['differences'][number]): SafeText {
  const where = [table, record].flatMap((name) =>
    name === undefined ? [] : [escapeControls(name)],
  )
  const show = (value: typeof found) => {
    if (record === undefined) return escapeControls(String(value ?? 'nothing'))
    return typeof value === 'string'
      ? escapeControls(JSON.stringify(value))
      : escapeControls(String(value ?? 'NULL'))
  }
  const what = [...where, escapeControls(fact)].join(', ')
  return safe`  ${what as SafeText}: expected ${show(expected)}, found ${show(found)}`
}
