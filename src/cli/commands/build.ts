import { stat } from 'node:fs/promises'
import { checkSource } from '../../archive/open-archive.ts'
import { ArchiveError, type Problem } from '../../base/errors.ts'
import { isRuleCode } from '../../base/rule-codes.ts'
import { type BuildOptions, SPLITS, type SplitBy } from '../../build/build-options.ts'
import type { Database } from '../../database/open-database.ts'
import { refuseExisting, writeTogether } from '../../files/write-file.ts'
import { defineCommand } from '../command/command.ts'
import { BARE_OPTION, FOREIGN_OPTIONS } from '../command/foreign-options.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { BUILDING_OPTIONS, buildOptionsOf } from '../options/building-options.ts'
import { QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { ARCHIVE, checkOutput, partsFolder } from '../output/check-output.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { stylesFor } from '../output/styles.ts'
import { writeAll, writeToStream } from '../output/write-all.ts'
import { resolveSelection } from '../process/resolve-selection.ts'
import {
  countByCode,
  describeProblems,
  listReasons,
  type ProblemCounts,
} from '../reports/describe-problems.ts'
import {
  adviseBuild,
  type BuildTarget,
  type BuiltArchive,
  listRefused,
  type PreparedBuild,
  prepareBuild,
} from '../reports/prepare-build.ts'
import { openMerged } from '../sources/open-merged.ts'
import { inSource, openReadable } from '../sources/open-readable.ts'

export const build = defineCommand({
  usage: '<source> [more..]',
  options: {
    source: SOURCE_OPTION,
    more: {
      type: 'string',
      array: true,
      describe: 'More archives to put into one; the last one wins',
    },
    output: {
      type: 'string',
      alias: 'o',
      value: '<file>',
      describe: 'Archive to write, or - for standard output; with --split-by a folder',
    },
    force: { type: 'boolean', describe: 'Overwrite the output if it exists' },
    'allow-invalid': {
      type: 'boolean',
      describe: 'Also write records that break a rule, and list them',
    },
    split: { type: 'boolean', describe: 'Write a pair: name-git.tar.gz and name-metadata.tar.gz' },
    'split-by': {
      choices: SPLITS,
      value: '<what>',
      describe:
        'Write an archive for each repository, owner or year into the folder -o [one archive]',
    },
    'cut-references': {
      type: 'boolean',
      describe:
        'With --not: remove references to records that are left out, instead of refusing them',
    },
    ...BUILDING_OPTIONS,
    ...FOREIGN_OPTIONS,
    bare: BARE_OPTION,
    json: {
      type: 'boolean',
      describe: 'Print the summary, errors and problems as JSON, one per line',
    },
    quiet: {
      ...QUIET_OPTION,
      describe: 'Show no progress and no summary; --json still prints one',
    },
    verbose: {
      type: 'boolean',
      describe: 'Show progress as plain lines; list all problems, not just 20',
    },
  },
  exits: [1],
  works: 'in SQLite',
  examples: [
    ['marc build hello.db -o again.tar.gz', 'everything that marc load put into hello.db'],
    ['marc build hello.db -o recent.tar.gz --since 2025-12-01 --no-files', 'the latest records'],
    [
      'marc build hello.db -o bugs.tar.gz --label bug --state open',
      'open bugs, with comments and events',
    ],
    ['marc build hello.db --split-by repo -o parts', 'an archive for each repository'],
  ],
  async run({ source, more = [], output, force = false, split = false, json, ...typed }, io) {
    const { quiet, verbose, 'split-by': by, 'cut-references': cutReferences } = typed
    const told = { json, quiet, verbose }
    const typedOptions: BuildOptions = {
      ...buildOptionsOf(typed),
      allowInvalid: typed['allow-invalid'],
      cutReferences,
      source: io.foreign,
    }
    const sources = [source, ...more]
    for (const each of sources) if (each !== '-') await checkSource(each)
    if (cutReferences && !typed.not) throw new UsageError('--cut-references goes with --not')
    if (by && split) throw new UsageError('expected --split or --split-by, found both')
    io.growYoungSpace?.()
    const folder = by ? await partsFolder(output, sources) : undefined
    const targets = by ? [] : await buildTargets(output, { sources, split, force })
    const start = performance.now()
    const database = await openSource(sources, typed.files, io)
    const { buildArchive } = await import('../../build/build-archive.ts')
    try {
      const options = database
        ? await resolveSelection(database, typedOptions, { timeout: typed.timeout, io })
        : typedOptions
      const prepared: PreparedBuild[] = []
      const keep = (build: PreparedBuild) => {
        prepared.push(build)
        return build
      }
      if (folder !== undefined) {
        if (!database) throw new UsageError('--split-by takes a database or an archive')
        const { prepareSplit } = await import('../reports/prepare-split.ts')
        await writeTogether(
          prepareSplit(database, by as SplitBy, folder, { options, ...told, keep }, io),
          {
            force,
          },
        )
      } else {
        const builds = targets.map((target) =>
          keep(
            prepareBuild(
              (own) => buildArchive(database ?? source, own),
              target,
              { options, ...told },
              io,
            ),
          ),
        )
        if (output !== '-') await writeTogether(builds, { force })
        else if (!(await writeToStream(io.stdout, (builds[0] as PreparedBuild).bytes))) return 0
      }
      const seconds = (performance.now() - start) / 1000
      const built = prepared.map((each) => each.built())
      const reasons = database ? listReasons(database) : []
      const problems = reasons.length > 0 && { problems: countByCode(reasons), reasons }
      await summarise({ archives: built, ...problems, seconds }, { json, quiet }, io)
      return 0
    } catch (error) {
      const isRefused = error instanceof ArchiveError && isRuleCode(error.code)
      if (isRefused && !database && !quiet) {
        const refused = { options: typedOptions, json, verbose }
        await listRefused((own) => buildArchive(source, own), refused, io)
      }
      const next = { source, output, isFolder: !database }
      throw adviseBuild(inSource(error, database, source), typedOptions, next)
    } finally {
      database?.close()
    }
  },
})

/** The sources as a database; undefined for a folder of loose files. */
async function openSource(
  sources: readonly string[],
  files: boolean,
  io: Io,
): Promise<Database | undefined> {
  const [source = '', ...more] = sources
  if (more.length > 0) return openMerged(sources, files, io)
  const stats = await stat(source).catch(() => undefined)
  const { formOf } = await import('../../sources/open-source.ts')
  // It is loaded by the library, which normalizes it first.
  if (stats?.isDirectory() && !(await formOf(source, io.signal, io.foreign ?? {}))) return undefined
  return openReadable(source, io, { contents: files ? 'all' : 'none', writes: true })
}

interface Summary {
  archives: readonly BuiltArchive[]
  /** Problems of reading a backup or export of another program: how many by code, and by reason. */
  problems?: ProblemCounts
  reasons?: Problem[]
  seconds: number
}

async function summarise(
  summary: Summary,
  { json, quiet }: { json: boolean | undefined; quiet: boolean | undefined },
  io: Io,
): Promise<void> {
  // Standard output holds the archive itself.
  const isTaken = summary.archives.some(({ archive }) => archive === '-')
  if (quiet && (isTaken || !json)) return
  const stream = isTaken ? io.stderr : io.stdout
  const text = json
    ? escapeControlsInJson(JSON.stringify(summary))
    : describeBuild(summary, { stdout: stream, env: io.env })
  await writeAll(stream, [safe`${text}\n`])
}

/** The summary of a build for people. */
function describeBuild(
  { archives, reasons = [], seconds }: Summary,
  io: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  const styles = stylesFor(io.stdout, io.env)
  const { bold } = styles
  const lines = archives.flatMap(({ archive, entries, records, breaches, bytes, sha256 }) => [
    bold(escapeControls(archive)),
    safe`  records  ${formatCount(records).padStart(11)}`,
    safe`  entries  ${formatCount(entries).padStart(11)}`,
    ...(breaches ? [safe`  breaches ${formatCount(breaches).padStart(11)}`] : []),
    safe`  size     ${formatBytes(bytes).padStart(11)}`,
    safe`  sha256   ${escapeControls(sha256)}`,
  ])
  lines.push(...describeProblems({}, reasons, io))
  return [...lines, safe`Built in ${formatDuration(seconds * 1000)}.`].join('\n')
}

/** The archives to write, after checking that they can be written. Throws `UsageError`. */
async function buildTargets(
  output: string | undefined,
  { sources, split, force }: { sources: readonly string[]; split: boolean; force: boolean },
): Promise<BuildTarget[]> {
  if (output === undefined) {
    throw new UsageError('the archive needs a name', 'Name it with: -o name.tar.gz')
  }
  if (output === '-' && !split) return [{ archive: output, part: undefined }]
  const made = {
    ...ARCHIVE,
    ...(split && { noun: 'a pair of archives' }),
    source: 'the source of the archive',
  }
  const [, name, ending] = /^(.*?)(\.tar\.gz|\.tgz|)$/is.exec(output) as unknown as string[]
  const targets = (split ? (['git', 'metadata'] as const) : [undefined]).map((part) => ({
    archive: part ? `${name}-${part}${ending}` : output,
    part,
  }))
  await checkOutput(output, sources, made)
  for (const { archive } of targets) {
    await checkOutput(archive, sources, made)
    if (!force) refuseExisting(archive)
  }
  return targets
}
