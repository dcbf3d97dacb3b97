import { checkSource } from '../../../archive/open-archive.ts'
import { refuseExisting, type Written, withSha256, writeFile } from '../../../files/write-file.ts'
import {
  archiveRevision,
  REVISION_FORMATS,
  type RevisionFormat,
} from '../../../git/archive/archive-revision.ts'
import { defineCommand } from '../../command/command.ts'
import type { ExitCode } from '../../command/exit-codes.ts'
import { safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { sizeLimitOf } from '../../options/reading-options.ts'
import { REPOSITORY_OPTIONS } from '../../options/repository-options.ts'
import { MAX_EXTRACTED_OPTION } from '../../options/shared-options.ts'
import { checkOutput } from '../../output/check-output.ts'
import { escapeControls, escapeControlsInJson } from '../../output/escape-controls.ts'
import { formatBytes, formatCount } from '../../output/quantities.ts'
import { writeAll, writeToStream } from '../../output/write-all.ts'
import { withRepository } from '../../sources/with-repository.ts'

export const archive = defineCommand({
  usage: '<source> [repository] [revision]',
  options: {
    ...REPOSITORY_OPTIONS,
    revision: { type: 'string', describe: 'A branch, tag or commit, such as v1.0 [HEAD]' },
    output: {
      type: 'string',
      alias: 'o',
      value: '<file>',
      describe: 'File to write, or - for standard output',
    },
    format: {
      choices: REVISION_FORMATS,
      value: '<format>',
      describe: 'Format of the archive [by the name of the file, or tar]',
    },
    prefix: {
      type: 'string',
      value: '<prefix>/',
      describe: 'Put this before every path',
    },
    'max-extracted': MAX_EXTRACTED_OPTION,
    force: { type: 'boolean', describe: 'Overwrite the file if it exists' },
    json: { type: 'boolean', describe: 'Print the summary as JSON' },
    quiet: { type: 'boolean', alias: 'q', describe: 'Print no summary and no notes' },
  },
  exits: [1],
  examples: [
    [
      'marc repo archive samples/organization.tar.gz harbour-lights/tidewatch v1.0.0 -o tidewatch.zip',
      'the files of a release',
    ],
    [
      'marc repo archive samples/organization.tar.gz harbour-lights/tidewatch -o tidewatch.tar --prefix tidewatch/',
      'HEAD as the tar of git archive',
    ],
  ],
  notes: `A tar has the bytes that git archive writes. Attributes in .gitattributes that
would change it, such as export-ignore, are not applied, and a note names them.
Unsafe names, such as .git or .., are left out with a note. For a tar.gz, write
the tar to standard output and compress it with gzip.`,
  async run({ revision, output, force = false, json, quiet, ...typed }, io) {
    if (typed.source !== '-') await checkSource(typed.source)
    if (output === undefined) {
      throw new UsageError('the archive needs a name', 'Name it with: -o name.tar')
    }
    const format = typed.format ?? formatOfName(output)
    const options = { format, prefix: typed.prefix, signal: io.signal }
    const maxExtracted = sizeLimitOf('max-extracted', typed['max-extracted'])
    if (output !== '-') {
      const made = { noun: 'an archive', example: `name.${format}`, source: 'the source' }
      await checkOutput(output, [typed.source], made)
      if (!force) refuseExisting(output)
    }
    const write = async (bytes: AsyncIterable<Uint8Array>) => {
      if (output === '-') return writeToStream(io.stdout, bytes)
      await writeFile(output, bytes, { force })
      return true
    }
    const source = { ...typed, words: [revision], writes: true }
    return withRepository(
      source,
      io,
      async (repository, _, [named = 'HEAD']): Promise<ExitCode> => {
        const archived = archiveRevision(repository, named, { ...options, maxExtracted })
        const { bytes, sum } = withSha256(archived.bytes)
        if (!(await write(bytes)) || quiet) return 0
        const { commit, summary } = archived
        const done = { repository: repository.name, commit, archive: output, format, ...sum() }
        const text = json
          ? escapeControlsInJson(JSON.stringify({ ...done, ...summary() }))
          : describe({ ...done, ...summary() })
        // Standard output may hold the archive itself.
        await writeAll(output === '-' ? io.stderr : io.stdout, [safe`${text}\n`])
        return 0
      },
    )
  },
})

/** The format that the name of a file implies. Throws `UsageError` for a compressed tar. */
function formatOfName(output: string): RevisionFormat {
  if (!/\.(tgz|tar\.\w+|gz)$/i.test(output)) return /\.zip$/i.test(output) ? 'zip' : 'tar'
  const hint = `Write it to standard output instead: -o - | gzip -n > ${output}`
  throw new UsageError('a tar is written without compression', hint)
}

interface Done extends Written {
  repository: string
  commit: string
  archive: string
  files: number
  notes: string[]
}

const describe = ({ repository, commit, archive, files, bytes, notes }: Done) =>
  [
    `${repository} at ${commit.slice(0, 12)} is in ${archive === '-' ? 'the output' : archive}: ` +
      `${formatCount(files)} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}.`,
    ...notes.map((note) => `Note: ${note}.`),
  ]
    .map(escapeControls)
    .join('\n')
