import { readStored } from '../../attachments/read-attachment.ts'
import {
  aFunction,
  aPath,
  aSignal,
  checkArguments,
  checkOptions,
  listOf,
  objectOf,
} from '../../base/check-arguments.ts'
import { orInterrupted, throwIfInterrupted } from '../../base/errors.ts'
import { SELECTION_SHAPES, type Selection } from '../../database/rows/selection.ts'
import type { Library } from '../../reading/library.ts'
import { type FolderList, openWrittenFolder, type WrittenFolder } from '../written-folder.ts'
import { chooseRecords } from './chosen.ts'
import { hashSource } from './hash-source.ts'
import { openFrozenLibrary } from './open-frozen-library.ts'
import { type Plan, planFiles } from './plan-files.ts'
import { writePeople, writeRepositories } from './write-lists.ts'
import { type Sharing, shareThreads, writeThreads } from './write-threads.ts'
import type { Writing } from './writing.ts'

/** The list of the files of the folder. */
const LIST: FolderList = {
  path: '.marc/files.ndjson',
  header: '{"markdown":"migration-archive","version":1}',
  // Such as those of Git and editors; no file of ours begins so.
  others: /^\./,
}

/** Chooses the records that are written as Markdown, and tells of the work. */
export interface ExportMarkdownOptions {
  /** Only these records and those that they refer to. */
  selection?: Selection | undefined
  /** Called after each file with the numbers of files and of bytes so far. */
  progress?: ((done: { files: number; bytes: number }) => void) | undefined
  /** Stops before the next file, with `interrupted`. */
  signal?: AbortSignal | undefined
}

/** The result of an export as Markdown. */
export interface MarkdownSummary {
  /** Files of the folder. */
  readonly files: number
  /** Those that were written; all others were there already. */
  readonly written: number
  /** Files of the run before that are gone. */
  readonly removed: number
  /** Bytes of all files. */
  readonly bytes: number
}

/**
 * Writes every issue, pull request and discussion as a Markdown file, with people, milestones, releases and uploads beside them. Links
 * between them are relative. A second run writes only what changed, and removes what is gone; the same databases give the same bytes
 * on any day.
 *
 * @param databases paths of databases that `loadArchive` created; of two repositories with one name, that of the earlier counts
 * @param folder the folder to write to; created if needed, and otherwise holds files that this wrote before
 * @param options `selection`, `progress`, `signal`
 * @returns the numbers of files, and their bytes
 * @throws `records-not-found` for a selection without records, `output-refused`, `output-full`, `interrupted`, `option-invalid`, what
 *   a selection throws in `buildArchive`, and the codes of `openDatabase`
 * @example
 * const { files } = await exportMarkdown(['archive.db'], 'notes')
 */
export async function exportMarkdown(
  databases: readonly string[],
  folder: string,
  options: ExportMarkdownOptions = {},
): Promise<MarkdownSummary> {
  checkArguments({ databases, folder }, { databases: listOf(aPath), folder: aPath })
  checkOptions(options, {
    selection: objectOf(SELECTION_SHAPES),
    progress: aFunction,
    signal: aSignal,
  })
  const { selection, signal } = options
  throwIfInterrupted(signal)
  const library = openFrozenLibrary(databases)
  try {
    const output = openWrittenFolder(folder, LIST)
    try {
      const hash = () => hashSource(databases, selection, signal)
      const source = await hash()
      const there = output.source === source ? output.measure() : undefined
      if (there) return { ...there, written: 0, removed: 0 }
      await writeAll(library, output, { databases, source, selection }, options)
      // The files lack changes that others made meanwhile.
      return await output.finish(async () => ((await hash()) === source ? source : undefined))
    } finally {
      output.close()
    }
  } catch (error) {
    throw orInterrupted(error, signal)
  } finally {
    library.close()
  }
}

async function writeAll(
  library: Library,
  output: WrittenFolder,
  sharing: Sharing,
  { progress, signal }: ExportMarkdownOptions,
): Promise<void> {
  const chosen = chooseRecords(library, sharing.selection)
  const shared = shareThreads(library, chosen, sharing, signal)
  let plan: Plan | undefined
  try {
    plan = planFiles(library, chosen, signal)
    const writing: Writing = {
      library,
      plan,
      chosen,
      output,
      signal,
      progress: () => progress?.({ files: output.done.files, bytes: output.done.bytes }),
    }
    await writeThreads(writing, shared)
    for (const { store, file, ...content } of plan.uploads()) {
      throwIfInterrupted(signal)
      const bytes = readStored(library.store(store).database, { ...content, stored: 1 })
      await output.put(file, bytes, content.sha256, content.size)
      writing.progress()
    }
    await writePeople(writing)
    await writeRepositories(writing)
  } finally {
    shared.halt()
    plan?.close()
  }
}
