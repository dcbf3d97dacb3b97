import type { ArchiveForm } from '../archive/entry.ts'
import { type EntryRole, roleOf } from '../archive/entry-role.ts'
import { foreignSource, SourceDetector, sourceBelow } from '../archive/foreign-source.ts'
import { ArchiveError, type Report } from '../base/errors.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'

/** Names of entries listed in the error. */
const MOST_NAMED = 3

/**
 * Passes entries on. Throws `archive-unrecognized` at the end if none of them is part of a migration archive: no records,
 * no schema.json or urls.json, no Git data and no uploads; `source-unsupported` if they are known to be something else.
 * Does not throw these if `isCut()`, because they may be in the lost part. Throws `archive-several` as soon as `form` names a
 * second export.
 */
export async function* requireArchive<T extends { path: string }>(
  entries: AsyncIterable<T>,
  isCut: () => boolean,
  form: Readonly<ArchiveForm>,
): AsyncGenerator<T> {
  let isArchive = false
  let files = 0
  const detector = new SourceDetector()
  const names: string[] = []
  let below: ReturnType<typeof sourceBelow>
  for await (const entry of entries) {
    requireOne(form)
    isArchive ||= isPartOfArchive(entry.path)
    if (!isArchive) {
      await detector.add(entry.path)
      below ??= sourceBelow(entry.path)
    }
    if (!isArchive && !entry.path.endsWith('/') && ++files <= MOST_NAMED) names.push(entry.path)
    yield entry
  }
  requireOne(form)
  if (isArchive || isCut()) return
  const source = detector.finish()
  throw source === undefined ? unrecognized(names, files, { below }) : foreignSource(source)
}

function requireOne({ second }: Readonly<ArchiveForm>): void {
  if (second === undefined) return
  const message = 'expected one export, found the records of a second one'
  throw new ArchiveError('archive-several', message, { entry: second })
}

/** Passes problems on, and notes whether the rest of the archive was lost. */
export function watchLosses(report: Report | undefined): { report: Report; isCut: () => boolean } {
  let isCut = false
  return {
    isCut: () => isCut,
    report(problem) {
      isCut ||= problem.code === 'rest-lost'
      report?.(problem)
    },
  }
}

/** Names that other folders have, too. */
const ELSEWHERE: ReadonlySet<EntryRole['role']> = new Set(['directory', 'audit-log', 'unknown'])

/** Whether a file with this path is a part of an archive: records, a document, Git data or an upload. */
export function isPartOfArchive(path: string): boolean {
  const role = roleOf(path)
  if (ELSEWHERE.has(role.role)) return false
  // Any file may be called report_2024.json. An unknown kind is recognized by the six digits of its suffix.
  if (role.role === 'records') {
    return kindNamed(role.stem) !== undefined || /^\d{6}/.test(role.suffix)
  }
  return true
}

/**
 * The error for something without a part of an archive.
 *
 * @param names the first files
 * @param files their number
 * @param isCut whether there are more, which nobody counted
 * @param below a source in a folder further down
 * @param link a symbolic link
 */
export function unrecognized(
  found: readonly string[],
  files: number,
  {
    isCut = false,
    below,
    link,
  }: { isCut?: boolean; below?: ReturnType<typeof sourceBelow>; link?: string | undefined } = {},
): ArchiveError {
  const names = found.slice(0, MOST_NAMED)
  const rest = files - names.length
  const more = isCut ? ' and thousands more' : rest > 0 ? ` and ${rest} more` : ''
  const named = files === 0 ? 'no files' : names.map((name) => JSON.stringify(name)).join(', ')
  const expected = 'expected records, Git data, uploads or schema.json'
  const inner = names.find((name) => /\.(tar|tar\.gz|tgz|zip)$/i.test(name))
  const hint =
    below !== undefined
      ? `; ${JSON.stringify(below.folder)} is ${below.is}: name that folder`
      : inner !== undefined
        ? `; ${JSON.stringify(inner)} may be the archive`
        : link !== undefined
          ? `; ${JSON.stringify(link)} is a symbolic link, which is not followed: replace it with what it names`
          : ''
  return new ArchiveError('archive-unrecognized', `${expected}, found ${named}${more}${hint}`)
}
