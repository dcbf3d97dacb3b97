import { LOSSES } from '../../base/error-codes.ts'
import { describePlace } from '../../base/errors.ts'
import type { LoadedArchive, LoadSummary } from '../../load/load-archive.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { type Styles, stylesFor } from '../output/styles.ts'
import { describeProblems } from './describe-problems.ts'

/** Archives that are described one by one. Of more, each has a line. */
const MOST_DESCRIBED = 10

/** The summary of a load for people: of each archive, and of all that were added together. */
export function describeLoad(
  { database, archives }: LoadSummary,
  seconds: number,
  io: Io,
): SafeText {
  const styles = stylesFor(io.stdout, io.env)
  const areMany = archives.length > MOST_DESCRIBED
  const describe = areMany ? describeInLine : describeArchive
  const unchanged = areMany ? archives.filter(isUnchanged) : []
  const same = unchanged.length > 1 ? unchanged : []
  const lines = archives
    .filter((archive) => !same.includes(archive))
    .flatMap((archive) => describe(archive, styles, io))
  if (same.length > 0) {
    const count = styles.bold(safe`${formatCount(same.length)} archives`)
    lines.push(safe`${count} were already loaded: nothing changed.`)
  }
  const added = archives.filter(({ alreadyLoaded }) => !alreadyLoaded)
  if (added.length > 1) lines.push(...describeArchive(totalOf(added), styles, io))
  if (added.length === 0 && archives.every(isUnchanged)) {
    lines.push(safe`To load everything again, over the database, add --force.`)
  }
  lines.push(
    safe`${styles.bold(escapeControls(database))} is ready after ${formatDuration(seconds * 1000)}.`,
  )
  return lines.join('\n')
}

/** Whether there is nothing to say of an archive but that it is there. */
const isUnchanged = ({ alreadyLoaded, state, files, missing = 0 }: LoadedArchive): boolean =>
  alreadyLoaded && state === 'complete' && files.count === 0 && missing === 0

/** An archive of many: its records, files and kinds of problems. */
function describeInLine(archive: LoadedArchive, styles: Styles, io: Io): SafeText[] {
  const { bold, yellow } = styles
  const name = bold(escapeControls(archive.name))
  if (archive.alreadyLoaded) return describeArchive(archive, styles, io)
  const counts = Object.values(archive.kinds).map(
    ({ added, replaced, unchanged, outdated = 0 }) => added + replaced + unchanged + outdated,
  )
  const sum = counts.reduce((sum, count) => sum + count, 0)
  const records = sum === 1 ? safe`1 record` : safe`${formatCount(sum)} records`
  const { count, bytes } = archive.files
  const codes = Object.keys(archive.problems)
  const problems = codes.length === 0 ? safe`` : yellow(escapeControls(`; ${codes.join(', ')}`))
  return [
    safe`${name}: ${records}, ${formatCount(count)} ${filesIn(count)} of ${formatBytes(bytes)}${problems}`,
    ...describeLosses(archive, styles),
  ]
}

/** All archives as if they were one. */
function totalOf(archives: readonly LoadedArchive[]): LoadedArchive {
  const total: LoadedArchive = {
    name: `${formatCount(archives.length)} archives`,
    alreadyLoaded: false,
    kinds: {},
    files: { count: 0, bytes: 0 },
    problems: {},
    state: 'complete',
    lost: [],
  }
  for (const { kinds, files, problems } of archives) {
    for (const [kind, counts] of Object.entries(kinds)) {
      total.kinds[kind] = addedUp(total.kinds[kind], counts)
    }
    total.files = addedUp(total.files, files)
    total.problems = addedUp(total.problems, problems)
  }
  return total
}

/** The sums of what two objects count under the same names. */
const addedUp = <T extends object>(left: T | undefined, right: T): T => {
  const sums: Record<string, number> = { ...left } as Record<string, number>
  for (const [name, count] of Object.entries(right)) sums[name] = (sums[name] ?? 0) + count
  return sums as T
}

function describeArchive(archive: LoadedArchive, styles: Styles, io: Io): SafeText[] {
  const name = styles.bold(escapeControls(archive.name))
  if (archive.alreadyLoaded) {
    const how = archive.state === 'salvaged' ? safe`, as far as it was readable` : safe``
    return [safe`${name} was already loaded${how}: ${describeContents(archive)}`]
  }
  const kinds = Object.entries(archive.kinds).sort(([a], [b]) => (a < b ? -1 : 1))
  const width = Math.max(5, ...kinds.map(([kind]) => kind.length))
  const row = (label: string, count: number, note: SafeText) => {
    const remark = note === '' ? note : safe`  ${note}`
    return safe`  ${escapeControls(label).padEnd(width)} ${formatCount(count).padStart(10)}${remark}`
  }
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
    ...describeProblems(archive.problems, archive.reasons ?? [], io),
    ...describeLosses(archive, styles),
  ]
}

/** Which of two exports is older, if they share records. */
function describeAge({ exportedAt, overlaps = [] }: LoadedArchive): SafeText[] {
  if (exportedAt === undefined || overlaps.length === 0) return []
  const others = overlaps.map(
    (other) => `${other.age === 'older' ? 'after' : 'before'} ${other.name} (${other.exportedAt})`,
  )
  return [escapeControls(`  exported ${exportedAt}, ${others.join(', ')}`)]
}

function describeContents({ files, missing = 0 }: LoadedArchive): SafeText {
  const { count, bytes } = files
  const added = safe`contents of ${formatCount(count)} ${filesIn(count)} were added, ${formatBytes(bytes)}.`
  const left = safe`Contents of ${formatCount(missing)} ${filesIn(missing)} are still missing: to add them, load everything again with --force.`
  const shown = count > 0 ? added : safe`nothing changed.`
  return missing > 0 ? safe`${shown}\n${left}` : shown
}

const filesIn = (count: number) => (count === 1 ? safe`file` : safe`files`)

/** Losses listed one by one. */
const MOST = 20

function describeLosses({ problems, lost }: LoadedArchive, { yellow }: Styles): SafeText[] {
  if (lost.length === 0) return []
  const all = LOSSES.reduce((sum, code) => sum + (problems[code] ?? 0), 0)
  const shown = lost.slice(0, MOST).map(({ place: { archive: _, ...place }, message }) => {
    const where = describePlace(place)
    return safe`  ${escapeControls(where ? `${where}: ${message}` : message)}`
  })
  const more = all - shown.length
  return [
    yellow(safe`Lost`),
    ...shown,
    ...(more > 0 ? [safe`  and ${formatCount(more)} more, in the table problems`] : []),
  ]
}

const changes = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => safe`${formatCount(count)} ${escapeControls(what)}`)
    .join(', ')
