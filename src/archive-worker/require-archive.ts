import { roleOf } from '../archive/entry-role.ts'
import { ArchiveError, type Report } from '../errors.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'

/** Names of entries listed in the error. */
const MOST_NAMED = 3

/**
 * Passes entries on. Throws `archive-unrecognized` at the end if none of them is part of a migration archive: no records,
 * no schema.json or urls.json, no Git data and no uploads. Does not throw if `isCut()`, because they may be in the lost
 * part.
 */
export async function* requireArchive<T extends { path: string }>(
  entries: AsyncIterable<T>,
  isCut: () => boolean,
): AsyncGenerator<T> {
  let isArchive = false
  let files = 0
  const names: string[] = []
  for await (const entry of entries) {
    isArchive ||= isPartOfArchive(entry.path)
    if (!isArchive && !entry.path.endsWith('/') && ++files <= MOST_NAMED) names.push(entry.path)
    yield entry
  }
  if (!isArchive && !isCut()) throw unrecognized(names, files)
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

function isPartOfArchive(path: string): boolean {
  const role = roleOf(path)
  if (role.role === 'directory' || role.role === 'unknown') return false
  // Any file may be called report_2024.json. An unknown kind is recognized by the six digits of its suffix.
  if (role.role === 'records') {
    return kindNamed(role.stem) !== undefined || /^\d{6}/.test(role.suffix)
  }
  return true
}

function unrecognized(names: readonly string[], files: number): ArchiveError {
  const more = files > names.length ? ` and ${files - names.length} more` : ''
  const found = files === 0 ? 'no files' : names.map((name) => JSON.stringify(name)).join(', ')
  const expected = 'expected records, Git data, uploads or schema.json'
  const inner = names.find((name) => /\.(tar|tar\.gz|tgz)$/i.test(name))
  const hint = inner === undefined ? '' : `; ${JSON.stringify(inner)} may be the archive`
  return new ArchiveError('archive-unrecognized', `${expected}, found ${found}${more}${hint}`)
}
