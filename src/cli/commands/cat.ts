import { roleOf } from '../../archive/entry-role.ts'
import { type ArchiveSource, openArchive } from '../../archive/open-archive.ts'
import { openDatabase } from '../../database/open-database.ts'
import { findRecord } from '../../database/read-record.ts'
import { ArchiveError } from '../../errors.ts'
import { readEntry } from '../../query/read-entry.ts'
import type { JsonObject } from '../../records/json.ts'
import { readRecordBatches } from '../../records/read-records.ts'
import type { Bytes } from '../../streams.ts'
import { defineCommand } from '../command.ts'
import { isDatabase } from '../open-readable.ts'
import { writeAll } from '../output/write-all.ts'
import { limitsOf, READING_OPTIONS, sourceOf } from '../reading-options.ts'

export const cat = defineCommand({
  usage: '<archive> <path>',
  summary: 'Print an entry, or the record with a url, exactly as stored',
  options: {
    archive: {
      type: 'string',
      demandOption: true,
      describe: 'A tar.gz or tar file, a folder, -, or a database',
    },
    path: { type: 'string', demandOption: true, describe: 'Path of an entry, or url of a record' },
    ...READING_OPTIONS,
  },
  examples: [
    ['marc cat samples/hello.tar.gz schema.json', 'an entry'],
    ['marc cat samples/hello.tar.gz https://github.com/mona-lindqvist', 'a record'],
  ],
  async run({ archive, path, ...options }, io) {
    const isUrl = path.includes('://')
    if (archive !== '-' && (await isDatabase(archive))) {
      const database = openDatabase(archive)
      try {
        const pieces = isUrl ? print(findRecord(database, path), path) : readEntry(database, path)
        await writeAll(io.stdout, pieces)
      } finally {
        database.close()
      }
      return 0
    }
    const source = sourceOf(archive, io)
    const limits = limitsOf(options)
    const pieces = isUrl
      ? print(await findInArchive(source, path, { limits }), path)
      : entryOf(source, path, { limits })
    await writeAll(io.stdout, pieces)
    return 0
  },
})

function print(record: JsonObject | undefined, url: string): string[] {
  if (record) return [`${JSON.stringify(record, null, 2)}\n`]
  throw new ArchiveError('record-not-found', `no record has the url ${JSON.stringify(url)}`)
}

type Options = { limits: ReturnType<typeof limitsOf> }

async function* entryOf(source: ArchiveSource, path: string, options: Options): Bytes {
  const archive = await openArchive(source, options)
  for await (const entry of archive.entries) {
    if (entry.path !== path) continue
    yield* entry.content
    return
  }
  const place = { archive: archive.name, entry: path }
  throw new ArchiveError('entry-not-found', 'the archive has no such entry', place)
}

async function findInArchive(source: ArchiveSource, url: string, options: Options) {
  const { entries } = await openArchive(source, options)
  for await (const { path, content } of entries) {
    if (roleOf(path).role !== 'records') continue
    for await (const batch of readRecordBatches(content, path, options)) {
      const found = batch.find(({ record }) => record.url === url)
      if (found) return found.record
    }
  }
  return undefined
}
