import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { buildArchive } from '../../build/build-archive.ts'
import { keepTaken, listLeft } from '../../conformance/checks/importer.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { partialOf } from '../../files/partial-file.ts'
import { syncFolder } from '../../files/sync-folder.ts'
import { loadArchive } from '../../load/load-archive.ts'
import { IMPORT_LIMITS } from '../../rules/import-limits.ts'
import type { IdentityMap } from '../../transform/map/identity-map.ts'
import { mapDatabase } from '../../transform/map/map-database.ts'
import type { Context } from '../../work/run.ts'
import { CLAIMING, type Claim, claimMap } from './claim-mannequin.ts'
import { fetchArchive } from './fetch-archive.ts'
import { type ImportLog, openImportLog } from './import-log.ts'
import type { Visibility } from './imports.ts'
import { freeBytesOf, RESERVE } from './uploads.ts'
import { validateImport } from './validate-import.ts'

/** An archive that was uploaded: its files, one after the other. */
export interface UploadedArchive {
  readonly name: string
  readonly files: readonly string[]
}

/** An archive on another host. */
export interface RemoteArchive {
  readonly name: string
  readonly address: string
}

/** Where a repository goes. */
export interface ImportTarget {
  /** The address of the organization: that of its host and its login. */
  readonly organizationUrl: string
  readonly organization: string
  readonly repository: string
  readonly visibility: Visibility
}

/** The task of an import and its output; can be sent to another process */
export interface ImportOrder {
  /** The archive with Git data, if there is one. */
  readonly git: UploadedArchive | RemoteArchive | undefined
  /** The archive with records, if there is one, which may be the same. */
  readonly metadata: UploadedArchive | RemoteArchive | undefined
  /** Hosts from which archives are fetched. */
  readonly fetchArchives: readonly string[]
  readonly sourceUrl: string
  readonly target: ImportTarget
  readonly skipReleases: boolean
  /** Leave out records that cannot be imported, instead of importing nothing. */
  readonly continueOnError: boolean
  /** Logins of the accounts of the target. */
  readonly accounts: readonly string[]
  /** Databases whose users have accounts at the target. */
  readonly databases: readonly string[]
  /** People who have been claimed before. */
  readonly claims: readonly Claim[]
  /** The database. */
  readonly output: string
  /** The log, for people. */
  readonly log: string
  /** Milliseconds that the server's clock is ahead of the machine's. */
  readonly ahead: number
}

/** An import that has been carried out, or not. */
export interface Imported {
  readonly warnings: number
  /** Logins of people without an account. */
  readonly mannequins: readonly string[]
  /** Why nothing was imported. */
  readonly failure?: string
  /** Whether the archive is why. */
  readonly isInvalid?: boolean
}

/** A step of an import, when it begins. */
export type ImportStep = 'IN_PROGRESS'

/**
 * Imports a repository: loads the archives, checks them, keeps what an importer takes, gives everything its new address, and
 * writes a database and a log under temporary names, which are renamed when they are on the disk.
 */
export async function importArchive(
  order: ImportOrder,
  { signal, progress }: Pick<Context<ImportStep>, 'signal' | 'progress'>,
  freeBytes = freeBytesOf,
): Promise<Imported> {
  const log = openImportLog(order.log, order.ahead)
  // A name of its own: a server that was killed may have left a process that still writes.
  const folder = partialOf(order.output)
  mkdirSync(folder, { mode: 0o700 })
  try {
    const result = await importInto(folder, order, { log, signal, progress, freeBytes })
    const { failure } = result
    if (failure === undefined) log.add('INFO', `Imported, with ${log.warnings} warnings`)
    else log.add('ERROR', failure)
    return { ...result, warnings: log.warnings }
  } catch (error) {
    // A program that is stopped leaves nothing, and what is no fault of the archive is not hidden.
    if (!(error instanceof ArchiveError) || error.code === 'interrupted') throw error
    const failure = `${error.code}: ${error.message}`
    log.add('ERROR', failure)
    return { warnings: log.warnings, mannequins: [], failure }
  } finally {
    log.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Means extends Pick<Context<ImportStep>, 'signal' | 'progress'> {
  readonly log: ImportLog
  /** Bytes that the disk of a folder has left. */
  readonly freeBytes: (folder: string) => number
}

type Result = Omit<Imported, 'warnings'>

/** The archives of an import, on this machine. */
interface Archives {
  readonly git: UploadedArchive | undefined
  readonly metadata: UploadedArchive | undefined
}

async function importInto(folder: string, order: ImportOrder, means: Means): Promise<Result> {
  const { log, signal, progress, freeBytes } = means
  const { target, continueOnError } = order
  const requireRoom = (bytes: number) => {
    const free = freeBytes(folder)
    if (bytes + RESERVE <= free) return
    const message = `an import needs at least ${bytes + RESERVE} bytes here, and ${free} are free`
    throw new ArchiveError('output-full', message)
  }
  log.add('INFO', `Importing ${order.sourceUrl} into ${target.organization}/${target.repository}`)
  // Git data and attachments cannot be compressed again: a database is no smaller than its archive.
  const archives = await fetchAll(folder, order, means)
  requireRoom(sizeOf(archives))
  const loaded = await loadUploads(folder, archives, signal)
  const refused = await validateImport(loaded, { log, continueOnError })
  if (refused) return { mannequins: [], ...refused }
  progress('IN_PROGRESS')
  requireRoom(statSync(loaded).size)

  const database = openDatabase(loaded, { readonly: false })
  const written = join(folder, 'mapped.db')
  try {
    const source = findSource(database, order.sourceUrl, log)
    for (const { kind, url, fate, why } of listLeft(database)) {
      if (kind === 'users' || kind === 'bots') continue
      log.add(fate === 'changed' ? 'INFO' : 'WARN', `${kind} ${url ?? 'without url'}: ${why}`)
    }
    keepTaken(database)
    await mapDatabase(database, written, renamingOf(source, order), {
      ...CLAIMING,
      repositories: [source.url],
      ...(order.skipReleases && { withoutKinds: ['releases'] }),
      signal,
    })
  } finally {
    database.close()
  }
  const mannequins = settle(written, order, log)
  renameSync(written, order.output)
  syncFolder(dirname(order.output))
  return { mannequins }
}

/** Fetches the archives that are on other hosts, each address once. */
async function fetchAll(
  folder: string,
  { git, metadata, fetchArchives: hosts }: ImportOrder,
  { log, signal, freeBytes }: Means,
): Promise<Archives> {
  const known = new Map<string, UploadedArchive>()
  const fetchOne = async (archive: ImportOrder['git']) => {
    if (archive === undefined || 'files' in archive) return archive
    const { name, address } = archive
    let fetched = known.get(address)
    if (!fetched) {
      const path = join(folder, `fetched-${known.size}.tar.gz`)
      const limit = Math.min(IMPORT_LIMITS.archive, Math.max(0, freeBytes(folder) - RESERVE))
      log.add('INFO', `Fetching an archive from ${new URL(address).host}`)
      await fetchArchive(address, path, { hosts, limit, signal })
      fetched = { name, files: [path] }
      known.set(address, fetched)
    }
    return fetched
  }
  return { git: await fetchOne(git), metadata: await fetchOne(metadata) }
}

/** Loads the archives into one database, and gives its path. Of two whole ones, Git data of the first and records of the second. */
async function loadUploads(
  folder: string,
  { git, metadata }: Archives,
  signal: AbortSignal,
): Promise<string> {
  const archives = [git, metadata].filter((archive) => archive !== undefined)
  const distinct = archives.filter(({ files }, i) => i === 0 || files[0] !== archives[0]?.files[0])
  const loaded = join(folder, 'loaded.db')
  const [first, second] = distinct.map((archive) => ({
    name: archive.name,
    bytes: bytesOf(archive),
  }))
  if (!first) throw new ArchiveError('archive-not-found', 'no archive was uploaded')
  await loadArchive(second ? [first, second] : first, loaded, { signal })
  if (!second || !overlaps(loaded)) return loaded
  // Halves are built of each, and loaded together.
  const halves = join(folder, 'halves.db')
  const parts = [git, metadata].map(async (archive, i) => {
    const { name, files } = archive as UploadedArchive
    const path = join(folder, `${i}.db`)
    await loadArchive({ name, bytes: bytesOf({ files }) }, path, { signal })
    return { name: `${i}.tar`, path, part: i === 0 ? ('git' as const) : ('metadata' as const) }
  })
  const opened = (await Promise.all(parts)).map((part) => ({
    ...part,
    from: openDatabase(part.path),
  }))
  try {
    const built = opened.map(({ name, from, part }) => ({
      name,
      bytes: buildArchive(from, { part, level: 0, allowInvalid: true, threads: 1, signal }),
    }))
    await loadArchive(built, halves, { signal })
    return halves
  } finally {
    for (const { from } of opened) from.close()
  }
}

/** The bytes of the archives, each counted once. */
function sizeOf({ git, metadata }: Archives): number {
  const files = new Set([git, metadata].flatMap((archive) => archive?.files ?? []))
  return [...files].reduce((sum, file) => sum + statSync(file).size, 0)
}

/** The bytes of an archive. There may be thousands of files: they are opened one after the other. */
async function* bytesOf({ files }: Pick<UploadedArchive, 'files'>): AsyncGenerator<Uint8Array> {
  for (const file of files) yield* createReadStream(file)
}

/** Whether the second archive has Git data, or the first one records of more than what a half with Git data has. */
function overlaps(path: string): boolean {
  const database = openDatabase(path)
  try {
    const overlap = `SELECT EXISTS (SELECT 1 FROM files WHERE role IN ('git', 'lfs') AND archive > 1)
      OR EXISTS (SELECT 1 FROM issues WHERE _archive = 1) OR EXISTS (SELECT 1 FROM pull_requests WHERE _archive = 1)
      OR EXISTS (SELECT 1 FROM users WHERE _archive = 1)`
    return database.prepare<[], number>(overlap).pluck().get() === 1
  } finally {
    database.close()
  }
}

/** A repository of an archive. */
interface Source {
  readonly url: string
  readonly fullName: string
}

/**
 * The repository that is to be imported: the one with the address, or else the only one.
 *
 * @throws `repository-not-found`
 */
function findSource(database: Database, sourceUrl: string, log: ImportLog): Source {
  const all = database
    .prepare<[], Source>(
      'SELECT url, full_name AS fullName FROM repositories WHERE url IS NOT NULL ORDER BY url',
    )
    .all()
  const asked = sourceUrl.replace(/(?:\.git)?\/?$/, '').toLowerCase()
  const found = all.find(({ url }) => url.toLowerCase() === asked)
  if (found) return found
  const [only, ...others] = all
  if (only && others.length === 0) {
    log.add(
      'WARN',
      `repositories ${only.url}: the archive is of this repository, not of ${sourceUrl}`,
    )
    return only
  }
  const what = only ? `the archive has ${all.length} repositories, and none is` : 'no record of'
  throw new ArchiveError('repository-not-found', `${what} ${sourceUrl}`)
}

function renamingOf(source: Source, { target, claims }: ImportOrder): IdentityMap {
  const { organizationUrl, organization, repository } = target
  const place = 'the migration'
  const [old, now] = [new URL(source.url).origin, new URL(organizationUrl).origin]
  const name = `${organization}/${repository}`
  return {
    hosts: old === now ? [] : [{ old, new: now, place }],
    logins: claimMap(claims),
    repositories: source.fullName === name ? [] : [{ old: source.fullName, new: name, place }],
  }
}

/** Gives the repository its owner and visibility, and the people their accounts. Returns the logins of those without one. */
function settle(path: string, order: ImportOrder, log: ImportLog): string[] {
  const { organizationUrl, organization, repository, visibility } = order.target
  const database = openDatabase(path, { readonly: false })
  try {
    const work = database.transaction(() => {
      database
        .prepare('UPDATE repositories SET owner = ?, private = ?')
        .run(organizationUrl, visibility === 'public' ? 0 : 1)
      database.prepare('UPDATE archives SET name = ?').run(`${organization}/${repository}`)
      database.prepare('DELETE FROM organizations').run()
      database
        .prepare(
          `INSERT INTO organizations (url, login, name, members, _archive) VALUES (?, ?, ?, '[]', 1)`,
        )
        .run(organizationUrl, organization, organization)
    })
    work.immediate()
    if (visibility === 'internal') {
      log.add('WARN', 'repositories: internal is private here, as there is no enterprise')
    }
    const has = openAccountsOf(order)
    const people = database
      .prepare<[], { url: string; login: string }>(
        'SELECT url, login FROM users WHERE url IS NOT NULL AND login IS NOT NULL ORDER BY url',
      )
      .all()
    const mannequins = people.filter(({ url, login }) => !has(url, login))
    for (const { url } of mannequins) {
      log.add('INFO', `users ${url}: becomes a mannequin until an account claims it`)
    }
    return mannequins.map(({ login }) => login)
  } finally {
    database.close()
  }
}

/** Whether the target has an account: in its accounts file, or as a user of a database that it serves. */
function openAccountsOf({
  accounts,
  databases,
}: ImportOrder): (url: string, login: string) => boolean {
  const logins = new Set(accounts.map((login) => login.toLowerCase()))
  const found = new Set<string>()
  for (const path of databases) {
    const database = openDatabase(path)
    try {
      const urls = database
        .prepare<[], string>('SELECT url FROM users WHERE url IS NOT NULL')
        .pluck()
      for (const url of urls.iterate()) found.add(url.toLowerCase())
    } finally {
      database.close()
    }
  }
  return (url, login) => logins.has(login.toLowerCase()) || found.has(url.toLowerCase())
}
