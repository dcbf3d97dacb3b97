import { join } from 'node:path'
import { aPath, checkArguments, listOf } from '../../base/check-arguments.ts'
import { ArchiveError } from '../../base/errors.ts'
import { type CheckResult, checkDatabase } from '../../conformance/checks/check-database.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { loadArchive } from '../../load/load-archive.ts'
import { ClientError, isTransient } from '../client-error.ts'
import type { ClientOptions } from '../client-options.ts'
import { openSession, type Session } from '../open-session.ts'
import { isTimeOver, Polls } from '../polls.ts'
import { uploadsOf } from '../server-address.ts'
import { startOnce } from '../start-once.ts'
import { findFinished, nameTaken } from './find-finished.ts'
import {
  IMPORT_SHAPES,
  type ImportedRepository,
  type ImportOptions,
  type ImportSetup,
  type ImportTarget,
  PART_SIZES,
} from './import-options.ts'
import {
  createSource,
  findOrganization,
  hasEnded,
  listImports,
  type Organization,
  type RepositoryMigration,
  readImport,
  type Start,
  startImport,
} from './importer.ts'
import { type Plan, planArchives } from './plan-import.ts'
import { type ImportLog, readLog } from './read-log.ts'
import { findRepository, repositoriesIn, sourceOf } from './source-repository.ts'
import { uploadArchive } from './upload-archive.ts'
import { openNotes, type UploadNotes } from './upload-notes.ts'

const DAY = 86_400_000
/** How long replicas may not know an import that was just started. */
const REPLICAS = 60_000
/**
 * Imports a repository of an archive into an organization of a server: checks it, uploads it, whole or in parts, and starts the
 * import, once. If this process ends, the next one continues the upload: `<archive>.part.json` says how far it is. An archive with
 * several repositories, or one that is too large, is first written anew beside the old one.
 *
 * @param archives the paths of archives that belong together, such as a pair of Git data and records
 * @param options the server, as whom to talk to it, what to import, and how
 * @returns the archives, and the import with its log; an import that failed is no error of this function
 * @throws `check-failed` if the archive has errors, `name-taken`, `repository-not-found`, `upload-busy`, `archive-changed`,
 *   `migration-timeout`, the codes of `loadArchive`, `buildArchive` and `listMigrations`
 * @example
 * const server = { server: 'github', token, organization: 'forge' }
 * const { state, log } = await importArchive('kettle.tar.gz', { ...server, repository: 'kettle', wait: true })
 */
export async function importArchive(
  archives: string | readonly string[],
  options: ImportOptions,
): Promise<ImportedRepository> {
  const importing = await openImport([archives].flat(), options)
  try {
    return await importing.run(options)
  } finally {
    importing.close()
  }
}

/** Imports of one archive into one organization. */
export interface Importing {
  /** The repositories of the archive as owner/name. */
  readonly repositories: readonly string[]
  /** The result of the check. */
  readonly check: CheckResult
  /** Imports one repository. Several may be under way at once. Throws as `importArchive` does. */
  run(target: ImportTarget): Promise<ImportedRepository>
  close(): void
}

/** Loads and checks an archive, and finds the organization. */
export async function openImport(
  archives: readonly string[],
  options: ImportSetup,
): Promise<Importing> {
  checkArguments({ archives }, { archives: listOf(aPath) })
  const session = openSession<ImportSetup>(options, IMPORT_SHAPES)
  const uploads = openSession<ClientOptions>(
    { ...clientPart(options), server: options.uploads ?? uploadsOf(session.server) },
    {},
  )
  for (const each of [session, uploads]) each.limit(options.timeout)
  if (archives.length === 0) {
    throw new ArchiveError('option-invalid', 'archives: expected at least one, found none')
  }
  const opened = await openSources(archives, options)
  const { database } = opened
  try {
    // Archives that are too large are split.
    const check = await checkDatabase(database, { skip: ['archive-over-40gib'] })
    if (!check.ok && !options.allowInvalid) throw checkFailed(check, archives)
    const organization = await findOrganization(session, options.organization)
    const context = {
      session,
      uploads,
      organization,
      options,
      sources: { paths: archives, database },
    }
    return {
      repositories: repositoriesIn(database),
      check,
      run: (target) => importRepository(context, target),
      close: opened.close,
    }
  } catch (error) {
    opened.close()
    throw error
  }
}

/** The options that every session has. */
function clientPart(options: ImportSetup): ClientOptions {
  const { server, token, insecure, oneTimePassword, notice, trace, stallAfter, clock, signal } =
    options
  return { server, token, insecure, oneTimePassword, notice, trace, stallAfter, clock, signal }
}

async function openSources(
  archives: readonly string[],
  { database, signal }: ImportSetup,
): Promise<{ database: Database; close(): void }> {
  if (database) return { database, close: () => {} }
  const temporary = makeTemporaryFolder()
  try {
    const path = join(temporary.path, 'import.db')
    await loadArchive([...archives], path, { ...(signal && { signal }) })
    const loaded = openDatabase(path)
    const close = () => {
      loaded.close()
      temporary.remove()
    }
    return { database: loaded, close }
  } catch (error) {
    temporary.remove()
    throw error
  }
}

function checkFailed({ findings }: CheckResult, archives: readonly string[]): ArchiveError {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const named = errors
    .slice(0, 5)
    .map(({ code, count }) => (count > 1 ? `${code} (${count})` : code))
  const more = errors.length > 5 ? ', …' : ''
  const message = `the check found errors: ${named.join(', ')}${more}`
  return new ArchiveError('check-failed', message, { archive: archives.join(', ') })
}

interface Context {
  session: Session
  uploads: Session
  organization: Organization
  options: ImportSetup
  sources: { paths: readonly string[]; database: Database }
}

async function importRepository(
  context: Context,
  target: ImportTarget,
): Promise<ImportedRepository> {
  const { session, organization, options, sources } = context
  const { database } = sources
  const from = findRepository(database, target)
  const name = target.repository
  const source = sourceOf(database, from, target)
  const plan = await planArchives(sources, from, {
    allowInvalid: options.allowInvalid,
    signal: options.signal,
    progress: ({ bytes }) =>
      options.progress?.({ from, step: 'building', bytes, total: undefined }),
  })
  const archives = plan.archives.map(({ path, bytes }) => ({ path, bytes }))
  const result: ImportedRepository = {
    from,
    repository: `${organization.login}/${name}`,
    archives,
    migration: null,
    state: null,
    failureReason: null,
    importedBefore: false,
    log: null,
  }
  if (options.dryRun) {
    const earlier = await listImports(session, organization, name)
    result.importedBefore = (await findFinished(context, { name, source }, earlier)) !== undefined
    plan.remove()
    return result
  }
  const notes: UploadNotes[] = []
  let isDone = false
  try {
    for (const { path, sha256 } of plan.archives) {
      const identity = {
        server: context.uploads.server.base,
        organization: organization.databaseId,
      }
      notes.push(await openNotes(path, { ...identity, sha256 }))
    }
    const { importedBefore, started } = await start(context, { from, name, source }, plan, notes)
    const found = options.wait ? await untilEnded(context, from, started) : started
    Object.assign(result, {
      importedBefore,
      migration: found.id,
      state: found.state,
      failureReason: found.failureReason,
    })
    if (!hasEnded(found.state)) return result
    result.log = await logOf(context, found, from, target.log)
    if (/ already exists/.test(found.failureReason ?? '')) throw nameTaken(organization, name)
    if (found.state === 'SUCCEEDED') {
      for (const each of notes) await each.remove()
      isDone = true
    } else {
      // The upload stays for another attempt.
      for (const each of notes) await each.write({ uri: each.facts.uri })
    }
    return result
  } catch (error) {
    isDone = error instanceof ClientError && error.code === 'name-taken'
    throw error
  } finally {
    for (const each of notes) each.close()
    if (isDone) plan.remove()
  }
}

/** Starts the import, or finds it if an earlier process has started it, or it is done. */
async function start(
  context: Context,
  { from, name, source }: { from: string; name: string; source: URL },
  { archives }: Plan,
  notes: readonly UploadNotes[],
): Promise<{ started: RepositoryMigration; importedBefore: boolean }> {
  const { session, uploads, organization, options } = context
  const list = () => listImports(session, organization, name)
  const isSame = ({ sourceUrl }: RepositoryMigration) =>
    sourceUrl === '' || sourceUrl === source.href
  const [first] = notes as [UploadNotes]
  const earlier = await list()
  const before = first.facts.started
  const found =
    before?.repository === name
      ? earlier.find((one) => !before.before.includes(one.id) && isSame(one))
      : earlier.find((one) => !hasEnded(one.state) && isSame(one))
  if (found) {
    session.notice(`the import of ${from} was started before: ${found.id}`)
    return { started: found, importedBefore: false }
  }
  const finished = await findFinished(context, { name, source }, earlier)
  if (finished) return { started: finished, importedBefore: true }
  const sourceId = await createSource(session, organization.id, source.origin)
  for (let attempt = 1; ; attempt++) {
    const isResumed = notes.some(({ facts }) => facts.uri !== undefined)
    const uris: string[] = []
    for (const [i, { path, bytes }] of archives.entries()) {
      uris.push(
        await uploadArchive(uploads, {
          path,
          bytes,
          organization: organization.databaseId,
          partSize: options.partSize ?? PART_SIZES.usual,
          notes: notes[i] as UploadNotes,
          progress: (sent) =>
            options.progress?.({ from, step: 'uploading', bytes: sent, total: bytes }),
        }),
      )
    }
    const ids = earlier.map(({ id }) => id)
    await first.write({ ...first.facts, started: { repository: name, before: ids } })
    const what: Start = {
      sourceId,
      ownerId: organization.id,
      repositoryName: name,
      sourceRepositoryUrl: source.href,
      gitArchiveUrl: uris[0] as string,
      metadataArchiveUrl: uris.at(-1) as string,
      skipReleases: options.skipReleases ?? false,
      targetRepoVisibility: options.visibility ?? 'private',
    }
    try {
      const started = await startOnce(
        session,
        () => startImport(session, what),
        async () => (await list()).find((one) => !ids.includes(one.id) && isSame(one)),
      )
      return { started, importedBefore: false }
    } catch (error) {
      // The server may have thrown away what an earlier process uploaded.
      if (attempt > 1 || !isResumed || !isRefusal(error)) throw error
      session.notice(`${(error as Error).message}; uploading again`)
      for (const each of notes) await each.remove()
    }
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ClientError &&
  error.code === 'request-refused' &&
  (error.status === 404 || /archive|upload|gei:/i.test(error.message))

/** Waits until an import has ended. Only the time ends the patience. */
async function untilEnded(
  { session: { left }, options }: Context,
  from: string,
  started: RepositoryMigration,
): Promise<RepositoryMigration> {
  const { interval, onState } = options
  const timeout = left() ?? DAY
  // Each wait has a time of its own.
  const session = openSession(clientPart(options), {})
  const polls = new Polls(session, { timeout, interval })
  let last = started
  let isOut = false
  onState?.(from, last.state, 0)
  const over = (why?: string) => {
    const seconds = Math.round(polls.milliseconds / 1000)
    const message = `the import of ${from} is still ${last.state} after ${seconds} s`
    return new ClientError('migration-timeout', why === undefined ? message : `${message}: ${why}`)
  }
  for (let headers = new Headers(); !hasEnded(last.state); ) {
    if (!(await polls.next(headers))) throw over()
    const isNew = () => polls.milliseconds < REPLICAS
    try {
      const answer = await readImport(session, started.id, isNew)
      if (answer.found.state !== last.state) onState?.(from, answer.found.state, polls.milliseconds)
      last = answer.found
      headers = answer.headers
      isOut = false
    } catch (error) {
      if (isTimeOver(error)) throw over()
      if (!isTransient(error)) throw error
      if (!isOut) session.notice(`${error.message}; trying again`)
      isOut = true
      headers = new Headers()
    }
  }
  return last
}

/** The log of an import; null if the server has none. */
async function logOf(
  { session, sources, options }: Context,
  ended: RepositoryMigration,
  from: string,
  file: string | undefined,
): Promise<ImportLog | null> {
  if (!options.wait) return null
  let known: string | null = ended.logUrl
  const address = async () => {
    // The address expires: each attempt but the first asks for another.
    const url = known ?? (await readImport(session, ended.id, () => false)).found.logUrl
    known = null
    if (url !== null) return url
    throw new ClientError('server-failed', 'the log is not there yet', { status: 404 })
  }
  try {
    return await readLog(session, { address, database: sources.database, from, file })
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    session.notice(`the log cannot be read: ${error.message}`)
    return null
  }
}
