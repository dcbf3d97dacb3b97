import type { ArchiveEntry } from './archive/entry.ts'
import { writeArchive } from './archive/write-archive.ts'
import { ArchiveError, type Report } from './errors.ts'
import { checkOptions, checkSource } from './export-archive/check-options.ts'
import { documentsOf, type FormOptions, urlShapesOf } from './export-archive/export-form.ts'
import type { ExportSource } from './export-archive/export-source.ts'
import { fileEntries } from './export-archive/file-entries.ts'
import { repositoryEntries } from './export-archive/git-entries.ts'
import { type Judge, openJudge } from './export-archive/judge.ts'
import { type Ledger, openLedger } from './export-archive/ledger.ts'
import { recordEntries } from './export-archive/record-entries.ts'
import { urlPattern } from './records/url-shapes.ts'
import type { JsonForm } from './records/write-records.ts'
import { asBytes } from './streams.ts'

export interface ExportOptions extends FormOptions, Partial<JsonForm> {
  /** One date for all entries. By default files of records are as old as the latest in them, others as their records. */
  date?: Date | undefined
  /** How hard to compress, 1 to 9. Default 5. */
  level?: number | undefined
  /** Write also what breaks a rule, and report it. */
  force?: boolean
  report?: Report | undefined
  signal?: AbortSignal | undefined
}

/**
 * Streams an archive that an importer accepts: records of any kinds, the files they name, and Git
 * repositories, each taken in when its turn comes. The same source makes the same bytes.
 * Throws `ArchiveError`: `rule-…` for what an importer would refuse, `record-not-json`, `git-…`, `content-…`; and at once
 * `TypeError` for options and sources that are none.
 */
export function exportArchive(
  source: ExportSource,
  options: ExportOptions = {},
): AsyncGenerator<Uint8Array> {
  checkOptions(options)
  if (source.records === null || Array.isArray(source.records)) {
    throw new TypeError('records: expected an iterable for each kind, by its name')
  }
  for (const [kind, records] of Object.entries(source.records ?? {})) {
    checkSource(`records.${kind}`, records)
  }
  checkSource('files', source.files)
  checkSource('repositories', source.repositories)
  return writeArchive(exportEntries(source, options), { level: options.level })
}

async function* exportEntries(
  source: ExportSource,
  options: ExportOptions,
): AsyncGenerator<ArchiveEntry> {
  const { date, force = false, report, signal } = options
  for await (const entry of entriesOf(source, options, openJudge(force, report), date)) {
    if (signal?.aborted) throw new ArchiveError('interrupted', 'interrupted', {}, signal.reason)
    yield entry
  }
}

async function* entriesOf(
  { records = {}, files = [], repositories }: ExportSource,
  options: ExportOptions,
  judge: Judge,
  date: Date | undefined,
): AsyncGenerator<ArchiveEntry> {
  const ledger = openLedger()
  const writing = { date, ledger, judge, signal: options.signal }
  for (const [path, text] of documentsOf(options, Object.keys(records))) {
    yield document(path, text, date)
  }
  const shapes = Object.entries(urlShapesOf(options))
  const patterns = new Map(shapes.map(([kind, shape]) => [kind, urlPattern(shape)]))
  const form = { emptyArray: options.emptyArray ?? 'new' }
  yield* recordEntries(records, { ...writing, form, patterns })
  // As soon as it can be told: to copy repositories takes its time.
  for (const { place, message } of ledger.dangling()) judge('rule-reference', place, message)
  yield* fileEntries(files, writing)
  if (repositories) yield* repositoryEntries(repositories, writing)
  judgeMissing(ledger, judge, repositories !== undefined)
}

/** A metadata archive names repositories without having them. */
function judgeMissing({ files }: Ledger, judge: Judge, withGit: boolean): void {
  for (const [path, { given, place, message }] of files) {
    const git = path.startsWith('repositories/')
    if (!given && (withGit || !git)) judge('rule-path', place, message)
  }
}

function document(path: string, text: string, date = new Date(0)): ArchiveEntry {
  const bytes = Buffer.from(text)
  return { path, size: bytes.length, mode: 0o644, modifiedAt: date, content: asBytes([bytes]) }
}
