import { createAbbreviator } from '../objects/abbreviate-id.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { binaryPatch } from './binary-patch.ts'
import { type FilePatch, readVersion } from './diff-trees.ts'
import type { Hunk, HunkLine } from './hunks.ts'
import type { FileState } from './pair-renames.ts'

export interface PatchOptions {
  /** Write the contents of binary files, so that the patch can be applied. */
  binary?: boolean | undefined
}

/**
 * Writes the patch of a file as `git diff` does, piece by piece, so that `git apply` takes it. Paths are quoted where they
 * have other than printable ASCII characters; file contents are bytes as they are.
 *
 * @throws `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function createPatchFormatter(
  objects: ObjectStore,
  options: PatchOptions = {},
): (patch: FilePatch) => Generator<Buffer> {
  const write = createPatchWriter(objects, options)
  return function* (patch) {
    for (const { bytes } of write(patch)) yield bytes
  }
}

/** Lines of a patch of one kind: the title of a file, the place of a hunk, or a line of a file. */
export interface PatchPiece {
  readonly kind: 'title' | 'place' | HunkLine['kind']
  readonly bytes: Buffer
}

/** The same as `createPatchFormatter`, for colours: each piece with its kind. */
export function createPatchWriter(
  objects: ObjectStore,
  options: PatchOptions = {},
): (patch: FilePatch) => Generator<PatchPiece> {
  const abbreviate = createAbbreviator(objects)
  return (patch) => formatPatch(patch, { objects, abbreviate, ...options })
}

interface Context extends PatchOptions {
  objects: ObjectStore
  abbreviate: (oid: string) => string
}

function* formatPatch(patch: FilePatch, context: Context): Generator<PatchPiece> {
  const { change, isText } = patch
  const { before, after } = change
  const isChanged = before?.oid !== after?.oid
  const binary = !isText && isChanged && context.binary
  const [old, now] = [sideName('a/', before), sideName('b/', after)]
  const either = (before ?? after) as FileState
  const titles = `${sideName('a/', before ?? after)} ${sideName('b/', after ?? either)}`
  const lines = [`diff --git ${titles}`, ...modesOf(patch)]
  if (isChanged) {
    const oid = (file: FileState | undefined) =>
      binary ? (file?.oid ?? NULL) : context.abbreviate(file?.oid ?? NULL)
    const mode = before && before.mode === after?.mode ? ` ${before.mode}` : ''
    lines.push(`index ${oid(before)}..${oid(after)}${mode}`)
  }
  yield title(lines)
  if (binary) {
    const { objects } = context
    for (const bytes of binaryPatch(readVersion(objects, before), readVersion(objects, after))) {
      yield { kind: 'context', bytes }
    }
    return
  }
  if (!isText) {
    if (isChanged) yield title([`Binary files ${old} and ${now} differ`])
    return
  }
  let isFirst = true
  for (const hunk of patch.hunks) {
    // A tab ends a name with spaces, or other programs take the rest for a date.
    const end = (name: string) => (name.includes(' ') ? `${name}\t` : name)
    if (isFirst) yield title([`--- ${end(old)}`, `+++ ${end(now)}`])
    isFirst = false
    yield* formatHunk(hunk)
  }
}

const NULL = '0'.repeat(40)

const title = (lines: readonly string[]): PatchPiece => ({ kind: 'title', bytes: joinLines(lines) })

const joinLines = (lines: readonly string[]) =>
  Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')

function modesOf({ change }: FilePatch): string[] {
  const { status, before, after, similarity } = change
  if (before === undefined) return [`new file mode ${after?.mode}`]
  if (after === undefined) return [`deleted file mode ${before.mode}`]
  return [
    ...(before.mode === after.mode ? [] : [`old mode ${before.mode}`, `new mode ${after.mode}`]),
    ...(status === 'R'
      ? [
          `similarity index ${similarity}%`,
          `rename from ${quotePath(before.bytes)}`,
          `rename to ${quotePath(after.bytes)}`,
        ]
      : []),
  ]
}

const sideName = (side: 'a/' | 'b/', file: FileState | undefined): string =>
  file === undefined ? '/dev/null' : quotePath(side + file.bytes)

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}

/** A path of one character per byte as Git writes it: quoted if it has other than printable ASCII characters. */
export function quotePath(path: string): string {
  const quoted = path.replaceAll(/[^ !#-[\]-~]/g, (byte) => ESCAPES[byte] ?? octal(byte))
  return quoted === path ? path : `"${quoted}"`
}

const octal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`

const SIGNS = {
  context: Buffer.from(' '),
  deleted: Buffer.from('-'),
  inserted: Buffer.from('+'),
}
const NO_NEWLINE = Buffer.from('\n\\ No newline at end of file\n')
const NEWLINE = 10

function* formatHunk(hunk: Hunk): Generator<PatchPiece> {
  const { oldStart, oldLines, newStart, newLines, heading } = hunk
  const range = (start: number, count: number) => (count === 1 ? `${start}` : `${start},${count}`)
  const ranges = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`
  const name = heading.length > 0 ? ` ${heading.toString('latin1')}` : ''
  yield { kind: 'place', bytes: joinLines([ranges + name]) }
  for (const { kind, bytes } of hunk.lines()) {
    const end = bytes.at(-1) === NEWLINE ? [] : [NO_NEWLINE]
    yield { kind, bytes: Buffer.concat([SIGNS[kind], bytes, ...end]) }
  }
}
