import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnFolder } from '../../files/own-folder.ts'
import { removeStale } from '../../files/partial-file.ts'
import { call } from '../../work/call.ts'
import { reasonOf } from './builder.ts'
import type { Imported, ImportOrder, importArchive } from './import-archive.ts'
import { IMPORT_JOBS, IMPORTED, type ImportOptions, type Imports } from './imports.ts'
import { openJobQueue, type QueueOptions } from './job-queue.ts'
import { type JobRunner, type JobStep, type Outcome, openJobRunner } from './job-runner.ts'
import type { StateDatabase } from './state-database.ts'
import { isLeftOver, type Uploads } from './uploads.ts'

export interface ImporterOptions extends QueueOptions {
  /** Who has an account here, when an import begins. */
  people: () => Pick<ImportOrder, 'accounts' | 'databases'>
  /** Resolves when the server shows a database; with false if it is not to be shown any more, or nobody waits. */
  show: (path: string, signal: AbortSignal) => Promise<boolean>
  /** Hosts from which archives are fetched. */
  fetchArchives?: readonly string[] | undefined
  log?: ((step: ImportStepName, id: number | undefined, message?: string) => void) | undefined
}

export type ImportStepName = JobStep | 'imported' | 'failed'

interface Row {
  id: number
  guid: string
  organization: string
  repository: string
  options: string
  database: string | null
}

/** Imports at a time. */
const MOST = 2
/** Milliseconds in which an import must have stopped. */
const GRACE = 2000

/** Starts to carry out the imports of a state, also those that a killed server has left. */
export function openImporter(
  state: StateDatabase,
  parts: { imports: Imports; uploads: Uploads },
  options: ImporterOptions,
): JobRunner {
  const { imports, uploads } = parts
  const { clock, pace, log } = options
  const queue = openJobQueue<Row>(state, IMPORT_JOBS, options)
  const folder = importFolderOf(state)
  makeOwnFolder(folder, { isInner: true })

  /** Uploads are kept while an import may need them. */
  const archiveOf = (guid: string | undefined) => {
    if (guid === undefined) return undefined
    if (isAddress(guid)) return { name: `${new URL(guid).host}.tar.gz`, address: guid }
    uploads.touch(guid)
    const files = uploads.filesOf(guid)
    return files.length === 0 ? undefined : { name: `${guid}.tar.gz`, files }
  }

  async function carryOut(row: Row, signal: AbortSignal): Promise<Imported> {
    const { git, metadata, sourceUrl, skipReleases, continueOnError, ...to } = JSON.parse(
      row.options,
    ) as ImportOptions
    const order: ImportOrder = {
      git: archiveOf(git),
      metadata: archiveOf(metadata),
      fetchArchives: options.fetchArchives ?? [],
      sourceUrl,
      target: {
        organization: to.organizationLogin,
        organizationUrl: to.organizationUrl,
        repository: row.repository,
        visibility: to.visibility,
      },
      skipReleases,
      continueOnError: continueOnError ?? true,
      ...options.people(),
      claims: imports.claimsOf(row.organization),
      output: join(folder, fileOf(row)),
      log: logOf(folder, row.guid),
      ahead: clock().getTime() - Date.now(),
    }
    return call<typeof importArchive>('import', order, {
      in: 'process',
      signal,
      grace: GRACE,
      progress: (step) => void queue.move(row.id, step),
    })
  }

  /** Waits until the server shows the database of an import, and ends it. */
  async function show(
    { id }: Row,
    file: string,
    signal: AbortSignal,
  ): Promise<Outcome<ImportStepName>> {
    if (await options.show(join(folder, file), signal)) {
      return { step: 'imported', write: () => queue.end(id, 'SUCCEEDED') }
    }
    const failure = 'the database of the import was removed'
    const write = () => queue.end(id, 'FAILED', { failure, database: null })
    return { step: 'failed', message: failure, write }
  }

  return openJobRunner<Row, ImportStepName>({
    queue,
    most: MOST,
    pace,
    log,
    async carryOut(row, signal) {
      // A server that was killed may have written it.
      if (row.database !== null) return show(row, row.database, signal)
      let done: Imported
      try {
        done = await carryOut(row, signal)
      } catch (error) {
        done = { warnings: 0, mannequins: [], failure: reasonOf(error) }
      }
      const { warnings, failure, isInvalid, mannequins } = done
      if (failure !== undefined) {
        const ended = isInvalid ? 'FAILED_VALIDATION' : 'FAILED'
        const write = () => queue.end(row.id, ended, { failure, warnings })
        return { step: 'failed', message: failure, write }
      }
      if (signal.aborted) return { step: 'failed', write: () => false }
      const file = fileOf(row)
      imports.addMannequins(row.organization, mannequins)
      // Nobody can end it any more: from here on, the server that takes it over shows the database.
      if (!queue.move(row.id, 'IN_PROGRESS', { database: file, warnings })) {
        return { step: 'failed', write: () => false }
      }
      return show(row, file, signal)
    },
    abandon: () => removeStale(folder, { anyName: true }),
    tidy() {
      uploads.expire()
      removeLeftovers(folder, imports)
    },
  })
}

/** The folder of databases that were imported, and of logs. */
export const importFolderOf = ({ folder }: StateDatabase): string =>
  join(folder as string, 'imports')

const isAddress = (archive: string): boolean => /^https?:/.test(archive)

const fileOf = ({ guid }: { guid: string }): string => `${guid}.db`

/** The file of a log. */
export const logOf = (folder: string, guid: string): string => join(folder, `${guid}.log`)

/** Removes databases of imports that have ended otherwise, and what killed processes have left. */
function removeLeftovers(folder: string, imports: Imports): void {
  removeStale(folder, { anyName: true })
  for (const name of readdirSync(folder)) {
    const [, file = '', guid = ''] = /^(([0-9a-f-]{36})(?:\.[0-9a-f]{8})?\.db)$/.exec(name) ?? []
    if (file === '' || imports.isWanted(file)) continue
    const { state } = imports.findByGuid(guid) ?? {}
    const isUnderWay = state === 'PENDING_VALIDATION' || state === 'IN_PROGRESS'
    const path = join(folder, name)
    // A claim may be about to note a young one.
    if (!isUnderWay && isLeftOver(path)) rmSync(path, { force: true })
  }
}

/** The databases that were imported into a state, as far as they are there. */
export function importedDatabases(state: StateDatabase): string[] {
  const hasTable = "SELECT 1 FROM sqlite_schema WHERE name = 'imports'"
  if (state.folder === undefined || !state.database.prepare(hasTable).get()) return []
  const folder = importFolderOf(state)
  return state.database
    .prepare<[], string>(IMPORTED)
    .pluck()
    .all()
    .map((file) => join(folder, file))
    .filter((path) => existsSync(path))
}
