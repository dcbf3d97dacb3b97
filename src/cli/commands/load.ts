import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { isDatabase } from '../../files/is-database.ts'
import { withoutEnding } from '../../files/safe-name.ts'
import type { FailedArchive } from '../../load/load-archive.ts'
import { defineCommand } from '../command/command.ts'
import { FOREIGN_OPTIONS } from '../command/foreign-options.ts'
import { safe } from '../command/safe-text.ts'
import { AdvisedError, shellWord, UsageError } from '../command/usage-error.ts'
import { limitsOf, READING_OPTIONS, readingProgress, sourceOf } from '../options/reading-options.ts'
import { QUIET_OPTION } from '../options/shared-options.ts'
import { checkOutput } from '../output/check-output.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { describeLoad } from '../reports/describe-load.ts'
import { expandArchives } from '../sources/expand-sources.ts'

export const load = defineCommand({
  usage: '<archives..>',
  options: {
    archives: {
      type: 'string',
      array: true,
      demandOption: true,
      foreign: true,
      describe:
        'tar.gz or tar files, folders or patterns of them, unpacked folders or zips of them, or - for standard input',
    },
    output: {
      type: 'string',
      alias: 'o',
      value: '<file>',
      describe: "Database to create or add to [the first archive's name with .db]",
    },
    force: { type: 'boolean', describe: 'Overwrite the database' },
    files: {
      type: 'boolean',
      default: true,
      describe: 'Store names, sizes and hashes of files without their contents',
    },
    salvage: {
      type: 'boolean',
      describe: 'Recover what is readable of a damaged archive, list what is lost, and exit with 5',
    },
    'keep-going': {
      type: 'boolean',
      describe: 'Load the others if an archive is damaged or refused, list it, and exit with 1',
    },
    'newest-wins': {
      type: 'boolean',
      describe:
        'If archives have the same record, keep that of the newest archive, not of the last',
    },
    json: { type: 'boolean', describe: 'Print the summary and errors as JSON' },
    ...FOREIGN_OPTIONS,
    ...READING_OPTIONS,
    quiet: {
      ...QUIET_OPTION,
      describe: 'Show no progress and no summary; --json still prints one',
    },
  },
  exits: [1, 5],
  exitMeanings: { 1: 'loaded without the archives that failed (--keep-going)' },
  works: 'in SQLite',
  examples: [
    ['marc load samples/hello.tar.gz', 'creates hello.db'],
    [
      'marc load samples/hello.tar.gz samples/organization.tar.gz -o all.db',
      'both in one database',
    ],
    [
      "marc load 'samples/h*.tar.gz' -o all.db --keep-going",
      'all that fit a pattern, without those that are damaged',
    ],
  ],
  async run({ archives: named, output, force, files, salvage, json, ...reading }, io) {
    const { 'newest-wins': newestWins, 'keep-going': keepGoing } = reading
    const archives = await expandArchives(named)
    const last = archives.at(-1) as string
    if (output === undefined && (await isDatabase(last))) {
      const others = archives.slice(0, -1).map(shellWord)
      const database = shellWord(last)
      const hint =
        others.length === 0
          ? `It needs no load: marc tables ${database}`
          : `To add to it: marc load ${others.join(' ')} -o ${database}`
      throw new UsageError('expected an archive, found a database', hint, { archive: last })
    }
    const database = output ?? defaultName(named[0] as string, archives)
    await checkOutput(database, archives)
    const limits = limitsOf(reading)
    const sources = await Promise.all(archives.map((archive) => sourceOf(archive, io)))
    const sizes = await Promise.all(archives.map(sizeOf))
    const areKnown = sizes.every((size) => size !== undefined)
    const shown = readingProgress('loading', reading, io, areKnown ? sizes : [])
    const start = performance.now()
    try {
      const { loadArchive } = await import('../../load/load-archive.ts')
      const summary = await loadArchive(sources, database, {
        files,
        replace: force ?? false,
        salvage,
        newestWins,
        keepGoing,
        limits,
        source: io.foreign,
        progress: shown.progress,
        ...(io.signal && { signal: io.signal }),
      })
      shown.finish()
      const seconds = (performance.now() - start) / 1000
      const { failed = [] } = summary
      const isSalvaged = summary.archives.some(({ state }) => state === 'salvaged')
      const code = failed.length > 0 ? 1 : isSalvaged ? 5 : 0
      for (const { name, error } of json ? [] : failed) {
        io.stderr.write(safe`${escapeControls(`${name}: ${error.message}`)}\n`)
      }
      if (reading.quiet && !json) return code
      const text = json
        ? escapeControlsInJson(
            JSON.stringify({
              ...summary,
              ...(keepGoing && { failed: failed.map(asJson) }),
              seconds,
            }),
          )
        : describeLoad(summary, seconds, io)
      await writeAll(io.stdout, [safe`${text}\n`])
      return code
    } catch (error) {
      const isForeign = error instanceof ArchiveError && error.code === 'database-foreign'
      const advice = 'Name a database that marc load created, or another output, with -o.'
      throw isForeign ? new AdvisedError(error, advice) : error
    } finally {
      shown.finish()
    }
  },
})

const asJson = ({ name, error: { code, message, place } }: FailedArchive) => ({
  name,
  code,
  message,
  place,
})

/** The bytes of an archive that is one file. */
async function sizeOf(path: string): Promise<number | undefined> {
  const stats = path === '-' ? undefined : await stat(path).catch(() => undefined)
  return stats?.isFile() ? stats.size : undefined
}

/** The name of what the command line names first: of a folder, or of the first archive of a pattern. */
function defaultName(named: string, archives: readonly string[]): string {
  if (named === '-') {
    throw new UsageError('the database needs a name', 'Name it with: marc load - -o name.db')
  }
  const path = existsSync(named) ? named : (archives[0] as string)
  const name = withoutEnding(basename(resolve(path)))
  return `${name || 'archive'}.db`
}
