import { stat } from 'node:fs/promises'
import { checkSource } from '../../archive/open-archive.ts'
import type { Database } from '../../database/open-database.ts'
import { writeTogether } from '../../files/write-file.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { BUILDING_OPTIONS, buildOptionsOf } from '../options/building-options.ts'
import { QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { escapeControlsInJson } from '../output/escape-controls.ts'
import { safe } from '../output/safe-text.ts'
import { writeAll } from '../output/write-all.ts'
import { writeToStream } from '../output/write-output.ts'
import { buildTargets } from '../reports/build-targets.ts'
import { type BuiltArchive, describeBuild } from '../reports/describe-build.ts'
import { type PreparedBuild, prepareBuild } from '../reports/prepare-build.ts'
import { openReadable } from '../sources/open-readable.ts'

export const build = defineCommand({
  usage: '<source>',
  summary: 'Write an importable archive from a database, a folder or an archive',
  options: {
    source: SOURCE_OPTION,
    output: {
      type: 'string',
      alias: 'o',
      value: '<file>',
      describe: 'Archive to write, or - for standard output',
    },
    force: {
      type: 'boolean',
      describe: 'Overwrite the output if it exists',
    },
    'allow-invalid': {
      type: 'boolean',
      describe: 'Write records that break a rule too, and list them',
    },
    split: {
      type: 'boolean',
      describe: 'Write a pair: name-git.tar.gz and name-metadata.tar.gz',
    },
    ...BUILDING_OPTIONS,
    json: {
      type: 'boolean',
      describe: 'Print the summary, errors and problems as JSON, one per line',
    },
    quiet: QUIET_OPTION,
    verbose: {
      type: 'boolean',
      describe: 'Show progress as plain lines, and list all problems, not just 20',
    },
  },
  exits: [1],
  examples: [
    ['marc build hello.db -o again.tar.gz', 'everything that marc load put into hello.db'],
    ['marc build hello.db -o recent.tar.gz --since 2025-12-01 --no-files', 'the latest records'],
  ],
  async run({ source, output, force = false, split = false, json, quiet, verbose, ...typed }, io) {
    const options = { ...buildOptionsOf(typed), allowInvalid: typed['allow-invalid'] }
    if (source !== '-') await checkSource(source)
    const targets = await buildTargets(output, { source, split, force })
    const start = performance.now()
    const database = await openSource(source, typed.files, io)
    try {
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

/** The source as a database; undefined if it is a folder. */
async function openSource(source: string, files: boolean, io: Io): Promise<Database | undefined> {
  const stats = await stat(source).catch(() => undefined)
  // Its files may need to be put in order first.
  if (stats?.isDirectory()) return undefined
  return openReadable(source, io, { contents: files ? 'all' : 'none', writes: true })
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
  await writeAll(stream, [safe`${text}\n`])
}
