import { type ArchiveEntry, isDirectory } from '../archive/entry.ts'
import { pathOf, roleOf } from '../archive/entry-role.ts'
import { openArchive } from '../archive/open-archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { ArchiveError, type Place, type Report } from '../errors.ts'
import { loadArchive } from '../load-archive/load-archive.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import type { BuildOptions } from './build-options.ts'
import { looseRecords } from './loose-records.ts'

/**
 * The entries of a folder under the names that an archive has for them, wherever they lie: files of records
 * that are named after a kind, or lie in a folder that is, and what lies below `repositories`, `attachments`
 * and the like. Records may stand in arrays, one after the other, one to a file, or in objects around them.
 * Notes in `origins` how files of records were called.
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

/** The path without folders around what an archive knows; as it is if nothing in it is known. */
function innermost(path: string): string {
  const parts = path.split('/')
  const inner = parts.map((_, i) => parts.slice(i).join('/'))
  return inner.find((rest) => roleOf(rest).role !== 'unknown') ?? path
}

const ENDING = /\.(?:json|jsonl|ndjson)$/i

/** Whether a file of no known purpose may hold records. */
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

/** The kind that is called so, by the name of its files or of its type, however that is written. */
function stemOf(word: string): string | undefined {
  const name = word.toLowerCase().replace(/[- ]/g, '_')
  if (kindNamed(name)) return name
  return Object.entries(KINDS).find(([, { type }]) => type === name)?.[0]
}

/** Loads what lies in a folder, however loosely, into a new database. Places name files as they are called there. */
export async function loadFolder(
  folder: string,
  database: string,
  { files = true, report, signal }: Pick<BuildOptions, 'files' | 'report' | 'signal'>,
): Promise<void> {
  const { name, entries } = await openArchive(folder, { report, signal })
  const origins = new Map<string, string>()
  const original = (place: Place): Place => ({
    ...place,
    entry: origins.get(place.entry ?? '') ?? place.entry,
  })
  const tar = writeArchive(normalizeFolder(entries, { report, origins }), {
    gzip: false,
    prefix: '',
  })
  try {
    await loadArchive({ name, bytes: tar }, database, {
      ...{ files, signal },
      report: (problem) => report?.({ ...problem, place: original(problem.place) }),
    })
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    const { message, place, cause } = error
    // In a folder to be built of, files have other names than in an archive.
    const code = error.code === 'archive-unrecognized' ? 'records-not-found' : error.code
    throw new ArchiveError(code, message, original(place), cause)
  }
}
