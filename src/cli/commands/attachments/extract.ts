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
  summary: 'Write uploads into a folder, under safe names, each content once',
  options: {
    source: SOURCE_OPTION,
    folder: {
      type: 'string',
      demandOption: true,
      describe: 'Where the files go; it is made if it is not there',
    },
    by: {
      choices: Object.keys(LAYOUTS) as Layout[],
      default: 'issue',
      value: '<layout>',
      describe: 'Laid out by what they belong to, as in the archive, or by content',
    },
    force: { type: 'boolean', describe: 'Replace files that are there; else they are kept' },
    json: { type: 'boolean', describe: 'Print the summary, and errors, as JSON' },
    quiet: QUIET_OPTION,
    verbose: { type: 'boolean', describe: 'Show each upload and what became of it' },
    'max-extracted': {
      type: 'string',
      value: '<number>',
      describe: 'Bytes written at most, or off [53687091200]',
    },
  },
  exits: [1],
  examples: [
    ['marc attachments extract samples/hello.tar.gz uploads', 'by issue and pull request'],
    [
      'marc attachments extract samples/organization.tar.gz contents --by hash',
      'each content once, called by its SHA-256',
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
