import { type ArchiveForm, anArchiveSource } from '../archive/entry.ts'
import { roleOf } from '../archive/entry-role.ts'
import type { ArchiveSource } from '../archive/open-archive.ts'
import { intactContent, salvageEntry } from '../archive/salvage-entry.ts'
import {
  aFlag,
  aFunction,
  aSignal,
  checkArguments,
  checkOptions,
  objectOf,
  type Shapes,
} from '../base/check-arguments.ts'
import { LOSSES } from '../base/error-codes.ts'
import { ArchiveError, orInterrupted, type Problem, type Report } from '../base/errors.ts'
import { LIMIT_SHAPES, type Limits } from '../base/limits.ts'
import {
  canonicalFacts,
  RecordScanner,
  readCanonical,
} from '../records/canonical/read-canonical.ts'
import { detectRecords } from '../records/detect-records.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { readRecordBatches } from '../records/read-records.ts'
import { documentText, readDocument, readSchema, type SchemaFacts } from '../records/read-schema.ts'
import {
  createRecordStatistics,
  type RecordStatistics,
  type Writer,
} from '../records/statistics/collect-statistics.ts'
import { openSource } from '../sources/open-source.ts'
import type { SourceEntry } from '../sources/record-files.ts'
import { SOURCE_OPTIONS, type SourceOptions } from '../sources/source-options.ts'

/** How to inspect an archive. */
export interface InspectOptions {
  /** Limits that differ from `DEFAULT_LIMITS`. */
  limits?: Partial<Limits> | undefined
  /** Inspect what is readable of a damaged archive, with the losses among the problems. Default false: refuse it. */
  salvage?: boolean | undefined
  /** What to take a backup or export of another program for. */
  source?: SourceOptions | undefined
  /** Called after each entry with the bytes read of the archive, and their total if known. */
  progress?:
    | ((done: { archive: string; bytes: number; total: number | undefined }) => void)
    | undefined
  /** Stops the reading, with `interrupted`. */
  signal?: AbortSignal | undefined
}

const INSPECT_SHAPES: Shapes<InspectOptions> = {
  limits: objectOf(LIMIT_SHAPES),
  salvage: aFlag,
  source: SOURCE_OPTIONS,
  progress: aFunction,
  signal: aSignal,
}

/** Number and total bytes of some files. */
export interface FileCount {
  /** How many there are. */
  count: number
  /** Bytes of all of them. */
  bytes: number
}

/** The content of an archive, counted in one pass. */
export interface Inspection extends Pick<RecordStatistics, 'kinds' | 'repositories'> {
  /** The name of the file or folder, or the one given with the bytes. */
  name: string
  /** Bytes of the file; undefined for a stream or a folder. */
  size?: number | undefined
  /** Whether all of it could be read. */
  state: 'complete' | 'salvaged'
  /** What it is if it is no migration archive but was read as one, such as `a folder of python-github-backup`. */
  source?: string
  /** The form of the archive. */
  form: ArchiveForm
  /** The facts in schema.json; absent without a valid one. */
  schema?: SchemaFacts
  /** The ten people who wrote the most. */
  writers: Writer[]
  /** Files without records, by role. */
  files: Record<string, FileCount>
  /** Git data by owner/name; the name of a wiki ends in .wiki. */
  git: Record<string, FileCount>
  /** The first 1,000 problems. */
  problems: Problem[]
  /** The number of all problems. */
  problemCount: number
}

const MOST_PROBLEMS = 1000
const MOST_WRITERS = 10

/**
 * Counts what an archive holds, in one pass and without a database: kinds, repositories, people, files and problems.
 *
 * @param source the path of a file or folder, or bytes with a name for messages
 * @param options limits, salvage and progress
 * @returns the counts
 * @throws the codes of `readArchive` and `readRecords`, `archive-unrecognized`, `source-damaged`, `interrupted` or `option-invalid`
 * @example
 * const { kinds } = await inspectArchive('export.tar.gz')
 * const issues = kinds.issues?.records ?? 0
 */
export async function inspectArchive(
  source: ArchiveSource,
  options: InspectOptions = {},
): Promise<Inspection> {
  checkArguments({ source }, { source: anArchiveSource })
  checkOptions(options, INSPECT_SHAPES)
  const { limits = {}, salvage = false, progress, signal, source: sourceOptions } = options
  const problems: Problem[] = []
  let problemCount = 0
  let state: Inspection['state'] = 'complete'
  const report: Report = (problem) => {
    if (LOSSES.includes(problem.code)) state = 'salvaged'
    if (++problemCount <= MOST_PROBLEMS) problems.push(problem)
  }
  const archive = await openSource(
    source,
    { limits, salvage, report, signal, prints: false },
    sourceOptions,
  )
  const { name, size, form } = archive
  const survey = createRecordStatistics(report)
  const scanner = new RecordScanner()
  const found: Inspection = {
    name,
    size,
    state,
    form,
    kinds: survey.kinds,
    repositories: survey.repositories,
    writers: [],
    // Without prototypes, because archives choose the keys.
    files: Object.create(null),
    git: Object.create(null),
    problems,
    problemCount,
  }
  try {
    for await (const entry of archive.entries) {
      const inspecting = (entry: SourceEntry) =>
        inspectEntry(entry, found, survey, { limits, salvage, report, scanner })
      await (salvage ? salvageEntry(entry, report, inspecting) : inspecting(entry))
      progress?.({ archive: name, bytes: archive.bytesRead(), total: size })
    }
  } catch (error) {
    const placed = error instanceof ArchiveError ? error.at({ archive: name }) : error
    throw orInterrupted(placed, signal)
  }
  survey.finish()
  if (form.source !== undefined) found.source = form.source
  return { ...found, writers: survey.writers(MOST_WRITERS), state, problemCount }
}

async function inspectEntry(
  entry: SourceEntry,
  found: Inspection,
  survey: RecordStatistics,
  options: { limits: Partial<Limits>; salvage: boolean; report: Report; scanner: RecordScanner },
): Promise<void> {
  const { path, size, content, unprinted } = entry
  const role = roleOf(path)
  switch (role.role) {
    case 'directory':
      return
    case 'records': {
      if (unprinted) {
        survey.addRecordFile(role.stem)
        const placed = unprinted.map((record, i) => ({ record, entry: path, index: i + 1 }))
        survey.addDecoded(role.stem, placed)
        return
      }
      const intact = intactContent(content, options.salvage)
      const { isRecords, bytes } = await detectRecords(role.stem, intact.bytes)
      if (!isRecords) return addTo(found.files, 'unknown', size)
      survey.addRecordFile(role.stem)
      const { scanner, ...reading } = { ...options, bytesAsText: true }
      const canonical = await readCanonical(scanner, kindNamed(role.stem), bytes, reading)
      if (canonical.found) {
        survey.addCanonical(role.stem, canonicalFacts(role.stem, canonical.found))
      } else {
        for await (const batch of readRecordBatches(canonical.bytes, path, reading)) {
          survey.add(role.stem, batch)
        }
      }
      return
    }
    case 'schema':
    case 'urls': {
      const text = await documentText(entry, options.report)
      if (typeof text !== 'string') return addTo(found.files, role.role, size)
      if (role.role === 'schema') found.schema = readSchema(text, options.report)
      else readDocument('urls.json', text, options.report)
      return
    }
    default:
      if (options.salvage) for await (const _ of content);
      addTo(found.files, role.role, size)
      if (role.role === 'git') addTo(found.git, role.repository, size)
  }
}

function addTo(counts: Record<string, FileCount>, key: string, bytes: number): void {
  const count = counts[key] ?? { count: 0, bytes: 0 }
  counts[key] = { count: count.count + 1, bytes: count.bytes + bytes }
}
