import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArchiveSource, hashFile } from '../../archive/open-archive.ts'
import { openLoadTransaction } from '../../database/load-transaction.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import type { Divert } from '../../database/rows/record-stores.ts'
import { completeIndexes, completeViews } from '../../database/schema/schema.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { divertArchive, type LoadOptions, loadArchive } from '../../load/load-archive.ts'
import type { ScannedRecords } from '../../records/canonical/read-canonical.ts'
import { ESCAPED } from '../../records/cells.ts'
import { isOfPeople } from '../../records/people-tables.ts'
import { LISTINGS, listingRows } from '../listings.ts'
import { openDatabaseSource } from './database-source.ts'
import { type RecordSource, RepeatedRecord, type SourceFacts } from './record-source.ts'
import { openRepeatedUrls, type RepeatedUrls } from './repeated-urls.ts'

export type ArchiveReading = Pick<
  LoadOptions,
  'limits' | 'salvage' | 'report' | 'progress' | 'signal'
>

/**
 * Reads an archive without loading its records. It keeps 64 bits of each URL, and throws `RepeatedRecord` if two records
 * have the same URL, because only a database can find out which of them counts.
 */
export function openArchiveSource(
  archive: ArchiveSource,
  partition: string,
  reading: ArchiveReading = {},
): RecordSource {
  const folder = makeTemporaryFolder()
  const name = typeof archive === 'string' ? archive : archive.name
  return {
    name,
    identify: () => hashArchives([archive]),
    async read(sink) {
      const urls = openRepeatedUrls(join(folder.path, 'urls'))
      const load = openLoadTransaction(join(folder.path, 'rest.db'))
      const { database } = load
      const spaces: string[] = []
      /** Users and organizations share their URLs. */
      const spaceOf = (table: string): number => {
        const space = isOfPeople(table) ? '' : table
        if (!spaces.includes(space)) spaces.push(space)
        return spaces.indexOf(space)
      }
      const { scanned } = sink
      const divert: Divert = {
        records(table, kind, records) {
          const space = spaceOf(table)
          for (const { record } of records) {
            const { url } = record
            if (typeof url === 'string' && !urls.add(url, space)) throw new RepeatedRecord()
          }
          return sink.records(table, kind, records)
        },
        ...(scanned && {
          scanned(table, entry, records) {
            addScannedUrls(urls, records, spaceOf(table))
            return scanned(table, entry, records)
          },
        }),
      }
      try {
        await divertArchive(archive, database, divert, reading)
        urls.finish()
        completeIndexes(database)
        completeViews(database)
        for (const listing of LISTINGS) {
          for (const rows of listingRows(database, listing, partition)) {
            await sink.rows(listing, rows)
          }
        }
        return factsOf(database)
      } finally {
        urls.close()
        load.abandon()
      }
    },
    close: folder.remove,
  }
}

function addScannedUrls(urls: RepeatedUrls, records: ScannedRecords, space: number): void {
  const { kind, memory, what, start, end, columns } = records
  const column = Object.keys(kind.columns).indexOf('url')
  if (column < 0) return
  for (let i = 0; i < records.records; i++) {
    const cell = i * columns + column
    const [from, to] = [start[cell] as number, end[cell] as number]
    const isNew =
      what[cell] === ESCAPED
        ? urls.add(JSON.parse(`"${memory.toString('utf8', from, to)}"`), space)
        : urls.addBytes(memory, from, to, space)
    if (!isNew) throw new RepeatedRecord()
  }
}

/** Loads archives into a temporary database, and reads that: for repeated records, choices and several archives. */
export function openLoadedSource(
  archives: readonly ArchiveSource[],
  partition: string,
  reading: ArchiveReading = {},
  selection?: Parameters<typeof openDatabaseSource>[2],
): RecordSource {
  const folder = makeTemporaryFolder()
  let identity: Promise<string | undefined> | undefined
  let isLoaded = false
  const identify = () => {
    identity ??= hashArchives(archives)
    return identity
  }
  return {
    name: partition,
    identify,
    async read(sink) {
      const path = join(folder.path, 'all.db')
      // A stream cannot be read twice.
      if (!isLoaded) await loadArchive(archives, path, { ...reading, files: false })
      isLoaded = true
      const database = openDatabase(path)
      const source = openDatabaseSource(database, partition, selection)
      try {
        const found = await source.read(sink)
        if (archives.length === 1) return factsOf(database)
        return { ...found, name: partition, sha256: (await identify()) ?? found.sha256 }
      } finally {
        source.close()
        database.close()
      }
    },
    close: folder.remove,
  }
}

/** The SHA-256 of one archive, or one over those of several; undefined for streams and folders. */
async function hashArchives(archives: readonly ArchiveSource[]): Promise<string | undefined> {
  const hashes: string[] = []
  for (const archive of archives) {
    if (typeof archive !== 'string' || (await isFolder(archive))) return undefined
    hashes.push(await hashFile(archive))
  }
  return hashes.length === 1 ? hashes[0] : createHash('sha256').update(hashes.join()).digest('hex')
}

/** False also for what cannot be read, which the next reader reports. */
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

/** The facts of the one archive in a database. */
function factsOf(database: Database): SourceFacts {
  const row = database
    .prepare<[], SourceFacts & { schema_version: string | null }>(
      'SELECT name, size, sha256, schema_version, state FROM archives',
    )
    .get()
  if (!row) throw new TypeError('an archive leaves no row')
  const { name, size, sha256, schema_version: schemaVersion, state } = row
  return { name, sha256, size, schemaVersion, state }
}
