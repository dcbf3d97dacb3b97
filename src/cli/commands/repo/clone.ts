import { basename } from 'node:path'
import { ArchiveError } from '../../../base/errors.ts'
import { type CloneResult, cloneRepository } from '../../../git/clone/clone-repository.ts'
import { defineCommand } from '../../command/command.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { AdvisedError } from '../../command/usage-error.ts'
import { sizeLimitOf } from '../../options/reading-options.ts'
import {
  folderOption,
  MAX_EXTRACTED_OPTION,
  PROGRESS_OPTIONS,
  progressMode,
  REPOSITORY_OPTION,
  SOURCE_OPTION,
} from '../../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../../output/escape-controls.ts'
import { showProgress } from '../../output/progress.ts'
import { formatBytes, formatCount, formatDuration } from '../../output/quantities.ts'
import { writeAll } from '../../output/write-all.ts'
import { printError } from '../../print-error.ts'
import { openReadable } from '../../sources/open-readable.ts'
import { nameRepository } from '../../sources/with-repository.ts'

export const clone = defineCommand({
  usage: '<source> [repository] [directory]',
  options: {
    source: SOURCE_OPTION,
    repository: REPOSITORY_OPTION,
    directory: {
      type: 'string',
      describe: 'Folder to create; it may exist if it is empty [the name of the repository]',
    },
    output: folderOption('directory'),
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
    ['marc repo clone samples/hello.tar.gz', 'the only repository, into tea-timer.git'],
  ],
  notes: `git clone marc::archive.db#owner/name does the same with the options of Git, and
git clone marc::archive.db if there is one repository. It needs git-remote-marc,
a program of this package, on the path.`,
  async run({ source: named, repository, json, quiet, verbose, ...given }, io) {
    const { force, worktree } = given
    const maxExtracted = sizeLimitOf('max-extracted', given['max-extracted'])
    const database = await openReadable(named, io, { quiet, contents: 'git', writes: true })
    const mode = progressMode({ quiet, verbose })
    let shown: ReturnType<typeof showProgress> | undefined
    try {
      const { name, words } = await nameRepository(database, repository, [given.directory])
      const [directory = folderOf(name, worktree)] = words
      const start = performance.now()
      const cloned = await cloneRepository(database, name, directory, {
        force,
        worktree,
        maxExtracted,
        signal: io.signal,
        progress({ bytes, total }) {
          shown ??= showProgress(io.stderr, { label: `writing ${directory}`, total, mode })
          shown.update(bytes)
        },
      })
        .catch((error: unknown) => {
          throw isTaken(error, directory) ? new AdvisedError(error, ANOTHER) : error
        })
        .finally(() => shown?.finish())
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

/** The folder that git clone would make. */
const folderOf = (repository: string, worktree = false): string =>
  `${basename(repository)}${worktree ? '' : '.git'}`

const ANOTHER = 'Name a new or an empty folder. A bare repository is overwritten with --force.'

/** Whether there is something in the place of the directory, rather than no way to it. */
const isTaken = (error: unknown, directory: string): error is ArchiveError =>
  error instanceof ArchiveError &&
  (error.code === 'output-exists' || error.code === 'output-refused') &&
  error.place.archive === directory &&
  error.cause === undefined

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
