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
} from '../base/check-arguments.ts'
import { type Report, throwIfInterrupted } from '../base/errors.ts'
import { asBytes } from '../base/streams.ts'
import type { JsonForm } from '../records/write-records.ts'
import { createEnforcer, type EnforceRule } from '../rules/enforce-rule.ts'
import { urlPattern } from '../rules/url-shapes.ts'
import { checkKinds, plainJson, urlTemplates } from './check-options.ts'
import { documentsOf, FORMS, type FormOptions, urlShapesOf } from './export-form.ts'
import type { ExportSource, KindSources } from './export-source.ts'
import { fileEntries } from './file-entries.ts'
import { repositoryEntries } from './git-entries.ts'
import { recordEntries } from './record-entries.ts'
import { createReferenceTracker, type ReferenceTracker } from './reference-tracker.ts'

/** The form of the archive, and what to do about broken rules. */
export interface ExportOptions extends FormOptions {
  /** How an empty array is printed: `[]`, or as until about 2024, with a blank line in it. Default `new`. */
  emptyArray?: JsonForm['emptyArray'] | undefined
  /** The date of all entries. Default: that of the latest record in a record file, or of the record that names a file. */
  date?: Date | undefined
  /** The compression level, 1 to 9. Default 5. */
  level?: number | undefined
  /** Also write records that break a documented rule, and report them. */
  allowInvalid?: boolean | undefined
  /** Receives these, and breaches of rules that are only observed in real archives. */
  report?: Report | undefined
  /** Stops before the next record, entry or chunk, with `interrupted`. */
  signal?: AbortSignal | undefined
}

const sourcesByKind = mapOf(aSource)

const SOURCE_SHAPES: Shapes<ExportSource> = {
  records: sourcesByKind,
  otherRecords: sourcesByKind,
  files: aSource,
  repositories: aSource,
}

const EXPORT_SHAPES: Shapes<ExportOptions> = {
  form: oneOf(...FORMS),
  schema: plainJson,
  urls: urlTemplates,
  level: aLevel,
  date: aDate,
  emptyArray: oneOf('old', 'new'),
  allowInvalid: aFlag,
  report: aFunction,
  signal: aSignal,
}

/**
 * Streams an archive that an importer accepts: records of any kinds, the files they name, and Git repositories, each read
 * when its turn comes. The same source makes the same bytes.
 *
 * @param source the records by kind, and optionally files and repositories
 * @param options the form of the archive, and what to do about broken rules
 * @returns the bytes of the archive
 * @throws `option-invalid` and `kind-unknown` at once; later the code of a documented rule (`RULES`) for a record that
 *   importers refuse, `record-not-object`, `record-not-json`, `file-…`, `git-…`, `content-…`,
 *   `path-hostile`, `entry-repeated`, `kind-name` or `interrupted`
 * @example
 * const archive = exportArchive({ records: { users, organizations, repositories, issues } })
 * await pipeline(archive, createWriteStream('export.tar.gz'))
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
  for await (const entry of entriesOf(
    source,
    options,
    createEnforcer(allowInvalid, report),
    date,
  )) {
    throwIfInterrupted(signal)
    yield entry
  }
}

async function* entriesOf(
  { records = {}, otherRecords = {}, files = [], repositories }: ExportSource,
  options: ExportOptions,
  enforce: EnforceRule,
  date: Date | undefined,
): AsyncGenerator<ArchiveEntry> {
  const all: KindSources = { ...records, ...otherRecords }
  const tracker = createReferenceTracker()
  const writing = { date, tracker, enforce, signal: options.signal }
  for (const [path, text] of documentsOf(options, Object.keys(all))) {
    yield document(path, text, date)
  }
  const shapes = Object.entries(urlShapesOf(options))
  const patterns = new Map(shapes.map(([kind, shape]) => [kind, urlPattern(shape)]))
  const form = { emptyArray: options.emptyArray ?? 'new' }
  yield* recordEntries(all, { ...writing, form, patterns })
  // As early as possible, because copying repositories takes long.
  for (const { code, place, message } of tracker.dangling()) enforce(code, place, message)
  yield* fileEntries(files, writing)
  if (repositories) yield* repositoryEntries(repositories, writing)
  enforceMissing(tracker, enforce, repositories !== undefined)
}

/** Enforces the rules about missing files. A metadata archive names Git data that it does not have. */
function enforceMissing({ files }: ReferenceTracker, enforce: EnforceRule, withGit: boolean): void {
  for (const [path, { given, code, place, message }] of files) {
    const git = path.startsWith('repositories/')
    if (!given && (withGit || !git)) enforce(code, place, message)
  }
}

function document(path: string, text: string, date = new Date(0)): ArchiveEntry {
  const bytes = Buffer.from(text)
  return { path, size: bytes.length, mode: 0o644, modifiedAt: date, content: asBytes([bytes]) }
}
