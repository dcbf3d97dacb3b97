import type { ArchiveEntry } from '../archive/entry.ts'
import { type EntryRole, roleOf } from '../archive/entry-role.ts'
import { checkPath } from '../archive/normalize-path.ts'
import {
  aDate,
  aPath,
  aSource,
  aText,
  checkArguments,
  describe,
  objectOf,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { asBytes } from '../base/streams.ts'
import { untilAborted } from '../base/until-aborted.ts'
import type { EnforceRule } from '../rules/enforce-rule.ts'
import { diskEntry } from './disk-file.ts'
import type { FileToExport, Source } from './export-source.ts'
import type { NamedFile, ReferenceTracker } from './reference-tracker.ts'

export interface FileWriting {
  date: Date | undefined
  tracker: ReferenceTracker
  enforce: EnforceRule
  signal: AbortSignal | undefined
}

/** Paths that are written only from records and repositories. */
const OURS: ReadonlySet<EntryRole['role']> = new Set([
  'records',
  'schema',
  'urls',
  'audit-log',
  'git',
  'directory',
])

const aFile = objectOf({ path: aText, modifiedAt: aDate }, ['path'])

/** The files in their order. A record must name each. */
export async function* fileEntries(
  files: Source<FileToExport>,
  { date, tracker, enforce, signal }: FileWriting,
): AsyncGenerator<ArchiveEntry> {
  for await (const file of untilAborted(files, signal)) {
    checkArguments({ files: file }, { files: aFile })
    const path = checkPath(file.path)
    if (OURS.has(roleOf(path).role)) {
      throw new ArchiveError('file-path', 'a file cannot have this path', { entry: path })
    }
    const named = claim(path, tracker, enforce)
    const modifiedAt = date ?? file.modifiedAt ?? dateOf(named)
    if ('file' in file) {
      checkArguments({ file: file.file }, { file: aPath })
      yield* diskEntry({ path, file: file.file, modifiedAt, links: true })
    } else yield { path, mode: 0o644, modifiedAt, ...contentOf(file, signal) }
  }
}

/** Marks the path as given, and returns the record that names it. */
export function claim(
  path: string,
  tracker: ReferenceTracker,
  enforce: EnforceRule,
): NamedFile | undefined {
  const named = tracker.files.get(path)
  const place = { entry: path }
  if (!named)
    enforce(roleOf(path).role === 'git' ? 'git-orphan' : 'file-orphan', place, 'no record names it')
  else if (named.given) throw new ArchiveError('entry-repeated', 'this file is given twice', place)
  else named.given = true
  return named
}

/** The date of a file: that of the record that names it. */
export const dateOf = (named: NamedFile | undefined): Date =>
  new Date(Date.parse(named?.date ?? '') || 0)

/** Whether there are as many bytes as announced is seen as they are written. */
function contentOf(
  file: Exclude<FileToExport, { file: string }>,
  signal: AbortSignal | undefined,
): Pick<ArchiveEntry, 'size' | 'content'> {
  const { content } = file
  const place = { entry: file.path }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const isWhole = bytes instanceof Uint8Array
  if (!isWhole && aSource(bytes)) {
    const message = `expected bytes (Uint8Array), a text or a stream, found ${describe(bytes)}`
    throw new ArchiveError('content-not-bytes', message, place)
  }
  const size: unknown = 'size' in file ? file.size : isWhole ? bytes.length : undefined
  if (!Number.isSafeInteger(size) || (size as number) < 0) {
    const message = `expected the number of bytes as size, found ${describe(size)}`
    throw new ArchiveError('content-size', message, place)
  }
  const pieces = isWhole ? [bytes] : untilAborted(bytes, signal)
  return { size: size as number, content: asBytes(pieces) }
}
