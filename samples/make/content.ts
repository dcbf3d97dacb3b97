import type { ArchiveEntry } from '../../src/archive/entry.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import { type ArchiveRecord, KINDS, type KindName } from '../../src/records/kinds/kinds.ts'
import { writeRecords } from '../../src/records/write-records.ts'

/** The content of an archive. */
export interface Content {
  readonly exportedAt: string
  /** Archives changed over the years; a sample is either of early 2024 or of 2026. */
  readonly era: 2024 | 2026
  readonly records: { readonly [Name in KindName]: ArchiveRecord<Name>[] }
  /** Everything that is no record, by path; the path of an empty directory ends with a slash. */
  readonly files: Map<string, Uint8Array>
  /** Numbers given to comments and events so far. */
  readonly ids: Set<number>
}

export const newContent = (era: Content['era'], exportedAt: string): Content => ({
  era,
  exportedAt,
  records: Object.fromEntries(
    Object.keys(KINDS).map((name) => [name, []]),
  ) as unknown as Content['records'],
  files: new Map(),
  ids: new Set(),
})

/** A number for a comment or an event. Those of the host grow with time, and so do these. */
export function newId({ ids }: Content, at: string): number {
  let id = (Date.parse(at) - Date.UTC(2020)) / 100
  while (ids.has(id)) id++
  ids.add(id)
  return id
}

/** No file of an archive holds more records. */
const RECORDS_PER_FILE = 100

/** The entries of an archive with this content. */
export function* entriesOf({ era, exportedAt, records, files }: Content): Generator<ArchiveEntry> {
  const entry = (path: string, ...chunks: Uint8Array[]): ArchiveEntry => ({
    path,
    size: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    modifiedAt: new Date(exportedAt),
    mode: 0o644,
    content: (async function* () {
      yield* chunks
    })(),
  })
  // One line: the version of the form, and the commit of the host that wrote the archive.
  const schema = {
    version: '1.1.0',
    github_sha: era === 2026 ? '2026'.repeat(10) : '2024'.repeat(10),
  }
  yield entry('schema.json', Buffer.from(JSON.stringify(schema)))
  for (const [name, all] of Object.entries(records) as [KindName, JsonObject[]][]) {
    const sorted = all.toSorted((a, b) => timeOf(a) - timeOf(b))
    for (let first = 0; first < all.length; first += RECORDS_PER_FILE) {
      const number = String(first / RECORDS_PER_FILE + 1).padStart(6, '0')
      const form = { emptyArray: era === 2026 ? 'new' : 'old' } as const
      yield entry(
        `${name}_${number}.json`,
        ...writeRecords(sorted.slice(first, first + RECORDS_PER_FILE), form),
      )
    }
  }
  for (const [path, bytes] of files) yield entry(path, bytes)
}

const timeOf = ({ created_at }: JsonObject): number =>
  typeof created_at === 'string' ? Date.parse(created_at) : 0
