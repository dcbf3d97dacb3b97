import { isUtf8 } from 'node:buffer'
import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { createLineDiffer } from '../../git/diff/diff-lines.ts'
import { type DiffOptions, diffTreesWith, type FilePatch } from '../../git/diff/diff-trees.ts'
import { createPatchWriter, type PatchPiece } from '../../git/diff/format-patch.ts'
import { layOutStat, statsOf, sumStat } from '../../git/diff/format-stat.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import { pullRangeOf } from '../../reading/git/pull-requests.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { displayWidth } from '../output/display-width.ts'
import { escapeControls, escapeControlsButNewlines } from '../output/escape-controls.ts'
import { type Styles, stylesFor } from '../output/styles.ts'
import type { Piece } from '../output/write-all.ts'

/** How to show what changed in files. */
export interface PatchForm {
  stat?: boolean | undefined
  binary?: boolean | undefined
}

/** Patches as bytes that `git apply` takes; on a terminal in colours and with escaped control characters. */
export function* describePatches(
  files: Iterable<FilePatch>,
  objects: ObjectStore,
  { stat, binary }: PatchForm,
  { stdout, env }: Io,
): Generator<Piece> {
  const styles = stylesFor(stdout, env)
  if (stat) {
    yield* describeStat(files, styles, stdout.isTTY ? stdout.columns : undefined)
    return
  }
  const write = createPatchWriter(objects, { binary })
  for (const file of files) {
    for (const piece of write(file)) yield stdout.isTTY ? shown(piece, styles) : piece.bytes
  }
}

/** The diff of the pull request with this URL. */
export async function describePullRequestDiff(
  database: Database,
  url: string,
  { context, ...form }: PatchForm & DiffOptions,
  io: Io,
): Promise<Iterable<Piece>> {
  const range = pullRangeOf(database, url)
  if (!range) {
    const message = `${url}: its base or head is missing`
    throw new ArchiveError('git-revision-not-found', message)
  }
  const { before, after, git } = range
  const files = diffTreesWith(createLineDiffer(), git.objects, before, after, { context })
  return describePatches(files, git.objects, form, io)
}

const STYLES = {
  title: 'bold',
  place: 'cyan',
  deleted: 'red',
  inserted: 'green',
  context: undefined,
} as const satisfies Record<PatchPiece['kind'], keyof Styles | undefined>

function shown({ kind, bytes }: PatchPiece, styles: Styles): SafeText {
  const text = escapeControlsButNewlines(bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1'))
  const style = STYLES[kind]
  if (style === undefined) return text
  return text.split('\n').map(styles[style]).join('\n')
}

function* describeStat(
  files: Iterable<FilePatch>,
  { green, red }: Styles,
  width: number | undefined,
): Generator<SafeText> {
  const stats = [...statsOf(files)]
  if (stats.length === 0) return
  const named = stats.map((stat) => ({ ...stat, name: escapeControls(stat.name) }))
  for (const row of layOutStat(named, { width, widthOf: displayWidth })) {
    const bars = safe`${green(escapeControls(row.inserted))}${red(escapeControls(row.deleted))}`
    yield safe`${escapeControls(row.text)}${bars}\n`
  }
  yield safe`${escapeControls(sumStat(stats))}\n`
}
