import { ArchiveError } from '../../errors.ts'
import { type Inspection, inspectArchive } from '../../inspect-archive.ts'
import { defineCommand } from '../command.ts'
import { describeInspection } from '../describe-inspection.ts'
import { escapeControlsInJson } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { limitsOf, READING_OPTIONS, readingProgress, sourceOf } from '../reading-options.ts'

export const inspect = defineCommand({
  usage: '<archive>',
  summary: 'Tell what an archive holds, in one pass',
  options: {
    archive: {
      type: 'string',
      demandOption: true,
      describe: 'A tar.gz or tar file, an unpacked folder, or - for standard input',
    },
    json: { type: 'boolean', describe: 'Print everything, and errors, as JSON' },
    ...READING_OPTIONS,
  },
  examples: [
    ['marc inspect samples/hello.tar.gz', 'kinds, repositories, files'],
    ['marc inspect --json samples/organization.tar.gz', 'the same for a program'],
  ],
  async run({ archive, json, ...reading }, io) {
    const shown = readingProgress('inspecting', reading, io)
    try {
      const source = await sourceOf(archive, io)
      const inspecting = (salvage: boolean) =>
        inspectArchive(source, {
          ...{ limits: limitsOf(reading), salvage, progress: shown.progress },
          ...(io.signal && { signal: io.signal }),
        })
      // To be ready for damage takes time, so where an archive can be read again, that is done when it is met.
      const inspection = await inspecting(archive === '-').catch((error: unknown) => {
        if (archive === '-' || !(error instanceof ArchiveError)) throw error
        return inspecting(true)
      })
      shown.finish()
      const text = json ? printJson(inspection) : describeInspection(inspection, io)
      await writeAll(io.stdout, [`${text}\n`])
      return inspection.state === 'salvaged' ? 5 : 0
    } finally {
      shown.finish()
    }
  },
})

// Line by line: the breaks between them are not part of any text.
const printJson = (inspection: Inspection): string =>
  JSON.stringify(inspection, null, 2).split('\n').map(escapeControlsInJson).join('\n')
