import { join } from 'node:path'
import type { ArchiveEntry } from '../archive/entry.ts'
import { writeArchive } from '../archive/write-archive.ts'
import {
  anOpenDatabase,
  anyOf,
  aPath,
  checkArguments,
  checkOptions,
} from '../base/check-arguments.ts'
import { ArchiveError, orInterrupted, throwIfInterrupted } from '../base/errors.ts'
import { type ArchiveLayout, findLayout } from '../database/archive-layout.ts'
import { sizeOf } from '../database/contents/list-files.ts'
import { findMissingFiles } from '../database/contents/missing-files.ts'
import { refuseLargeCells } from '../database/large-cells.ts'
import { newestDate } from '../database/newest-date.ts'
import { type Database, openDatabase } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import {
  kindsWithDeleted,
  orderOf,
  placedKinds,
  placeRecords,
} from '../database/record-files/place-records.ts'
import {
  type PlannedFile,
  type PlannedKind,
  planRecordFiles,
} from '../database/record-files/plan-record-files.ts'
import { recordEntry } from '../database/record-files/record-entry.ts'
import { makeTemporaryFolder } from '../files/temporary-folder.ts'
import type { JsonObject } from '../records/json/json.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { createEnforcer } from '../rules/enforce-rule.ts'
import { applySelection, hasGit } from './apply-selection.ts'
import { BUILD_SHAPES, type BuildOptions, isPartial } from './build-options.ts'
import { checkTables } from './check-tables.ts'
import { openCopy } from './cut-references.ts'
import { documentEntries } from './document-entries.ts'
import { withArchiveKinds } from './documented-kinds.ts'
import { entryDates } from './entry-dates.ts'
import { fileEntries } from './file-entries.ts'
import { type BuiltEntry, orderEntries } from './order-entries.ts'
import { claimPaths } from './unique-paths.ts'
import { createRecordValidator, hasEdited, type IsEdited } from './validate-records.ts'

const aBuildSource = anyOf('an open Database or the path of a folder', aPath, anOpenDatabase)

/**
 * Builds an archive from what a database holds now: record files as loaded, and rows added with SQL in new ones. A
 * selection includes the records it refers to. A folder is normalized first: loose files get the names that archives
 * have. The same content always gives the same bytes.
 *
 * @param source an open database, or the path of a folder
 * @param options what to write, and how
 * @returns the bytes of the archive
 * @throws the code of a documented rule (`RULES`) for a record that importers refuse, except in an unchanged file;
 *   `file-missing` or `git-missing` for a deleted file that is needed; `records-not-found` for a selection or folder
 *   without records; `query-invalid` or `query-writes` for the SQL of a selection; `repository-not-found`,
 *   `kind-not-found`, `entry-repeated`, `path-hostile`, `content-missing`, `database-damaged`, `interrupted` or
 *   `option-invalid`; for a folder also what `loadArchive` throws
 * @example
 * await pipeline(buildArchive(database, { repositories: ['ada/kettle'] }), createWriteStream('kettle.tar.gz'))
 */
export async function* buildArchive(
  source: Database | string,
  options: BuildOptions = {},
): AsyncGenerator<Uint8Array> {
  checkArguments({ source }, { source: aBuildSource })
  checkOptions(options, BUILD_SHAPES)
  if (typeof source === 'string') {
    yield* buildFromFolder(source, options)
    return
  }
  const { database, close } = options.cutReferences ? openCopy(source) : snapshotOf(source)
  try {
    yield* buildSelected(database, applySelection(database, options))
  } catch (error) {
    throw translate(error, source.name, options)
  } finally {
    close()
  }
}

/** Builds from a snapshot after `applySelection`; with `isEdited`, only edited rows can break a rule. */
export async function* buildSelected(
  database: Database,
  selected: BuildOptions,
  isEdited?: IsEdited,
): AsyncGenerator<Uint8Array> {
  const renumber = isPartial(selected)
  const found = findLayout(database)
  // If directories had no entries, those that Git needs are added for new repositories.
  const layout = found?.directories || !renumber ? found : undefined
  yield* write(entriesOf(database, { ...selected, renumber, layout, isEdited }), selected, layout)
}

function snapshotOf(source: Database) {
  refuseLargeCells(source)
  const database = openSnapshot(source)
  return { database, close: () => void database.close() }
}

async function* buildFromFolder(folder: string, options: BuildOptions): AsyncGenerator<Uint8Array> {
  const temporary = makeTemporaryFolder()
  try {
    const path = join(temporary.path, 'folder.db')
    // All of loading comes with it, which a database is built without.
    const { loadFolder } = await import('./normalize-folder.ts')
    const { isForeign } = await loadFolder(folder, path, options)
    const database = openDatabase(path)
    try {
      if (isForeign) {
        yield* buildSelected(database, applySelection(database, options))
        return
      }
      // File times in a folder only say when it was copied.
      const date = options.date ?? newestDate(database, orderOf(database).tables) ?? new Date(0)
      const selected = applySelection(database, options)
      const entries = entriesOf(database, { ...selected, date, renumber: true, complete: true })
      yield* write(entries, options)
    } finally {
      database.close()
    }
  } catch (error) {
    throw translate(error, folder, options)
  } finally {
    temporary.remove()
  }
}

/** The selected entries: in their original order, or documents, records by kind, files by path. */
function* entriesOf(
  database: Database,
  options: BuildOptions & {
    renumber: boolean
    complete?: boolean
    layout?: ArchiveLayout | undefined
    isEdited?: IsEdited | undefined
  },
): Generator<ArchiveEntry> {
  const { files = true, renumber, part, form, date, progress, signal, layout, isEdited } = options
  const order = orderOf(database)
  checkTables(database, order.tables, options.report)
  const chosen = isPartial(options)
  const { fileKinds } = withArchiveKinds(options, order.tables)
  const git = hasGit(options)
  if (files) {
    const enforce = createEnforcer(options.allowInvalid === true, options.report)
    for (const { code, path, message } of findMissingFiles(database, order.tables, {
      chosen,
      part,
      git,
    })) {
      enforce(code, { entry: path }, message)
    }
  }
  const places = placeRecords(database, order, { byKind: renumber, chosen, fileKinds })
  const dates = entryDates(database, { date, tables: order.tables })
  const done = {
    entries: 0,
    records: 0,
    bytes: 0,
    total: chosen ? undefined : sizeOf(database, { files }),
  }
  const count = (entry: ArchiveEntry, records = 0): ArchiveEntry => {
    throwIfInterrupted(signal)
    if (!entry.path.endsWith('/')) done.entries++
    done.records += records
    done.bytes += entry.size
    progress?.({ ...done })
    return entry
  }
  const kinds = placedKinds(database, order, places)
  if (renumber && kinds.length === 0) {
    throw new ArchiveError('records-not-found', 'there are no records to write')
  }
  const claimPath = claimPaths(database, { files })
  const documents = documentEntries(database, { form, kinds, modifiedAt: dates.last() })
  const deleted = renumber ? new Set<string>() : kindsWithDeleted(database, places)
  const validator = createRecordValidator(database, deleted, options)
  const only = part === 'git' ? ['organizations', 'repositories'] : undefined
  const planned = planRecordFiles(database, order, places, { renumber, only })
  const recordsOf = (plan: PlannedFile): BuiltEntry => {
    // People who write records by hand rely on the file name for the type.
    const file = options.complete ? addMissingType(plan) : plan
    const edited = { ...file, isEdited: hasEdited(file, isEdited) }
    const { unchanged, again, sums, ...built } = recordEntry(edited, dates.ofRecords)
    validator.test({ ...file, records: again }, { unchanged, sums })
    return built
  }
  const kept = planned.flatMap((kind) => kind.kept)
  for (const { path } of [...documents, ...kept]) claimPath(path)
  function* madeOf({ made }: PlannedKind): Generator<BuiltEntry> {
    for (const file of made()) {
      claimPath(file.path)
      yield recordsOf(file)
    }
  }
  function* inOrder(): Generator<BuiltEntry> {
    const of = { chosen: chosen && files, part, dateOf: dates.ofFile }
    if (layout) {
      const parts = {
        documents: new Map(documents.map((entry) => [entry.path, () => ({ entry })])),
        recordFiles: new Map(kept.map((file) => [file.path, () => recordsOf(file)])),
        *made() {
          for (const kind of planned) yield* madeOf(kind)
        },
      }
      yield* orderEntries(database, layout, parts, { renumber, files, ...of })
      return
    }
    for (const entry of documents) yield { entry }
    for (const kind of planned) {
      for (const file of kind.kept) yield recordsOf(file)
      yield* madeOf(kind)
    }
    if (files) for (const entry of fileEntries(database, of)) yield { entry }
  }
  for (const { entry, records } of inOrder()) yield count(entry, records)
  validator.testUnchanged()
}

async function* write(
  entries: Iterable<ArchiveEntry>,
  { level, threads, signal }: BuildOptions,
  layout?: ArchiveLayout,
): AsyncGenerator<Uint8Array> {
  const form = layout && { prefix: layout.prefix, directories: 'given' as const, form: layout }
  for await (const piece of writeArchive(entries, { level, threads, ...form })) {
    throwIfInterrupted(signal)
    yield piece
  }
}

/** An error of a build with the name of its source. */
export function translate(error: unknown, name: string, { signal }: BuildOptions): unknown {
  if (signal?.aborted) return orInterrupted(error, signal)
  // A query was typed, so no place in the source caused it.
  const isPlaced = error instanceof ArchiveError && !error.code.startsWith('query-')
  return isPlaced ? error.at({ archive: name }) : error
}

/** The same file with the type of its kind in records without one. */
function addMissingType(file: PlannedFile): PlannedFile {
  const kind = kindNamed(file.stem)
  if (!kind) return file
  function* typed(): Generator<JsonObject> {
    for (const record of file.records()) {
      yield Object.hasOwn(record, 'type') ? record : { type: kind?.type as string, ...record }
    }
  }
  return { ...file, records: typed }
}
