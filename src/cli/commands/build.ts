import { stat } from 'node:fs/promises'
import type { BuildProgress } from '../../build/build-options.ts'
import { buildArchive } from '../../build-archive.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { buildTargets } from '../build-targets.ts'
import { BUILDING_OPTIONS, buildOptionsOf } from '../building-options.ts'
import { defineCommand } from '../command.ts'
import { type BuiltArchive, describeBuild } from '../describe-build.ts'
import type { Io } from '../io.ts'
import { isDatabase } from '../is-database.ts'
import { gatherBreaches } from '../list-breaches.ts'
import { escapeControlsInJson } from '../output/escape-controls.ts'
import { showProgress } from '../output/progress.ts'
import { writeAll } from '../output/write-all.ts'
import { PROGRESS_OPTIONS, progressMode } from '../shared-options.ts'
import { UsageError } from '../usage-error.ts'
import { writeOutput, writeToStream } from '../write-output.ts'

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
    json: { type: 'boolean', describe: 'Print the summary, and errors, as JSON' },
    ...PROGRESS_OPTIONS,
  },
  examples: [
    ['marc build hello.db -o again.tar.gz', 'everything that marc load put into hello.db'],
    ['marc build hello.db -o recent.tar.gz --since 2025-12-01 --no-files', 'the latest records'],
  ],
  async run({ source, output, force = false, split = false, json, quiet, verbose, ...typed }, io) {
    const options = buildOptionsOf(typed)
    const database = await openSource(source)
    try {
      const built: BuiltArchive[] = []
      const start = performance.now()
      for (const { archive, part } of await buildTargets(output, { source, split, force })) {
        const mode = progressMode({ quiet, verbose })
        const breaches = gatherBreaches()
        let shown: ReturnType<typeof showProgress> | undefined
        let done: BuildProgress = { entries: 0, records: 0, bytes: 0 }
        const progress = (next: BuildProgress) => {
          done = next
          const { total, bytes } = next
          shown ??= showProgress(io.stderr, { label: `building ${archive}`, total, mode })
          shown.update(bytes)
        }
        try {
          const signal = io.signal
          const { report } = breaches
          const all = { ...options, part, force, report, progress, signal }
          const bytes = buildArchive(database ?? source, all)
          const written =
            archive === '-'
              ? await writeToStream(io.stdout, bytes)
              : await writeOutput(archive, bytes, { force })
          if (written === undefined) return 0
          const { entries, records } = done
          const count = breaches.count()
          built.push({ archive, entries, records, ...(count && { breaches: count }), ...written })
        } finally {
          shown?.finish()
        }
        for (const line of breaches.lines()) io.stderr.write(`${line}\n`)
      }
      const seconds = (performance.now() - start) / 1000
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
