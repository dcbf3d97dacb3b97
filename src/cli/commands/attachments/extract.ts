import { extractAttachments } from '../../../attachments/extract-attachments.ts'
import { LAYOUTS, type Layout } from '../../../attachments/place-attachment.ts'
import { defineCommand } from '../../command/command.ts'
import { limitOf } from '../../options/reading-options.ts'
import { QUIET_OPTION, SOURCE_OPTION } from '../../options/shared-options.ts'
import { escapeControlsInJson } from '../../output/escape-controls.ts'
import { safe } from '../../output/safe-text.ts'
import { writeAll } from '../../output/write-all.ts'
import { describeExtraction } from '../../reports/describe-extraction.ts'
import { tellOutcomes } from '../../reports/extraction-reporter.ts'
import { openReadable } from '../../sources/open-readable.ts'

export const extract = defineCommand({
  usage: '<source> <folder>',
  summary: 'Write uploads to a folder, under safe names, without duplicates',
  options: {
    source: SOURCE_OPTION,
    folder: {
      type: 'string',
      demandOption: true,
      describe: 'Folder to write to; created if missing',
    },
    by: {
      choices: Object.keys(LAYOUTS) as Layout[],
      default: 'issue',
      value: '<layout>',
      describe: 'Group files by issue or pull request, as in the archive, or by content',
    },
    force: { type: 'boolean', describe: 'Overwrite existing files instead of keeping them' },
    json: { type: 'boolean', describe: 'Print the summary, and errors, as JSON' },
    quiet: QUIET_OPTION,
    verbose: { type: 'boolean', describe: 'Show each upload and its result' },
    'max-extracted': {
      type: 'string',
      value: '<number>',
      describe: 'Maximum bytes to write, or off [53687091200]',
    },
  },
  exits: [1],
  examples: [
    ['marc attachments extract samples/hello.tar.gz uploads', 'by issue and pull request'],
    [
      'marc attachments extract samples/organization.tar.gz contents --by hash',
      'deduplicated, named by SHA-256',
    ],
  ],
  async run({ source, folder, by, force, json, quiet, verbose, ...limits }, io) {
    const maxExtracted = limitOf('max-extracted', limits['max-extracted'])
    const database = await openReadable(source, io, { quiet, contents: 'uploads', writes: true })
    const teller = tellOutcomes(io, { quiet, verbose })
    const start = performance.now()
    try {
      const done = await extractAttachments(database, folder, {
        ...{ by: by as Layout, force, maxExtracted, report: teller.report, signal: io.signal },
      })
      teller.finish()
      const seconds = (performance.now() - start) / 1000
      const text = json
        ? escapeControlsInJson(JSON.stringify({ folder, ...done, seconds }))
        : describeExtraction(folder, done, seconds, io)
      await writeAll(io.stdout, [safe`${text}\n`])
      return done.missing > 0 ? 1 : 0
    } finally {
      teller.finish()
      database.close()
    }
  },
})
