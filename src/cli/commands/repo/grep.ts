import type { Database } from '../../../database/open-database.ts'
import { ArchiveError } from '../../../errors.ts'
import { type FoundLine, grepFiles } from '../../../git/history/grep-files.ts'
import { listRepositories } from '../../../git/list-repositories.ts'
import { openRepository } from '../../../git/open-repository.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { UsageError } from '../../command/usage-error.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../../options/format-options.ts'
import { SOURCE_OPTION } from '../../options/shared-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { type SafeText, safe } from '../../output/safe-text.ts'
import { stylesFor } from '../../output/styles.ts'
import { writeAll } from '../../output/write-all.ts'
import { openReadable } from '../../sources/open-readable.ts'

const COLUMNS = ['repository', 'path', 'line', 'text'] as const

export const grep = defineCommand({
  usage: '<source> <text> [repository]',
  summary: 'Search the files of all repositories for a text',
  options: {
    source: SOURCE_OPTION,
    text: { type: 'string', demandOption: true, describe: 'What a line contains; no pattern' },
    repository: { type: 'string', describe: 'owner/name, or owner/name.wiki [all]' },
    revision: {
      type: 'string',
      value: '<revision>',
      describe: 'Search the files of this branch, tag or commit [HEAD]',
    },
    'ignore-case': { type: 'boolean', alias: 'i', describe: 'Ignore upper and lower case' },
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc repo grep samples/organization.tar.gz import', 'in every repository and wiki'],
    [
      'marc repo grep samples/organization.tar.gz HEIGHT harbour-lights/tidewatch -i --csv',
      'in one of them, ignoring case, as CSV',
    ],
  ],
  notes: `Exits with 1 if nothing is found. Binary files and files of more than 32 MiB
are not searched.`,
  async run(
    { source: named, text, repository, revision, 'ignore-case': ignoreCase, ...format },
    io,
  ) {
    const isShown = isForPerson(format, io) // refuses two formats before anything is read
    if (text === '') throw new UsageError('the text to search for is empty')
    const database = await openReadable(named, io, { contents: 'git' })
    let count = 0
    const found = function* () {
      for (const line of search(database, repository, revision, { text, ignoreCase }, io)) {
        count++
        yield line
      }
    }
    try {
      if (isShown) await writeAll(io.stdout, describe(found(), io))
      else await writeRows({ columns: COLUMNS, rows: rowsOf(found()) }, format, io)
      return count > 0 ? 0 : 1
    } finally {
      database.close()
    }
  },
})

type Found = FoundLine & { repository: string }

function* search(
  database: Database,
  named: string | undefined,
  revision: string | undefined,
  { text, ignoreCase }: { text: string; ignoreCase: boolean | undefined },
  io: Io,
): Generator<Found> {
  const present = listRepositories(database).filter(({ state }) => state === 'present')
  const names = named === undefined ? present.map(({ repository }) => repository) : [named]
  for (const name of names) {
    try {
      const { objects, resolve, name: repository } = openRepository(database, name)
      const tree = resolve(revision ?? 'HEAD', 'tree')
      for (const line of grepFiles(objects, tree, text, { ignoreCase })) {
        yield { repository, ...line }
      }
    } catch (error) {
      if (named !== undefined || !(error instanceof ArchiveError)) throw error
      // The others can be searched. A revision need not be in all of them.
      if (revision !== undefined && error.code === 'git-revision-not-found') continue
      io.stderr.write(safe`${escapeControls(`${name} was not searched whole: ${error.message}`)}\n`)
    }
  }
}

function* rowsOf(found: Iterable<Found>) {
  for (const line of found) yield COLUMNS.map((column) => line[column])
}

function* describe(found: Iterable<Found>, { stdout, env }: Io): Generator<SafeText> {
  const { cyan, green } = stylesFor(stdout, env)
  for (const { repository, path, line, text } of found) {
    const place = safe`${cyan(escapeControls(repository))}:${cyan(escapeControls(path))}`
    yield safe`${place}:${green(safe`${line}`)}: ${escapeControls(text)}\n`
  }
}
