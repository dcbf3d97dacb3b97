import { openDatabase } from '../../database/open-database.ts'
import { hasSelection, type Selection } from '../../database/rows/selection.ts'
import type { MarkdownSummary } from '../../exporters/markdown/export-markdown.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { selectionOf } from '../options/selection-options.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { databasePath } from '../sources/open-readable.ts'
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
  const databases: string[] = []
  for (const source of sources) {
    databases.push(await databasePath(source, io, { quiet, contents: 'uploads', writes: true }))
  }
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

/** Names as the database has them. Several databases have different ones: there they count as they were typed. */
async function resolved(
  [only, ...others]: readonly string[],
  selection: Selection,
  { timeout }: ExportCommandOptions,
  io: Io,
): Promise<Selection> {
  let found = selection
  for (const path of [only as string, ...others]) {
    const database = openDatabase(path)
    try {
      const { where, fromQuery } = selection
      const asked = others.length === 0 ? selection : { where, fromQuery }
      const known = await resolveSelection(database, asked, { timeout, io })
      if (others.length === 0) found = known
    } finally {
      database.close()
    }
  }
  return found
}

function describe(folder: string, { files, written, removed }: MarkdownSummary): SafeText {
  const index = escapeControls(`${folder.replace(/(?<![/\\])[/\\]+$/, '')}/README.md`)
  const gone = removed === 0 ? safe`` : safe`, removed ${formatCount(removed)}`
  return safe`wrote ${formatCount(written)} of ${formatCount(files)} files${gone}; begin with ${index}\n`
}
