import { ArchiveError } from '../../../errors.ts'
import { type CloneResult, cloneRepository } from '../../../git/clone/clone-repository.ts'
import { defineCommand } from '../../command/command.ts'
import { sizeLimitOf } from '../../options/reading-options.ts'
import {
  MAX_EXTRACTED_OPTION,
  PROGRESS_OPTIONS,
  progressMode,
  REPOSITORY_OPTION,
  SOURCE_OPTION,
} from '../../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../../output/escape-controls.ts'
import { showProgress } from '../../output/progress.ts'
import { formatBytes, formatCount, formatDuration } from '../../output/quantities.ts'
import { type SafeText, safe } from '../../output/safe-text.ts'
import { writeAll } from '../../output/write-all.ts'
import { printError } from '../../print-error.ts'
import { openReadable } from '../../sources/open-readable.ts'

export const clone = defineCommand({
  usage: '<source> <repository> <directory>',
  summary: 'Write a Git repository: objects and refs, without hooks',
  options: {
    source: SOURCE_OPTION,
    repository: REPOSITORY_OPTION,
    directory: {
      type: 'string',
      demandOption: true,
      describe: 'Folder to create; it may exist if it is empty',
    },
    worktree: { type: 'boolean', describe: 'Check out the files of HEAD too, beside .git' },
    'max-extracted': MAX_EXTRACTED_OPTION,
    force: { type: 'boolean', describe: 'Overwrite an existing bare repository' },
    json: { type: 'boolean', describe: 'Print the summary and errors as JSON' },
    ...PROGRESS_OPTIONS,
  },
  exits: [1, 5],
  examples: [
    [
      'marc repo clone samples/organization.tar.gz harbour-lights/tidewatch tidewatch.git',
      'a bare repository',
    ],
    [
      'marc repo clone samples/organization.tar.gz harbour-lights/tidewatch.wiki wiki.git',
      'its wiki',
    ],
    [
      'marc repo clone samples/organization.tar.gz harbour-lights/tidewatch work --worktree',
      'with its files checked out',
    ],
  ],
  notes: `git clone marc::archive.db#owner/name does the same with the options of Git. It
needs git-remote-marc, a program of this package, on the path.`,
  async run({ source: named, repository, directory, json, quiet, verbose, ...given }, io) {
    const { force, worktree } = given
    const maxExtracted = sizeLimitOf('max-extracted', given['max-extracted'])
    const database = await openReadable(named, io, { quiet, contents: 'git', writes: true })
    const mode = progressMode({ quiet, verbose })
    let shown: ReturnType<typeof showProgress> | undefined
    try {
      const start = performance.now()
      const cloned = await cloneRepository(database, repository, directory, {
        ...{ force, worktree, maxExtracted, signal: io.signal },
        progress({ bytes, total }) {
          shown ??= showProgress(io.stderr, { label: `writing ${directory}`, total, mode })
          shown.update(bytes)
        },
      }).finally(() => shown?.finish())
      const seconds = (performance.now() - start) / 1000
      const text = json
        ? escapeControlsInJson(JSON.stringify({ ...cloned, seconds }))
        : describeClone(cloned, seconds)
      await writeAll(io.stdout, [safe`${text}\n`])
      // Nothing is missing, but whoever wrote the archive thought that something was elsewhere.
      if (!cloned.missing) return cloned.borrowsFrom === undefined ? 0 : 1
      printError(incomplete(cloned, cloned.missing), io, { json: json === true })
      return 5
    } finally {
      database.close()
    }
  },
})

/** The clone was written, because another repository may have the missing objects, but git may refuse it. */
const incomplete = (
  { directory }: CloneResult,
  { count, oid, from }: NonNullable<CloneResult['missing']>,
) => {
  const missing = count === 1 ? '1 object is missing' : `${count} objects are missing`
  const message = `${missing}, so git may refuse it: the first is ${oid}, which ${from} refers to`
  return new ArchiveError('git-incomplete', message, { archive: directory })
}

/** The result of a clone for people. */
function describeClone(
  { repository, directory, refs, head, files, bytes, notes, checkedOut }: CloneResult,
  seconds: number,
): SafeText {
  const names = refs === 1 ? '1 ref' : `${formatCount(refs)} refs`
  const objects = files === 0 ? 'no objects' : `${formatBytes(bytes)} of objects`
  return [
    `${repository} is in ${directory}: ${objects}, ${names}, HEAD ${head.replace('ref: ', '')}.`,
    ...(checkedOut === undefined ? [] : [`${formatCount(checkedOut)} files are checked out.`]),
    ...notes.map((note) => `Note: ${note}.`),
    `Written in ${formatDuration(seconds * 1000)}.`,
  ]
    .map(escapeControls)
    .join('\n')
}
