import { aFlag, aFunction, aPath, checkArguments, type Shapes } from '../../base/check-arguments.ts'
import { refuseExisting } from '../../files/write-file.ts'
import { ClientError } from '../client-error.ts'
import type { ClientOptions } from '../client-options.ts'
import { anId, findMigration } from '../list-migrations.ts'
import { failureOf, type Migration } from '../migration.ts'
import { openSession, type Session } from '../open-session.ts'
import { untilExported, WATCH_SHAPES, type WatchOptions } from '../watch-migration.ts'
import { DownloadRun, type RunOptions } from './download-run.ts'
import { openPart } from './part-file.ts'
import { archiveAddress } from './request-archive.ts'

/** How to download an archive. */
export interface DownloadOptions extends WatchOptions, RunOptions {
  /** Wait until the migration is exported. Default false: that is an error. */
  wait?: boolean | undefined
  /** Overwrite an existing file. Default false. */
  force?: boolean | undefined
}

const DOWNLOAD_SHAPES: Shapes<Omit<DownloadOptions, keyof ClientOptions>> = {
  ...WATCH_SHAPES,
  wait: aFlag,
  force: aFlag,
  verify: aFlag,
  progress: aFunction,
}

/** A downloaded archive. */
export interface Download {
  /** The path of the archive. */
  file: string
  /** The GUID of its migration. */
  guid: string
  /** Bytes of the archive. */
  bytes: number
  /** SHA-256 of the archive in hex. */
  sha256: string
  /** Bytes that came over the network in this run. */
  fetched: number
}

/**
 * Downloads the archive of a migration. The bytes go to `<file>.part`; a connection that breaks is resumed where it broke, in
 * this process or a later one. They pass through gunzip and the tar reader on the way, and the file gets its name when all of it
 * is on disk and sound.
 *
 * @param id the id of the migration
 * @param file the path of the archive; undefined for `<guid>.tar.gz`
 * @param options the server, as whom to talk to it, and how to download
 * @returns the path, size and SHA-256 of the archive
 * @throws `archive-not-ready`, `archive-gone`, `download-damaged`, `download-busy`, `download-changed`, `output-…`, and
 *   the codes of `watchMigration`
 * @example
 * const { sha256 } = await downloadArchive(12, 'export.tar.gz', { server: 'github', token, wait: true })
 */
export async function downloadArchive(
  id: number,
  file: string | undefined,
  options: DownloadOptions,
): Promise<Download> {
  checkArguments({ id }, { id: anId })
  if (file !== undefined) checkArguments({ file }, { file: aPath })
  const session = openSession(options, DOWNLOAD_SHAPES)
  const { force = false, timeout } = options
  if (file !== undefined && !force) refuseExisting(file)
  session.limit(timeout)
  const migration = await exported(session, id, options)
  if (timeout === undefined) session.limit(undefined)
  const path = file ?? `${migration.guid}.tar.gz`
  if (!force) refuseExisting(path)
  const { guid } = migration
  const part = await openPart(path, { server: session.server.base, id, guid })
  const run = new DownloadRun(session, id, part, options)
  try {
    const sha256 = await run.toEnd()
    await part.publish({ force })
    return { file: path, guid, bytes: part.size, sha256, fetched: run.fetched }
  } finally {
    await run.close()
  }
}

/**
 * The signed address of an archive: anybody who knows it can download the archive until it expires.
 *
 * @param id the id of the migration
 * @param options the server, and as whom to talk to it
 * @returns the address
 * @throws `archive-gone`, `archive-not-ready`, and the codes of `getMigration`
 * @example
 * const address = await getArchiveAddress(12, { server: 'github', token })
 */
export async function getArchiveAddress(id: number, options: ClientOptions): Promise<string> {
  checkArguments({ id }, { id: anId })
  const session = openSession(options, {})
  await exported(session, id, {})
  return (await archiveAddress(session, id)).href
}

async function exported(
  session: Session,
  id: number,
  options: Pick<DownloadOptions, 'wait' | 'timeout' | 'interval' | 'onState'>,
): Promise<Migration> {
  if (options.wait) return untilExported(session, id, options)
  const found = await findMigration(session, id)
  if (found.state === 'failed') throw failureOf(found)
  if (found.state === 'exported') return found
  throw new ClientError('archive-not-ready', `migration ${id} is ${found.state}`)
}
