import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError, describePlace } from '../../base/errors.ts'
import { makeOwnFolder } from '../../files/own-folder.ts'
import { ownProcess, removeStale } from '../../files/partial-file.ts'
import { foldLogin } from '../../http/access/accounts-file.ts'
import { call } from '../../work/call.ts'
import type { BuildOrder, BuiltCounted, buildCounted } from './build-migration.ts'
import { type BuildQueue, type Job, openBuildQueue } from './build-queue.ts'
import { type JobRunner, type JobStep, openJobRunner } from './job-runner.ts'
import type { Migrations } from './migrations.ts'
import type { StateDatabase } from './state-database.ts'

export interface BuilderOptions {
  clock: () => Date
  /** The least milliseconds that a migration stays pending, and the least that it stays exporting. */
  pace: number
  archiveKinds: 'all' | 'documented'
  /** Repositories whose migrations fail, for tests of clients. */
  fail: readonly string[]
  /** Paths of the databases that are served. */
  databases: readonly string[]
  /** Paths of those that were added while the server runs. */
  added?: (() => readonly string[]) | undefined
  /** Called at each step with its name, the migration, and a message. */
  log?: ((step: BuildStep, id: number | undefined, message?: string) => void) | undefined
  /** Milliseconds since 1970 on the clock of the machine. */
  machineTime?: (() => number) | undefined
}

export type BuildStep = JobStep | 'built' | 'exported' | 'failed'

/** Milliseconds in which a build must have stopped. */
const GRACE = 2000

/** Starts to build the migrations of a state, also those that a killed server has left. */
export function openBuilder(
  state: StateDatabase,
  migrations: Migrations,
  options: BuilderOptions,
): JobRunner {
  const archives = state.archives as string
  const { clock, pace, log, machineTime, databases, archiveKinds, added = () => [] } = options
  const queue = openBuildQueue(state, { clock, pace, machineTime })
  makeOwnFolder(archives, { isInner: true })

  async function build(job: Job, signal: AbortSignal): Promise<BuiltCounted | { failure: string }> {
    const asked = job.repositories.find((name) =>
      options.fail.some((other) => foldLogin(other) === foldLogin(name)),
    )
    if (asked) return { failure: `${asked} was to fail` }
    const order: BuildOrder = {
      databases: [...databases, ...added()],
      repositories: job.repositories,
      options: job.options,
      archiveKinds,
      output: archiveOf(archives, job.guid),
    }
    try {
      return await call<typeof buildCounted>('build', order, { in: 'thread', signal, grace: GRACE })
    } catch (error) {
      return { failure: reasonOf(error) }
    }
  }

  return openJobRunner<Job, BuildStep>({
    queue,
    most: 1,
    pace,
    log,
    async carryOut(job, signal) {
      const report = await build(job, signal)
      if ('failure' in report) {
        const { failure } = report
        return { step: 'failed', message: failure, write: () => queue.fail(job.id, failure) }
      }
      log?.('built', job.id, remarkOn(report))
      return { step: 'exported', write: () => queue.finish(job.id, report) }
    },
    abandon: ({ guid }) => removeOwn(archives, guid),
    tidy() {
      for (const guid of migrations.expireArchives())
        rmSync(archiveOf(archives, guid), { force: true })
      removeLeftovers(archives, queue)
    },
  })
}

/** The file of an archive in a folder. */
export const archiveOf = (folder: string, guid: string): string => join(folder, `${guid}.tar.gz`)

/** Removes archives without a migration, and the partial files of killed processes. */
function removeLeftovers(archives: string, queue: BuildQueue): void {
  removeStale(archives, { anyName: true })
  for (const name of readdirSync(archives)) {
    const [, guid] = /^([0-9a-f-]{36})\.tar\.gz$/.exec(name) ?? []
    if (guid !== undefined && !queue.isWanted(guid)) rmSync(join(archives, name), { force: true })
  }
}

/** Removes the partial file that a terminated thread of this process left. */
function removeOwn(archives: string, guid: string): void {
  const start = `${guid}.tar.gz.${ownProcess()}-`
  for (const name of readdirSync(archives)) {
    if (name.startsWith(start)) rmSync(join(archives, name), { force: true })
  }
}

/** What is said of an archive for which there is a remark; undefined for another. */
function remarkOn({ problems, missing }: BuiltCounted): string | undefined {
  const remarks = [
    ...(problems > 0 ? [`${problems} records break a rule`] : []),
    ...(missing > 0
      ? [`${missing} uploads are missing: one of another repository has the URL`]
      : []),
  ]
  return remarks.join('; ') || undefined
}

/** An error in words, for people who cannot see the log of the server. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ArchiveError)) {
    return (error instanceof Error && error.stack) || String(error)
  }
  const place = describePlace(error.place)
  return `${error.code}: ${error.message}${place === '' ? '' : ` (${place})`}`
}
