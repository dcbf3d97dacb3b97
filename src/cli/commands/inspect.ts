import { ArchiveError } from '../../base/errors.ts'
import { openDatabase } from '../../database/open-database.ts'
import { isDatabase } from '../../files/is-database.ts'
import { type Inspection, inspectArchive } from '../../inspect/inspect-archive.ts'
import { inspectDatabase } from '../../inspect/inspect-database.ts'
import { defineCommand } from '../command/command.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import { FOREIGN_OPTIONS } from '../command/foreign-options.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { limitsOf, READING_OPTIONS, readingProgress, sourceOf } from '../options/reading-options.ts'
import { PAGER_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { escapeControlsInJson } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { describeInspection } from '../reports/describe-inspection.ts'
import { refuseForeign } from '../sources/open-readable.ts'

export const inspect = defineCommand({
  usage: '<source>',
  options: {
    source: SOURCE_OPTION,
    pager: PAGER_OPTION,
    json: { type: 'boolean', describe: 'Print the result and errors as JSON' },
    ...FOREIGN_OPTIONS,
    ...READING_OPTIONS,
  },
  exits: [5],
  works: 'in turns',
  examples: [
    ['marc inspect samples/hello.tar.gz', 'kinds, repositories, files'],
    ['marc inspect --json samples/organization.tar.gz', 'the same as JSON'],
  ],
  async run({ source: named, json, ...reading }, io) {
    const shown = readingProgress('inspecting', reading, io)
    try {
      if (await isDatabase(named)) {
        await refuseForeign(io)
        return await write(inspectNamed(named), named, json, io)
      }
      const source = await sourceOf(named, io)
      const inspecting = (salvage: boolean) =>
        inspectArchive(source, {
          limits: limitsOf(reading),
          salvage,
          source: io.foreign,
          progress: shown.progress,
          ...(io.signal && { signal: io.signal }),
        })
      // Salvaging takes longer. An archive that can be read again is salvaged only once damage is found.
      const inspection = await inspecting(named === '-').catch((error: unknown) => {
        if (named === '-' || !(error instanceof ArchiveError)) throw error
        // An archive that exceeds a limit is not damaged. It is refused, as by load.
        if (error.code.startsWith('limit-')) throw error
        return inspecting(true)
      })
      shown.finish()
      return await write(inspection, named, json, io)
    } finally {
      shown.finish()
    }
  },
})

function inspectNamed(path: string): Inspection {
  const database = openDatabase(path)
  try {
    return inspectDatabase(database)
  } finally {
    database.close()
  }
}

async function write(
  inspection: Inspection,
  named: string,
  json: boolean | undefined,
  io: Io,
): Promise<ExitCode> {
  const text = json ? printJson(inspection) : describeInspection(inspection, named, io)
  await writeAll(io.stdout, [safe`${text}\n`])
  return inspection.state === 'salvaged' ? 5 : 0
}

// Line by line: the line breaks are not part of any text.
const printJson = (inspection: Inspection): SafeText =>
  JSON.stringify(inspection, null, 2).split('\n').map(escapeControlsInJson).join('\n')
