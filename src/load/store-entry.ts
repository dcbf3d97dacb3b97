import { createHash } from 'node:crypto'
import { roleOf } from '../archive/entry-role.ts'
import { intactContent } from '../archive/salvage-entry.ts'
import type { ReadEntry } from '../archive-worker/read-in-worker.ts'
import type { Problem } from '../base/errors.ts'
import { DEFAULT_LIMITS } from '../base/limits.ts'
import type { Bytes } from '../base/streams.ts'
import type { ArchiveStore } from '../database/archive-store.ts'
import type { IncomingFile } from '../database/contents/store-file.ts'
import { indexGitFile } from '../git/index-git-file.ts'
import {
  type RecordScanner,
  readCanonical,
  type ScannedRecords,
} from '../records/canonical/read-canonical.ts'
import { detectRecords } from '../records/detect-records.ts'
import type { JsonObject } from '../records/json/json.ts'
import { parseElements } from '../records/json/parse-elements.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { hasLevel, type PrintedRecords } from '../records/print-record-file.ts'
import {
  noteForm,
  type PlacedRecord,
  type ReadRecordsOptions,
  readRecordBatches,
  wholeWithin,
} from '../records/read-records.ts'
import { documentText } from '../records/read-schema.ts'
import { createRecordSums } from '../records/record-sums.ts'
import type { SourceEntry } from '../sources/record-files.ts'
import { indexAuditLog } from './index-audit-log.ts'

/** The texts of schema.json and urls.json. */
export interface Documents {
  schema?: string
  urls?: string
}

export interface StoreOptions extends ReadRecordsOptions {
  scanner: RecordScanner
}

/**
 * Stores an entry: records as rows, files as they are. The texts of schema.json and urls.json go to `documents`.
 */
export async function storeEntry(
  entry: ReadEntry & SourceEntry,
  store: ArchiveStore,
  documents: Documents,
  options: StoreOptions,
): Promise<void> {
  const { path, mode, modifiedAt, content, passing = content } = entry
  const role = roleOf(path)
  const addFile = async (content: Bytes, message?: string) => {
    if (message) store.report({ code: 'entry-unknown', place: { entry: path }, message })
    const file = { path, role: message ? 'unknown' : role.role, mode, modifiedAt, content }
    const sha256 = await store.addFile(role.role === 'git' ? gitFile(file, role, store) : file)
    store.addEntry({ ...entry, role: file.role, sha256 })
  }
  switch (role.role) {
    case 'directory':
      store.addEntry({ ...entry, role: role.role })
      return
    case 'records': {
      if (entry.printed && areStorable(entry.printed, options)) {
        await storePrinted({ ...entry, printed: entry.printed }, role.stem, store, options)
        store.addEntry({ ...entry, role: role.role })
        return
      }
      const intact = intactContent(content, options.salvage === true)
      const { isRecords, bytes } = await detectRecords(role.stem, intact.bytes)
      if (!isRecords) return addFile(intact.orThrow(bytes), NO_RECORDS)
      await storeRecords({ ...entry, content: bytes }, role.stem, store, options)
      store.addEntry({ ...entry, role: role.role })
      return
    }
    case 'schema':
    case 'urls': {
      const text = await documentText(entry, store.report)
      if (typeof text !== 'string') return addFile(text)
      const earlier = documents[role.role]
      if (earlier !== undefined) store.report(repeatedDocument(path, earlier))
      documents[role.role] = text
      const sha256 = createHash('sha256').update(text).digest('hex')
      store.addEntry({ ...entry, role: role.role, sha256 })
      return
    }
    case 'audit-log': {
      const refuse = (reason: string) => {
        const message = `the table ends where the file is not CSV: ${reason}`
        store.report({ code: 'entry-unknown', place: { entry: path }, message })
      }
      return addFile(indexAuditLog(passing, store.auditLog, refuse))
    }
    case 'unknown':
      return addFile(passing, 'the purpose of this file is unknown; it was kept')
    default:
      return addFile(passing)
  }
}

/** Stores a file of a repository, and its refs or pack. */
function gitFile(
  file: IncomingFile,
  { repository, path }: { repository: string; path: string },
  store: ArchiveStore,
): IncomingFile {
  const place = { entry: file.path, repository, path }
  return { ...file, repository, content: indexGitFile(place, file.content, store) }
}

const NO_RECORDS = 'expected records of an unknown kind, found no array; it was kept as a file'

const repeatedDocument = (entry: string, earlier: string): Problem => ({
  code: 'entry-repeated',
  place: { entry },
  message: 'several entries have this path; the last was kept',
  content: JSON.stringify(earlier),
})

async function storeRecords(
  { path, size, modifiedAt, content, crc32 }: ReadEntry,
  stem: string,
  store: ArchiveStore,
  { scanner, ...options }: StoreOptions,
): Promise<void> {
  let records = 0
  let isExplained = false
  const report = (problem: Problem) => {
    isExplained = true
    store.report(problem)
  }
  const sums = createRecordSums(content, crc32)
  const { found, bytes } = await readCanonical(scanner, kindNamed(stem), sums.bytes, options)
  if (found) {
    records = found.records
    // The checksums are known even if the records are parsed.
    sums.addPrinted(found, found.records)
    if (store.takesCanonical(stem)) await store.addCanonical(stem, path, found)
    else for (const parsed of parseScanned(found, path)) await store.addRecords(stem, parsed)
  } else {
    const watched = sums.watch(bytes)
    for await (const batch of readRecordBatches(watched, path, { ...options, report })) {
      await store.addRecords(stem, batch)
      sums.add(batch)
      records += batch.length
    }
  }
  const known = sums.finish(size)
  store.addRecordFile({ path, stem, records, size, modifiedAt, ...known })
  if (known.layout === 'other' && !isExplained) {
    const message =
      "its indentation, spaces or line ends are not the host's; a build writes it as the host does"
    store.report({ code: 'json-layout', place: { entry: path }, message })
  }
}

/** Whether records at hand are surely within the limits, and need not be salvaged. Otherwise their content is read as any other. */
const areStorable = (printed: PrintedRecords, { limits, salvage }: StoreOptions): boolean =>
  !salvage &&
  printed.memory.length <= wholeWithin(limits) &&
  !hasLevel(printed, limits?.depth ?? DEFAULT_LIMITS.depth)

/** Stores records that whoever made the entry has parsed. */
async function storePrinted(
  { path, size, modifiedAt, content, printed }: SourceEntry & { printed: PrintedRecords },
  stem: string,
  store: ArchiveStore,
  { form = {} }: StoreOptions,
): Promise<void> {
  const { records, memory } = printed
  const sums = createRecordSums(content)
  for await (const _ of sums.bytes);
  sums.addPrinted(printed, records.length)
  if (form.emptyArray === undefined) noteForm(form, memory.toString('latin1'))
  const batch = records.map((record, i) => ({ record, entry: path, index: i + 1 }))
  await store.addRecords(stem, batch)
  const known = sums.finish(size)
  store.addRecordFile({ path, stem, records: records.length, size, modifiedAt, ...known })
}

/** Parses records that were scanned, some at a time. */
function* parseScanned({ memory, size }: ScannedRecords, entry: string): Generator<PlacedRecord[]> {
  let index = 1
  // A copy, because the next file comes while these are stored.
  const file = Buffer.from(memory.subarray(0, size))
  for (const records of parseElements(file, (part) => part.toString(), {})) {
    yield records.map((record) => ({ record: record as JsonObject, entry, index: index++ }))
  }
}
