import { stat } from 'node:fs/promises'
import { checkSource } from '../../archive/open-archive.ts'
import type { Database } from '../../database/open-database.ts'
import { refuseExisting, writeTogether } from '../../files/write-file.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { BUILDING_OPTIONS, buildOptionsOf } from '../options/building-options.ts'
import { QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { checkOutput } from '../output/check-output.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'
import { writeAll } from '../output/write-all.ts'
import { writeToStream } from '../output/write-output.ts'
import {
  type BuildTarget,
  type BuiltArchive,
  type PreparedBuild,
  prepareBuild,
} from '../reports/prepare-build.ts'
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
      describe: 'Also write records that break a rule, and list them',
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
      describe: 'Show progress as plain lines; list all problems, not just 20',
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
      options.repositories = await fullNames(options.repositories, database)
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
  // A folder is loaded by the library, which normalizes it first.
  if (stats?.isDirectory()) return undefined
  return openReadable(source, io, { contents: files ? 'all' : 'none', writes: true })
}

/** Completes repositories that were typed without their owner. */
async function fullNames(
  typed: readonly string[] | undefined,
  database: Database | undefined,
): Promise<readonly string[] | undefined> {
  if (database === undefined || !typed?.some((name) => !name.includes('/'))) return typed
  const { resolveName } = await import('../sources/resolve-name.ts')
  return Promise.all(
    typed.map((name) => (name.includes('/') ? name : resolveName(database, 'repository', name))),
  )
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

/** The summary of a build for people. */
function describeBuild(
  archives: readonly BuiltArchive[],
  seconds: number,
  io: Pick<Io, 'env'> & { stream: Io['stdout'] },
): SafeText {
  const { bold } = stylesFor(io.stream, io.env)
  const lines = archives.flatMap(({ archive, entries, records, breaches, bytes, sha256 }) => [
    bold(escapeControls(archive)),
    safe`  records  ${formatCount(records).padStart(11)}`,
    safe`  entries  ${formatCount(entries).padStart(11)}`,
    ...(breaches ? [safe`  breaches ${formatCount(breaches).padStart(11)}`] : []),
    safe`  size     ${formatBytes(bytes).padStart(11)}`,
    safe`  sha256   ${escapeControls(sha256)}`,
  ])
  return [...lines, safe`Built in ${formatDuration(seconds * 1000)}.`].join('\n')
}

/** The archives to write, after checking that they can be written. Throws `UsageError`. */
async function buildTargets(
  output: string | undefined,
  { source, split, force }: { source: string; split: boolean; force: boolean },
): Promise<BuildTarget[]> {
  if (output === undefined) {
    throw new UsageError('the archive needs a name', 'Name it with: -o name.tar.gz')
  }
  if (output === '-' && !split) return [{ archive: output, part: undefined }]
  const made = {
    what: split ? 'a pair of archives' : 'an archive',
    example: 'name.tar.gz',
    source: 'the source of the archive',
  }
  const [, name, ending] = /^(.*?)(\.tar\.gz|\.tgz|)$/is.exec(output) as unknown as string[]
  const targets = (split ? (['git', 'metadata'] as const) : [undefined]).map((part) => ({
    archive: part ? `${name}-${part}${ending}` : output,
    part,
  }))
  await checkOutput(output, [source], made)
  for (const { archive } of targets) {
    await checkOutput(archive, [source], made)
    if (!force) refuseExisting(archive)
  }
  return targets
}
