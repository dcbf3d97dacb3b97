import { pathOf } from '../../archive/entry-role.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { JsonForm } from '../../records/write-records.ts'
import type { Database } from '../open-database.ts'
import { EMPTY_RANGE, type RowRange } from './find-row-ranges.ts'
import { openLoadedSums } from './loaded-sums.ts'
import { byNumber, LOOSE, type Order, type Places, type RecordFile } from './place-records.ts'
import {
  createPlacedReader,
  createRangeReader,
  type Placed,
  placeOf,
  recordOf,
} from './read-placed.ts'

/** A record file to write. */
export interface PlannedFile {
  path: string
  form: JsonForm
  stem: string
  /** The loaded file, if it is one. */
  before?: RecordFile
  /** The rows of the table with this stem that have its records in order, if they are consecutive. */
  rows?: RowRange
  /** The records, from the first at each call. */
  records(): Iterable<JsonObject>
  /** In a new file: the CRC-32 that a record had when it was loaded, by its number in the new file, from 0. */
  loadedSum?(index: number): number | undefined
}

/** The record files of a kind. */
export interface PlannedKind {
  /** Loaded files that are written again. */
  kept: readonly PlannedFile[]
  /** New files for all other records, created on demand. */
  made(): Generator<PlannedFile>
}

/**
 * Plans the record files for the placed records, by kind: loaded files as they were, then new ones for rows without a
 * file. If two files of a kind have the same name, or with `renumber`, all files are new. `only` selects kinds. No
 * statement stays open between files.
 */
export function planRecordFiles(
  database: Database,
  { stems, tables }: Order,
  { recordFiles, ranges }: Places,
  { renumber, only }: { renumber: boolean; only?: readonly string[] | undefined },
): PlannedKind[] {
  const formOf = formsOf(database)
  const sumOf = openLoadedSums(database)
  const positions = database
    .prepare<[number], number>('SELECT DISTINCT position FROM temp.places WHERE stem = ?')
    .pluck()
  const planKind = (name: string, stem: number): PlannedKind => {
    const known = recordFiles.filter((file) => file.stem === name)
    const planned = (file: RecordFile, records: () => Iterable<JsonObject>): PlannedFile => {
      return { path: file.path, stem: name, form: formOf(file), before: file, records }
    }
    const own = ranges.get(name)
    if (own) {
      const read = createRangeReader(database, name)
      const keep = (file: RecordFile) => {
        const rows = own.get(file.position) ?? EMPTY_RANGE
        return { ...planned(file, () => read(rows)), rows }
      }
      return { kept: [...known].sort(byNumber).map(keep), *made() {} }
    }
    const found = new Set(positions.all(stem))
    const kept = renumber ? undefined : keptFiles(known, found)
    const reader = createPlacedReader(database, stem, tables)
    return {
      kept: kept?.map((file) => planned(file, () => reader.inFile(file.position))) ?? [],
      *made() {
        let number = kept ? Math.max(0, ...kept.map((file) => file.number)) : 0
        const position = kept ? LOOSE : undefined
        for (let after: Placed | undefined; ; ) {
          const page = reader.page({ after, position })
          if (page.length === 0) break
          const suffix = String(++number).padStart(6, '0')
          const path = pathOf({ role: 'records', stem: name, suffix })
          const loadedSum = (index: number) => {
            const { position, record } = placeOf(page[index] as Placed)
            const file = recordFiles[position]
            return file && sumOf(file.id, record)
          }
          yield { path, stem: name, form: formOf(), records: () => page.map(recordOf), loadedSum }
          after = page.at(-1)
        }
      },
    }
  }
  return stems.flatMap((name, stem) => (only && !only.includes(name) ? [] : planKind(name, stem)))
}

/** The loaded files to write again; undefined if two of them have the same name. */
function keptFiles(
  known: readonly RecordFile[],
  found: ReadonlySet<number>,
): RecordFile[] | undefined {
  const filled = known.filter(({ position }) => found.has(position))
  const byPath = new Map(filled.map((file) => [file.path, file]))
  // If an archive has a path twice, all its records count as those of the first file.
  const places = new Set(known.map(({ archive, path }) => `${archive} ${path}`))
  const isRepeated = ({ archive, path }: RecordFile) =>
    known.filter((other) => other.archive === archive && other.path === path).length > 1
  if (byPath.size < filled.length) return undefined
  if (places.size < known.length && filled.some(isRepeated)) return undefined
  // Files without records are written again, too.
  for (const file of known) {
    if (file.records === 0 && !byPath.has(file.path)) byPath.set(file.path, file)
  }
  return [...byPath.values()].sort(byNumber)
}

/** The JSON form of a file, from its archive; by default that of the last archive that has one. */
export function formsOf(
  database: Database,
): (file?: Pick<RecordFile, 'archive' | 'records' | 'size' | 'layout'>) => JsonForm {
  const forms = database
    .prepare<[], { id: number; emptyArray: JsonForm['emptyArray'] }>(
      `SELECT id, form ->> 'emptyArray' AS emptyArray FROM archives
       WHERE json_valid(form) AND form ->> 'emptyArray' IN ('old', 'new') ORDER BY id`,
    )
    .all()
  const last = forms.at(-1)?.emptyArray ?? 'new'
  return (file) => {
    if (file?.layout === 'compact') return { emptyArray: 'new', compact: true }
    // A file without records is itself an empty array; [] has two bytes.
    if (file?.records === 0) return { emptyArray: file.size > 2 ? 'old' : 'new' }
    return { emptyArray: forms.find(({ id }) => id === file?.archive)?.emptyArray ?? last }
  }
}
