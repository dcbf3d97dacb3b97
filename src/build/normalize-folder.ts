import { type ArchiveEntry, isDirectory } from '../archive/entry.ts'
import { pathOf, roleOf } from '../archive/entry-role.ts'
import { checkSource, openArchive } from '../archive/open-archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { isPartOfArchive } from '../archive-worker/require-archive.ts'
import { requireFolder } from '../archive-worker/require-folder.ts'
import { ArchiveError, type Place, type Report } from '../base/errors.ts'
import { loadArchive } from '../load/load-archive.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import { formOf, refuseOptions } from '../sources/open-source.ts'
import type { BuildOptions } from './build-options.ts'
import { looseRecords } from './loose-records.ts'

/**
 * Renames the entries of a folder to their names in an archive, wherever they are: record files named after a kind, or in
 * a folder that is, and files below `repositories`, `attachments` and so on. Record files may be arrays, NDJSON, single
 * records, or objects with lists of records. Stores the original names of record files in `origins`.
 */
export async function* normalizeFolder(
  entries: AsyncIterable<ArchiveEntry>,
  { report, origins }: { report?: Report | undefined; origins?: Map<string, string> } = {},
): AsyncGenerator<ArchiveEntry> {
  const numbers = new Map<string, number>()
  const nextOf = (stem: string, from: string): string => {
    const number = (numbers.get(stem) ?? 0) + 1
    numbers.set(stem, number)
    const path = pathOf({ role: 'records', stem, suffix: String(number).padStart(6, '0') })
    origins?.set(path, from)
    return path
  }
  for await (const entry of entries) {
    if (isDirectory(entry)) continue
    const path = innermost(entry.path)
    const stem = kindOf(path)
    if (stem === undefined && !isJson(path)) {
      yield { ...entry, path }
      continue
    }
    for await (const found of looseRecords(entry, stem, report)) {
      const at = found.stem === undefined ? path : nextOf(found.stem, entry.path)
      yield { ...entry, ...found.entry, path: at }
    }
  }
}

/** The path from the first folder that archives have; unchanged if there is none. */
function innermost(path: string): string {
  const parts = path.split('/')
  const inner = parts.map((_, i) => parts.slice(i).join('/'))
  return inner.find((rest) => roleOf(rest).role !== 'unknown') ?? path
}

const ENDING = /\.(?:json|jsonl|ndjson)$/i

/** Whether a file of unknown role may hold records. */
const isJson = (path: string): boolean => ENDING.test(path) && roleOf(path).role === 'unknown'

/**
 * The kind of a file of records: `issues_000001.json`, `issues.json`, `Issues-2.ndjson`, `issue.json`,
 * `issues/2.json`, `issues/open/2.json`.
 */
function kindOf(path: string): string | undefined {
  const role = roleOf(path.replace(ENDING, '.json'))
  if (role.role === 'records') return kindNamed(role.stem) && role.stem
  if (role.role !== 'unknown' || !ENDING.test(path)) return undefined
  const [name = '', ...folders] = path.replace(ENDING, '').split('/').reverse()
  for (const word of [name.replace(/[-_. ]?\d*$/, ''), ...folders]) {
    const stem = stemOf(word)
    if (stem !== undefined) return stem
  }
  return undefined
}

/** The kind with this name or type, in any spelling. */
function stemOf(word: string): string | undefined {
  const name = word.toLowerCase().replace(/[- ]/g, '_')
  if (kindNamed(name)) return name
  return Object.entries(KINDS).find(([, { type }]) => type === name)?.[0]
}

/** Whether a file is one of records or of an archive. Other JSON counts at the top of the folder: it is everywhere on a disk. */
const mayHoldRecords = (path: string): boolean =>
  isPartOfArchive(innermost(path)) ||
  kindOf(innermost(path)) !== undefined ||
  (isJson(path) && !path.includes('/'))

/**
 * Loads a folder with loose files into a new database, or a backup or export of another program. Problems name the files of the
 * folder.
 */
export async function loadFolder(
  folder: string,
  database: string,
  {
    files = true,
    report,
    signal,
    source = {},
  }: Pick<BuildOptions, 'files' | 'report' | 'signal' | 'source'>,
): Promise<{ isForeign: boolean }> {
  const origins = new Map<string, string>()
  const original = (place: Place): Place => ({
    ...place,
    entry: origins.get(place.entry ?? '') ?? place.entry,
  })
  try {
    await checkSource(folder)
    const form = (await formOf(folder, signal, source))?.form
    if (form) {
      await loadArchive(folder, database, { files, signal, report, source: { ...source, form } })
      return { isForeign: true }
    }
    refuseOptions(source)
    await requireFolder(folder, signal, mayHoldRecords)
    const { name, entries } = await openArchive(folder, { report, signal })
    const loose = normalizeFolder(entries, { report, origins })
    const tar = writeArchive(loose, { gzip: false, prefix: '' })
    await loadArchive({ name, bytes: tar }, database, {
      files,
      signal,
      report: (problem) => report?.({ ...problem, place: original(problem.place) }),
    })
    return { isForeign: false }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    const { message, place, cause } = error
    // Files of such a folder are not named as in an archive.
    const code = error.code === 'archive-unrecognized' ? 'records-not-found' : error.code
    throw new ArchiveError(code, message, original(place), cause, error)
  }
}
