import type { ArchiveEntry } from '../archive/entry.ts'
import { aLevel, writeArchive } from '../archive/write-archive.ts'
import {
  aDate,
  aFlag,
  aFunction,
  aSignal,
  aSource,
  checkOptions,
  mapOf,
  oneOf,
  type Shapes,
} from '../check-arguments.ts'
import { ArchiveError, type Report } from '../errors.ts'
import type { JsonForm } from '../records/write-records.ts'
import { urlPattern } from '../rules/url-shapes.ts'
import { asBytes } from '../streams.ts'
import { checkKinds, plainJson, urlTemplates } from './check-options.ts'
import { type Judge, openJudge } from './enforce-rule.ts'
import { documentsOf, FORMS, type FormOptions, urlShapesOf } from './export-form.ts'
import type { ExportSource, KindSources } from './export-source.ts'
import { fileEntries } from './file-entries.ts'
import { repositoryEntries } from './git-entries.ts'
import { recordEntries } from './record-entries.ts'
import { type Ledger, openLedger } from './reference-tracker.ts'

export interface ExportOptions extends FormOptions, Partial<Pick<JsonForm, 'emptyArray'>> {
  /** One date for all entries. By default files of records are as old as the latest in them, others as their records. */
  date?: Date | undefined
  /** How hard to compress, 1 to 9. Default 5. */
  level?: number | undefined
  /** Write what breaks a documented rule too, and report it. */
  allowInvalid?: boolean
  /** Receives these, and breaches of rules that real archives were only seen to keep. */
  report?: Report | undefined
  signal?: AbortSignal | undefined
}

const sourcesByKind = mapOf(aSource)

const SOURCE_SHAPES: Shapes<ExportSource> = {
  ...{ records: sourcesByKind, otherRecords: sourcesByKind, files: aSource, repositories: aSource },
}

const EXPORT_SHAPES: Shapes<ExportOptions> = {
  ...{ form: oneOf(...FORMS), schema: plainJson, urls: urlTemplates, level: aLevel, date: aDate },
  emptyArray: oneOf('old', 'new'),
  ...{ allowInvalid: aFlag, report: aFunction, signal: aSignal },
}

/**
 * Streams an archive that an importer accepts: records of any kinds, the files they name, and Git
 * repositories, each taken in when its turn comes. The same source makes the same bytes.
 * Throws `ArchiveError`: the code of a documented rule (`RULES`) for what an importer would refuse, `record-not-object`,
 * `record-not-json`, `git-…`, `content-…`; and at once `option-invalid` and `kind-unknown`.
 */
export function exportArchive(
  source: ExportSource,
  options: ExportOptions = {},
): AsyncGenerator<Uint8Array> {
  checkOptions(source, SOURCE_SHAPES, 'source')
  checkOptions(options, EXPORT_SHAPES)
  checkKinds(source)
  return writeArchive(exportEntries(source, options), { level: options.level })
}

async function* exportEntries(
  source: ExportSource,
  options: ExportOptions,
): AsyncGenerator<ArchiveEntry> {
  const { date, allowInvalid = false, report, signal } = options
  for await (const entry of entriesOf(source, options, openJudge(allowInvalid, report), date)) {
    if (signal?.aborted) throw new ArchiveError('interrupted', 'interrupted', {}, signal.reason)
    yield entry
  }
}

async function* entriesOf(
  { records = {}, otherRecords = {}, files = [], repositories }: ExportSource,
  options: ExportOptions,
  judge: Judge,
  date: Date | undefined,
): AsyncGenerator<ArchiveEntry> {
  const all: KindSources = { ...records, ...otherRecords }
  const ledger = openLedger()
  const writing = { date, ledger, judge, signal: options.signal }
  for (const [path, text] of documentsOf(options, Object.keys(all))) {
    yield document(path, text, date)
  }
  const shapes = Object.entries(urlShapesOf(options))
  const patterns = new Map(shapes.map(([kind, shape]) => [kind, urlPattern(shape)]))
  const form = { emptyArray: options.emptyArray ?? 'new' }
  yield* recordEntries(all, { ...writing, form, patterns })
  // As soon as it can be told: to copy repositories takes its time.
  for (const { code, place, message } of ledger.dangling()) judge(code, place, message)
  yield* fileEntries(files, writing)
  if (repositories) yield* repositoryEntries(repositories, writing)
  judgeMissing(ledger, judge, repositories !== undefined)
}

/** A metadata archive names repositories without having them. */
function judgeMissing({ files }: Ledger, judge: Judge, withGit: boolean): void {
  for (const [path, { given, code, place, message }] of files) {
    const git = path.startsWith('repositories/')
    if (!given && (withGit || !git)) judge(code, place, message)
  }
}

function document(path: string, text: string, date = new Date(0)): ArchiveEntry {
  const bytes = Buffer.from(text)
  return { path, size: bytes.length, mode: 0o644, modifiedAt: date, content: asBytes([bytes]) }
}
