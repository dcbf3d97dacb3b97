import { stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { peek } from '../../base/streams.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { partitionName } from '../../exporters/dataset/partition-name.ts'
import { HEAD_SIZE, isDatabase, isDatabaseHead } from '../../files/is-database.ts'
import { withoutEnding } from '../../files/safe-name.ts'
import type { Io } from '../command/io.ts'
import { sourceOf } from '../options/reading-options.ts'
import type { FoundDatabase, Reading } from './cached-database.ts'

/**
 * Opens a source as a database. An archive or folder is loaded into a cached database with the needed contents, which is
 * kept until the archive changes; a stream into a temporary database.
 */
export async function openReadable(
  named: string,
  io: Io,
  reading: Reading = {},
): Promise<Database> {
  const database = await openSource(named, io, reading)
  if (!reading.writes) await io.mayEndAtOnce?.()
  return database
}

/** One source or several, for statements. */
export interface OpenedSources {
  readonly database: Database
  /** The database that answers a statement: databases that are attached are merged for some. */
  databaseFor(sql: string): Promise<Database>
  close(): void
}

/**
 * Opens several sources as one database with the column `_source` in every table and view. Of records with one URL that of the
 * newest source counts. A folder of archives stands for them. One source that was named alone is opened as it is. Databases are
 * not copied into one if statements can do without.
 */
export async function openSources(
  named: readonly string[],
  io: Io,
  reading: Reading = {},
): Promise<OpenedSources> {
  const opened = await openAll(named, io, reading)
  if (!reading.writes) await io.mayEndAtOnce?.()
  return opened
}

async function openAll(named: readonly string[], io: Io, reading: Reading): Promise<OpenedSources> {
  const { expandSources } = await import('./expand-sources.ts')
  const paths = await expandSources(named)
  const [only = ''] = paths
  if (paths.length === 1 && named.length === 1 && named[0] === only) {
    return alone(await openSource(only, io, reading))
  }
  const { attachSources, cachedMerge } = await import('./cached-merge.ts')
  const sources = nameSources(paths)
  const merge = () => openFound(cachedMerge(named, sources, io, reading))
  const attached = await attachSources(named, sources, io, reading)
  if (!attached) return alone(await merge())
  const { isTooMuch } = await import('../../database/sources/attach-databases.ts')
  let merged: Database | undefined
  return {
    database: attached,
    async databaseFor(sql) {
      if (!merged && isTooMuch(attached, sql)) merged = await merge()
      return merged ?? attached
    },
    close() {
      attached.close()
      merged?.close()
    },
  }
}

const alone = (database: Database): OpenedSources => ({
  database,
  databaseFor: async () => database,
  close: () => void database.close(),
})

const openFound = async (found: Promise<FoundDatabase>): Promise<Database> => {
  const { path, database } = await found
  return database ?? openDatabase(path)
}

/** Names sources as partitions of an export, by their files. Those with one name are told apart by their paths. */
function nameSources(paths: readonly string[]): { path: string; source: string }[] {
  const names = paths.map((path) => partitionName(basename(resolve(path))))
  return paths.map((path, i) => {
    const name = names[i] as string
    const isShared = names.indexOf(name) !== names.lastIndexOf(name)
    return { path, source: isShared ? withoutEnding(path) : name }
  })
}

/** The same for a command that an interrupt must not end at once yet. */
export async function openSource(named: string, io: Io, reading: Reading): Promise<Database> {
  return openFound(findDatabase(named, io, reading))
}

/** An error about a database with the name of the source that was loaded into it: users do not know the path of a cached one. */
export const inSource = (error: unknown, database: Database | undefined, named: string): unknown =>
  error instanceof ArchiveError && database && error.place.archive === database.name
    ? new ArchiveError(
        error.code,
        error.message,
        { ...error.place, archive: named },
        error.cause,
        error,
      )
    : error

const IS_DATABASE_NAME = /\.(?:db3?|sqlite3?)$/i

/** The path of the database that a source is or was loaded into. */
export async function databasePath(named: string, io: Io, reading: Reading): Promise<string> {
  const { path, database } = await findDatabase(named, io, reading)
  database?.close()
  return path
}

/** The same for each of several sources. A folder or pattern stands for the archives and databases that it names. */
export async function databasePaths(
  named: readonly string[],
  io: Io,
  reading: Reading,
): Promise<string[]> {
  const { expandSources } = await import('./expand-sources.ts')
  const paths: string[] = []
  for (const source of await expandSources(named)) {
    paths.push(await databasePath(source, io, reading))
  }
  return paths
}

async function findDatabase(named: string, io: Io, reading: Reading): Promise<FoundDatabase> {
  const stats = named === '-' ? undefined : await stat(named).catch(() => undefined)
  if (named !== '-' && stats === undefined && !IS_DATABASE_NAME.test(named)) {
    throw new ArchiveError('archive-not-found', 'there is no such file or folder', {
      archive: named,
    })
  }
  if (named !== '-' && (stats === undefined || (await isDatabase(named)))) {
    await refuseForeign(io)
    return { path: named }
  }
  // Loading the modules that read archives takes longer than a query.
  const { cachedDatabase, loadInto } = await import('./cached-database.ts')
  if (stats?.isFile() || stats?.isDirectory()) return cachedDatabase(named, io, reading)
  const source = await sourceOf(named, io)
  const { makeTemporaryFolder } = await import('../../files/temporary-folder.ts')
  const temporary = makeTemporaryFolder()
  io.atEnd?.(temporary.remove)
  const path = join(temporary.path, 'stream.db')
  if (typeof source === 'string') {
    await loadInto(source, path, io, reading)
  } else {
    const { head, bytes } = await peek(source.bytes, HEAD_SIZE)
    if (isDatabaseHead(head)) {
      await refuseForeign(io)
      await writeFile(path, bytes, { mode: 0o600 })
    } else await loadInto({ ...source, bytes }, path, io, reading)
  }
  return { path }
}

/** A database is what it is: throws `option-invalid` for options of backups and exports of other programs. */
export async function refuseForeign({ foreign }: Pick<Io, 'foreign'>): Promise<void> {
  if (foreign) (await import('../../sources/open-source.ts')).refuseOptions(foreign)
}
