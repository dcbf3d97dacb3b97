import { stat } from 'node:fs/promises'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { writeTogether } from '../../write-file.ts'
import { buildTargets } from '../build-targets.ts'
import { BUILDING_OPTIONS, buildOptionsOf } from '../building-options.ts'
import { defineCommand } from '../command.ts'
import { type BuiltArchive, describeBuild } from '../describe-build.ts'
import type { Io } from '../io.ts'
import { isDatabase } from '../is-database.ts'
import { escapeControlsInJson } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { type PreparedBuild, prepareBuild } from '../prepare-build.ts'
import { QUIET_OPTION } from '../shared-options.ts'
import { UsageError } from '../usage-error.ts'
import { writeToStream } from '../write-output.ts'

export const build = defineCommand({
  usage: '<source>',
  summary: 'Write an importable archive of a database or folder',
  options: {
    source: {
      type: 'string',
      demandOption: true,
      describe: 'A database, or a folder with files of records and others',
    },
    output: {
      type: 'string',
      alias: 'o',
      value: '<file>',
      describe: 'Archive to make, or - for standard output',
    },
    force: {
      type: 'boolean',
      describe: 'Replace the output if it is there, and write records that break a rule',
    },
    split: {
      type: 'boolean',
      describe: 'Write a pair: name-git.tar.gz and name-metadata.tar.gz',
    },
    ...BUILDING_OPTIONS,
    json: {
      type: 'boolean',
      describe: 'Print the summary as JSON; errors and what breaks a rule, each on a line',
    },
    quiet: QUIET_OPTION,
    verbose: {
      type: 'boolean',
      describe: 'Show progress as plain lines, and all that breaks a rule, not 20 lines of it',
    },
  },
  examples: [
    ['marc build hello.db -o again.tar.gz', 'everything that marc load put into hello.db'],
    ['marc build hello.db -o recent.tar.gz --since 2025-12-01 --no-files', 'the latest records'],
  ],
  async run({ source, output, force = false, split = false, json, quiet, verbose, ...typed }, io) {
    const options = { ...buildOptionsOf(typed), force }
    const database = await openSource(source)
    try {
      const start = performance.now()
      const targets = await buildTargets(output, { source, split, force })
      const builds = targets.map((target) =>
        prepareBuild(database ?? source, target, { options, json, quiet, verbose }, io),
      )
      if (output !== '-') await writeTogether(builds, { force })
      else if (!(await writeToStream(io.stdout, (builds[0] as PreparedBuild).bytes))) return 0
      const seconds = (performance.now() - start) / 1000
      const built = builds.map((each) => each.built())
      await summarise(built, seconds, { json, quiet }, io)
      return 0
    } finally {
      database?.close()
    }
  },
})

/** The database named; undefined if it is a folder. */
async function openSource(source: string): Promise<Database | undefined> {
  const stats = await stat(source).catch(() => undefined)
  if (stats?.isDirectory()) return undefined
  if (stats?.isFile() && !(await isDatabase(source))) {
    const hint = `Load an archive first with: marc load ${source}`
    throw new UsageError('expected a database or a folder', hint, { archive: source })
  }
  return openDatabase(source)
}

async function summarise(
  built: readonly BuiltArchive[],
  seconds: number,
  { json, quiet }: { json: boolean | undefined; quiet: boolean | undefined },
  io: Io,
): Promise<void> {
  // Standard output holds the archive itself.
  const isTaken = built.some(({ archive }) => archive === '-')
  if (isTaken && quiet) return
  const stream = isTaken ? io.stderr : io.stdout
  const text = json
    ? escapeControlsInJson(JSON.stringify({ archives: built, seconds }))
    : describeBuild(built, seconds, { stream, env: io.env })
  await writeAll(stream, [`${text}\n`])
}
