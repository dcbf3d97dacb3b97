import { checkDatabase } from '../../../conformance/checks/check-database.ts'
import { defineCommand } from '../../command/command.ts'
import { ownFormatOf } from '../../options/format-options.ts'
import { limitOf, reportedName } from '../../options/reading-options.ts'
import { PLACES_OPTION, QUIET_OPTION, SOURCE_OPTION } from '../../options/shared-options.ts'
import { writeAll } from '../../output/write-all.ts'
import { REPORT_FORMAT_OPTIONS, REPORT_FORMATS } from '../../reports/check/report-formats.ts'
import { openReadable } from '../../sources/open-readable.ts'

/** The checks of uploads themselves. Whether an importer accepts them is left to marc check. */
const WHOLE = [
  'tarball-form',
  'tarball-escape',
  'file-missing',
  'file-orphan',
  'file-empty',
  'file-size',
  'file-type',
  'upload-link',
]

export const check = defineCommand({
  usage: '<source>',
  options: {
    source: SOURCE_OPTION,
    ...REPORT_FORMAT_OPTIONS,
    places: PLACES_OPTION,
    quiet: QUIET_OPTION,
  },
  exits: [1],
  examples: [
    ['marc attachments check samples/hello.tar.gz', 'a report; exit code 1 if anything is found'],
    ['marc attachments check samples/organization.tar.gz --json', 'as JSON'],
  ],
  async run({ source: named, places, quiet, ...typed }, io) {
    const format = ownFormatOf(typed) ?? 'text'
    const most = limitOf('places', places)
    const database = await openReadable(named, io, { quiet, contents: 'uploads' })
    try {
      const result = await checkDatabase(database, { only: WHOLE })
      const report = {
        archives: [reportedName(named)],
        ...result,
        most,
        withNotes: true,
        ok: result.findings.length === 0,
        verdicts: ['has all uploads, and none is damaged', 'has missing or damaged uploads'],
      } as const
      await writeAll(io.stdout, REPORT_FORMATS[format](report, io))
      return report.ok ? 0 : 1
    } finally {
      database.close()
    }
  },
})
