import { openDatabase } from '../../database/open-database.ts'
import { hasSelection, type Selection } from '../../database/rows/selection.ts'
import type { MarkdownSummary } from '../../exporters/markdown/export-markdown.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { selectionOf } from '../options/selection-options.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { databasePaths } from '../sources/open-readable.ts'
import { resolveSelection } from './resolve-selection.ts'
import type { ExportCommandOptions } from './with-export-source.ts'
import { writeFolder } from './write-folder.ts'

/** Exports sources together as a folder of Markdown files. */
export async function exportAsMarkdown(
  sources: readonly string[],
  folder: string,
  options: ExportCommandOptions,
  io: Io,
): Promise<0> {
  if (sources.length === 0) throw new UsageError('<sources> is missing')
  const { json, quiet } = options
  const selection = selectionOf(options)
  const reading = { quiet, contents: 'uploads', writes: true } as const
  const databases = await databasePaths(sources, io, reading)
  io.growYoungSpace?.()
  const { exportMarkdown } = await import('../../exporters/markdown/export-markdown.ts')
  return writeFolder(
    folder,
    {
      json,
      quiet,
      kind: 'one',
      write: async (progress) =>
        exportMarkdown(databases, folder, {
          selection: hasSelection(selection)
            ? await resolved(databases, selection, options, io)
            : undefined,
          signal: io.signal,
          progress,
        }),
      describe: (done) => describe(folder, done),
    },
    io,
  )
}

/**
 * The selection with names as the database has them. Several databases have different ones: of these only the conditions are
 * checked, and names count as they were typed.
 */
async function resolved(
  databases: readonly string[],
  selection: Selection,
  { timeout }: ExportCommandOptions,
  io: Io,
): Promise<Selection> {
  const resolveIn = (path: string, asked: Selection) => {
    const database = openDatabase(path)
    return resolveSelection(database, asked, { timeout, io }).finally(() => database.close())
  }
  if (databases.length === 1) return resolveIn(databases[0] as string, selection)
  const { where, fromQuery } = selection
  for (const path of databases) await resolveIn(path, { where, fromQuery })
  return selection
}

function describe(folder: string, { files, written, removed }: MarkdownSummary): SafeText {
  const index = escapeControls(`${folder.replace(/(?<![/\\])[/\\]+$/, '')}/README.md`)
  const gone = removed === 0 ? safe`` : safe`, removed ${formatCount(removed)}`
  return safe`wrote ${formatCount(written)} of ${formatCount(files)} files${gone}; begin with ${index}\n`
}
