import { describePlace, LOSSES, PROBLEMS, type ProblemCode } from '../errors.ts'
import type { LoadedArchive, LoadSummary } from '../load-archive.ts'
import type { Io } from './io.ts'
import { escapeControls } from './output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from './output/quantities.ts'
import { type Styles, stylesFor } from './output/styles.ts'

/** The summary of a load as a person reads it. */
export function describeLoad(
  { database, archives }: LoadSummary,
  seconds: number,
  { stdout, env }: Io,
): string {
  const styles = stylesFor(stdout, env)
  const lines = archives.flatMap((archive) => describeArchive(archive, styles))
  lines.push(
    `${styles.bold(escapeControls(database))} is ready after ${formatDuration(seconds * 1000)}.`,
  )
  return lines.join('\n')
}

function describeArchive(archive: LoadedArchive, styles: Styles): string[] {
  const name = styles.bold(escapeControls(archive.name))
  if (archive.alreadyLoaded) {
    const how = archive.state === 'salvaged' ? ', as far as it could be salvaged' : ''
    return [`${name} was loaded before${how}: ${describeContents(archive)}`]
  }
  const kinds = Object.entries(archive.kinds).sort(([a], [b]) => (a < b ? -1 : 1))
  const width = Math.max(5, ...kinds.map(([kind]) => kind.length))
  const row = (label: string, count: number, note: string) =>
    `  ${escapeControls(label).padEnd(width)} ${formatCount(count).padStart(10)}${note && `  ${note}`}`
  return [
    name,
    ...describeAge(archive),
    ...kinds.map(([kind, { added, replaced, unchanged, outdated = 0 }]) =>
      row(
        kind,
        added + replaced + unchanged + outdated,
        changes({ replaced, unchanged, outdated }),
      ),
    ),
    row('files', archive.files.count, formatBytes(archive.files.bytes)),
    ...describeProblems(archive.problems, styles),
    ...describeLosses(archive, styles),
  ]
}

/** Which of two exports is older, where they have records in common. */
function describeAge({ exportedAt, overlaps = [] }: LoadedArchive): string[] {
  if (exportedAt === undefined || overlaps.length === 0) return []
  const others = overlaps.map(
    (other) => `${other.age === 'older' ? 'after' : 'before'} ${other.name} (${other.exportedAt})`,
  )
  return [escapeControls(`  made ${exportedAt}, ${others.join(', ')}`)]
}

function describeContents({ files, missing = 0 }: LoadedArchive): string {
  const { count, bytes } = files
  const added = `contents of ${formatCount(count)} ${count === 1 ? 'file' : 'files'} were added, ${formatBytes(bytes)}.`
  const left = `Contents of ${formatCount(missing)} ${missing === 1 ? 'file' : 'files'} are still left out: to have them, load all anew with --force.`
  return `${count > 0 ? added : 'nothing changed.'}${missing > 0 ? `\n${left}` : ''}`
}

/** Losses told one by one. */
const MOST = 20

function describeLosses({ problems, lost }: LoadedArchive, { yellow }: Styles): string[] {
  if (lost.length === 0) return []
  const all = LOSSES.reduce((sum, code) => sum + (problems[code] ?? 0), 0)
  const shown = lost.slice(0, MOST).map(({ place: { archive: _, ...place }, message }) => {
    const where = describePlace(place)
    return `  ${escapeControls(where ? `${where}: ${message}` : message)}`
  })
  const more = all - shown.length
  return [
    yellow('Lost'),
    ...shown,
    ...(more > 0 ? [`  and ${formatCount(more)} more, in the table problems`] : []),
  ]
}

const changes = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${formatCount(count)} ${what}`)
    .join(', ')

/** A line for each code of problem: how often, and what it means. */
export function describeProblems(
  problems: Partial<Record<ProblemCode, number>>,
  { yellow }: Styles,
): string[] {
  const codes = Object.entries(problems) as [ProblemCode, number][]
  if (codes.length === 0) return []
  return [
    yellow('Problems'),
    ...codes.map(([code, count]) => `  ${code} × ${formatCount(count)}: ${PROBLEMS[code]}`),
  ]
}
