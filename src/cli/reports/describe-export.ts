import type { ExportSummary } from '../../exporters/export-data.ts'
import type { ExportVerification } from '../../exporters/verify/verify-export.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { stylesFor } from '../output/styles.ts'

/** The summary for people: tables of each partition, and which members did not fit into their columns. */
export function describeExport(
  folder: string,
  done: readonly ExportSummary[],
  seconds: number,
  io: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  const { bold, yellow } = stylesFor(io.stdout, io.env)
  const lines = done.flatMap(({ name, outcome, state, tables }) => [
    ...(outcome === 'unchanged'
      ? [safe`${bold(escapeControls(name))} is up to date.`]
      : [bold(escapeControls(name)), ...Object.entries(tables).map(describeTable)]),
    ...(state === 'salvaged'
      ? [yellow(safe`  incomplete: the archive is damaged; marc inspect says what is lost`)]
      : []),
  ])
  const written = done.filter(({ outcome }) => outcome === 'written').length
  if (written === 0) return lines.join('\n')
  const partitions = written === 1 ? safe`1 partition` : safe`${formatCount(written)} partitions`
  const where = safe`Wrote ${partitions} of ${escapeControls(folder)}`
  return [...lines, safe`${where} in ${formatDuration(seconds * 1000)}.`].join('\n')
}

function describeTable([name, { rows, bytes, extra }]: [
  string,
  ExportSummary['tables'][string],
]): SafeText {
  const counts = safe`${formatCount(rows).padStart(11)}${formatBytes(bytes).padStart(11)}`
  return safe`  ${escapeControls(name).padEnd(30)}${counts}${describeExtra(extra)}`
}

function describeExtra({ rows, members }: ExportSummary['tables'][string]['extra']): SafeText {
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
