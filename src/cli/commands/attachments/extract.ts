import {
  type ExtractedFile,
  type ExtractOutcome,
  type ExtractSummary,
  extractAttachments,
} from '../../../attachments/extract-attachments.ts'
import { LAYOUTS, type Layout } from '../../../attachments/place-attachment.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { ownText, type SafeText, safe } from '../../command/safe-text.ts'
import { sizeLimitOf } from '../../options/reading-options.ts'
import {
  folderOption,
  MAX_EXTRACTED_OPTION,
  QUIET_OPTION,
  SOURCE_OPTION,
} from '../../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../../output/escape-controls.ts'
import { showProgress } from '../../output/progress.ts'
import { formatBytes, formatCount, formatDuration } from '../../output/quantities.ts'
import { stylesFor } from '../../output/styles.ts'
import { writeAll } from '../../output/write-all.ts'
import { openReadable } from '../../sources/open-readable.ts'

export const extract = defineCommand({
  usage: '<source> <folder>',
  options: {
    source: SOURCE_OPTION,
    folder: {
      type: 'string',
      demandOption: true,
      describe: 'Folder to write to; created if missing',
    },
    output: folderOption('folder'),
    by: {
      choices: Object.keys(LAYOUTS) as Layout[],
      default: 'issue',
      value: '<layout>',
      describe: 'Group files by issue or pull request, as in the archive, or by content',
    },
    force: { type: 'boolean', describe: 'Overwrite existing files instead of keeping them' },
    json: { type: 'boolean', describe: 'Print the summary and errors as JSON' },
    quiet: QUIET_OPTION,
    verbose: { type: 'boolean', describe: 'Show each upload and its result' },
    'max-extracted': MAX_EXTRACTED_OPTION,
  },
  whenInterrupted: 'Files that were extracted stay. Run the command again for the others.',
  exits: [1],
  examples: [
    ['marc attachments extract samples/hello.tar.gz uploads', 'by issue and pull request'],
    [
      'marc attachments extract samples/organization.tar.gz contents --by hash',
      'deduplicated, named by SHA-256',
    ],
  ],
  async run({ source, folder, by, force, json, quiet, verbose, ...limits }, io) {
    const maxExtracted = sizeLimitOf('max-extracted', limits['max-extracted'])
    const database = await openReadable(source, io, { quiet, contents: 'uploads', writes: true })
    const reporter = extractionReporter(io, { quiet, verbose })
    const start = performance.now()
    try {
      const done = await extractAttachments(database, folder, {
        by: by as Layout,
        force,
        maxExtracted,
        report: reporter.report,
        signal: io.signal,
      })
      reporter.finish()
      const seconds = (performance.now() - start) / 1000
      const text = json
        ? escapeControlsInJson(JSON.stringify({ folder, ...done, seconds }))
        : describeExtraction(folder, done, seconds, io)
      await writeAll(io.stdout, [safe`${text}\n`])
      return done.missing > 0 ? 1 : 0
    } finally {
      reporter.finish()
      database.close()
    }
  },
})

/** Uploads reported one by one; the rest are counted. */
const MOST = 10

const SAID: Partial<Record<ExtractOutcome, SafeText>> = {
  kept: safe`kept, because the file exists`,
  missing: safe`missing from the archive`,
}

/** Reports on standard error each upload that was not written, or with `verbose` each upload. */
function extractionReporter(
  { stderr }: Io,
  { quiet, verbose }: { quiet: boolean | undefined; verbose: boolean | undefined },
) {
  const mode = quiet || verbose ? 'none' : undefined
  const shown = showProgress(stderr, { label: 'extracting', mode })
  const counts: Partial<Record<ExtractOutcome, number>> = {}
  let bytes = 0
  return {
    report({ attachment, outcome, path, bytes: more }: ExtractedFile) {
      bytes += more
      shown.update(bytes)
      const count = (counts[outcome] ?? 0) + 1
      counts[outcome] = count
      if (!verbose && (SAID[outcome] === undefined || count > MOST)) return
      shown.clear()
      const named = path ?? attachment.path ?? attachment.url ?? attachment.name ?? ''
      stderr.write(safe`${escapeControls(String(named))}: ${SAID[outcome] ?? ownText(outcome)}\n`)
    },
    finish() {
      shown.finish()
      for (const [outcome, said] of Object.entries(SAID)) {
        const hidden = (counts[outcome as ExtractOutcome] ?? 0) - MOST
        if (!verbose && hidden > 0) stderr.write(safe`${formatCount(hidden)} more: ${said}\n`)
        counts[outcome as ExtractOutcome] = 0
      }
    },
  }
}

const LINES = [
  ['written', ''],
  ['linked', 'hard links to the same content'],
  ['same', 'the same content under the same name'],
  ['kept', 'a file exists; overwrite it with --force'],
  ['missing', 'not in the archive'],
] as const satisfies readonly (readonly [keyof ExtractSummary, string])[]

/** The summary of an extraction for people. */
function describeExtraction(
  folder: string,
  done: ExtractSummary,
  seconds: number,
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  const { bold } = stylesFor(stdout, env)
  const lines = LINES.filter(([name]) => done[name] > 0 || name === 'written').map(
    ([name, meaning]) => {
      const remark = name === 'written' ? formatBytes(done.bytes) : ownText(meaning)
      return safe`  ${ownText(name).padEnd(8)} ${formatCount(done[name]).padStart(9)}  ${remark}`
    },
  )
  const end = safe`Extracted in ${formatDuration(seconds * 1000)}.`
  return [bold(escapeControls(folder)), ...lines, end].join('\n')
}
