import type { FilePatch } from './diff-trees.ts'

/** A changed file in a list. */
export type FileStat = Omit<FilePatch, 'hunks'> & {
  /** The path, or both of a renamed file: `src/{old => new}/kettle.ts`. */
  readonly name: string
}

/** The statistics of patches, without their hunks, which may be large. A changed type is one file again, with status T. */
export function* statsOf(files: Iterable<FilePatch>): Generator<FileStat> {
  let last: FileStat | undefined
  for (const file of files) {
    const stat = statOf(file)
    if (last && last.change.status === 'D' && last.change.path === stat.change.path) {
      yield joined(last, stat)
      last = undefined
      continue
    }
    if (last) yield last
    last = stat
  }
  if (last) yield last
}

function statOf({ change, isText, inserted, deleted, sizes }: FilePatch): FileStat {
  const { before, after, path } = change
  const isRenamed = before && after && before.path !== after.path
  const name = isRenamed ? joinedName(before.path, after.path) : path
  return { change, name, isText, inserted, deleted, sizes }
}

const joined = (left: FileStat, right: FileStat): FileStat => ({
  ...right,
  change: { ...right.change, status: 'T', before: left.change.before },
  isText: left.isText && right.isText,
  deleted: left.deleted,
  sizes: [left.sizes[0], right.sizes[1]],
})

/** The two paths of a renamed file as one, with the folders that they share at both ends taken out. */
function joinedName(old: string, now: string): string {
  let start = 0
  for (let i = 0; i < old.length && old[i] === now[i]; i++) if (old[i] === '/') start = i + 1
  // The slash before the ends may be the one after the start.
  const least = start > 0 ? start - 1 : 0
  let end = 0
  for (let i = 1; i <= old.length - least && i <= now.length - least; i++) {
    if (old.at(-i) !== now.at(-i)) break
    if (old.at(-i) === '/') end = i
  }
  const middle = (path: string) => path.slice(start, Math.max(start, path.length - end))
  const moved = `${middle(old)} => ${middle(now)}`
  return start + end > 0
    ? `${old.slice(0, start)}{${moved}}${end > 0 ? old.slice(-end) : ''}`
    : moved
}

/** A row of `git diff --stat`. */
export interface StatRow {
  /** The name with its padding and the number of lines, ` src/kettle.ts | 12`. */
  readonly text: string
  /** The bar of `+`, then of `-`. */
  readonly inserted: string
  readonly deleted: string
}

const WIDTH = 80
const LEAST_BAR = 6
// The space and bar around the name and the number.
const BETWEEN = 6

/**
 * Lays statistics out as `git diff --stat` does: names, numbers of changed lines, and bars, within a width.
 *
 * @param widthOf the columns that a text takes
 */
export function layOutStat(
  stats: readonly Omit<FileStat, 'change'>[],
  { width = WIDTH, widthOf = (text: string) => text.length } = {},
): StatRow[] {
  const largest = Math.max(0, ...stats.map(({ inserted, deleted }) => inserted + deleted))
  const binaries = stats.filter(({ isText }) => !isText)
  const numberWidth = Math.max(`${largest}`.length, binaries.length > 0 ? 'Bin'.length : 0)
  const binaryWidth = Math.max(0, ...binaries.map(({ sizes }) => bytesText(sizes).length + 4))
  let nameWidth = Math.max(0, ...stats.map(({ name }) => widthOf(name)))
  let barWidth = Math.max(largest, binaryWidth - 4)
  const room = Math.max(width, 16 + BETWEEN + numberWidth) - BETWEEN - numberWidth
  if (nameWidth + barWidth > room) {
    const share = Math.floor((Math.max(width, room) * 3) / 8) - numberWidth - BETWEEN
    if (barWidth > share) barWidth = Math.max(LEAST_BAR, share)
    if (nameWidth > room - barWidth) nameWidth = room - barWidth
    else barWidth = room - nameWidth
  }
  return stats.map(({ name, isText, inserted, deleted, sizes }) => {
    const shown = fitName(name, nameWidth, widthOf)
    const padding = ' '.repeat(Math.max(0, nameWidth - widthOf(shown)))
    const start = ` ${shown}${padding} | `
    if (!isText) {
      const bytes = sizes[0] + sizes[1] > 0 ? ` ${bytesText(sizes)}` : ''
      return { text: `${start}${'Bin'.padStart(numberWidth)}${bytes}`, inserted: '', deleted: '' }
    }
    const lines = inserted + deleted
    const bars = barsOf(inserted, deleted, barWidth, largest)
    const text = `${start}${`${lines}`.padStart(numberWidth)}${lines > 0 ? ' ' : ''}`
    return { text, inserted: '+'.repeat(bars[0]), deleted: '-'.repeat(bars[1]) }
  })
}

const bytesText = ([before, after]: readonly [number, number]) => `${before} -> ${after} bytes`

/** Cuts a name at its start, at a slash if there is one. */
function fitName(name: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(name) <= width) return name
  let rest = name
  while (rest !== '' && widthOf(rest) > width - 3) rest = rest.slice(1)
  const slash = rest.indexOf('/')
  return `...${slash < 0 ? rest : rest.slice(slash)}`
}

/** The lengths of both bars; a change that is shown at all has a sign of each of its kinds. */
function barsOf(inserted: number, deleted: number, width: number, largest: number) {
  if (largest < width) return [inserted, deleted] as const
  const scale = (lines: number) =>
    lines === 0 ? 0 : 1 + Math.floor((lines * (width - 1)) / largest)
  const both = inserted > 0 && deleted > 0
  const total = Math.max(scale(inserted + deleted), both ? 2 : 0)
  if (inserted < deleted) return [scale(inserted), total - scale(inserted)] as const
  return [total - scale(deleted), scale(deleted)] as const
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)`. */
export function sumStat(stats: readonly Pick<FileStat, 'inserted' | 'deleted'>[]): string {
  const inserted = stats.reduce((sum, stat) => sum + stat.inserted, 0)
  const deleted = stats.reduce((sum, stat) => sum + stat.deleted, 0)
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  const parts = [` ${count(stats.length, 'file')} changed`]
  if (inserted > 0 || deleted === 0) parts.push(`${count(inserted, 'insertion')}(+)`)
  if (deleted > 0 || inserted === 0) parts.push(`${count(deleted, 'deletion')}(-)`)
  return parts.join(', ')
}
