import type { ExportSummary } from '../../exporters/export-data.ts'
import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'

/** The summary for people: tables of each partition, and which members did not fit into their columns. */
export function describeExport(
  folder: string,
  done: readonly ExportSummary[],
  seconds: number,
  io: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  const { bold } = stylesFor(io.stdout, io.env)
  const lines = done.flatMap(({ name, outcome, tables }) =>
    outcome === 'unchanged'
      ? [safe`${bold(escapeControls(name))} is up to date.`]
      : [bold(escapeControls(name)), ...Object.entries(tables).map(describeTable)],
  )
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
