import { roleOf } from '../../archive/entry-role.ts'
import type { OpenedArchive } from '../../archive/open-archive.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { findRecord } from '../../database/read-record.ts'
import { ArchiveError } from '../../errors.ts'
import { readEntry } from '../../query/read-entry.ts'
import type { JsonObject } from '../../records/json.ts'
import { peekRecords } from '../../records/peek-records.ts'
import { readRecordBatches } from '../../records/read-records.ts'
import type { Bytes } from '../../streams.ts'
import { defineCommand } from '../command.ts'
import type { Io } from '../io.ts'
import { isDatabase } from '../is-database.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { shownOnTerminal } from '../output/shown-on-terminal.ts'
import { writeAll } from '../output/write-all.ts'
import { openNamed, READING_OPTIONS } from '../reading-options.ts'

export const cat = defineCommand({
  usage: '<archive> <path>',
  summary: 'Print an entry, or the record with a url, exactly as stored',
  options: {
    archive: {
      type: 'string',
      demandOption: true,
      describe: 'A tar.gz or tar file, an unpacked folder, a database, or - for standard input',
    },
    path: { type: 'string', demandOption: true, describe: 'Path of an entry, or url of a record' },
    ...READING_OPTIONS,
  },
  examples: [
    ['marc cat samples/hello.tar.gz schema.json', 'an entry'],
    ['marc cat samples/hello.tar.gz https://github.com/mona-lindqvist', 'a record'],
  ],
  async run({ archive: named, path, ...reading }, io) {
    const isUrl = path.includes('://')
    if (await isDatabase(named)) {
      const database = openDatabase(named)
      try {
        const pieces = isUrl
          ? print(findRecord(database, path), named, path)
          : readEntry(database, path)
        await write(pieces, io)
        if (!isUrl) tellOfOthers(database, path, io)
      } finally {
        database.close()
      }
      return 0
    }
    const { archive, limits } = await openNamed(named, reading, io)
    const pieces = isUrl
      ? print(await findInArchive(archive, path, { limits }), named, path)
      : entryOf(archive, path)
    await write(pieces, io)
    return 0
  },
})

/** An archive is not read beyond the first entry of a path; a database knows of others. */
function tellOfOthers(database: Database, path: string, { stderr }: Io): void {
  const found = database
    .prepare<[string], string>(
      "SELECT message FROM problems WHERE code = 'entry-repeated' AND entry = ? ORDER BY archive DESC",
    )
    .pluck()
    .get(path)
  if (found === undefined) return
  stderr.write(`${escapeControls(`marc: ${path}: ${found}`)}\n`)
  stderr.write('This is the last one; of the archive itself, marc cat prints the first.\n')
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

const write = (pieces: Pieces, { stdout }: Io) =>
  writeAll(stdout, stdout.isTTY ? shownOnTerminal(pieces) : pieces)

function print(record: JsonObject | undefined, archive: string, url: string): string[] {
  if (record) return [`${JSON.stringify(record, null, 2)}\n`]
  const message = `no record has the url ${JSON.stringify(url)}`
  throw new ArchiveError('record-not-found', message, { archive })
}

async function* entryOf({ name, entries }: OpenedArchive, path: string): Bytes {
  for await (const entry of entries) {
    if (entry.path !== path) continue
    yield* entry.content
    return
  }
  const place = { archive: name, entry: path }
  throw new ArchiveError('entry-not-found', 'the archive has no such entry', place)
}

async function findInArchive(
  { entries }: OpenedArchive,
  url: string,
  options: Parameters<typeof readRecordBatches>[2],
): Promise<JsonObject | undefined> {
  for await (const { path, content } of entries) {
    const role = roleOf(path)
    if (role.role !== 'records') continue
    const { isRecords, bytes } = await peekRecords(role.stem, content)
    if (!isRecords) continue
    for await (const batch of readRecordBatches(bytes, path, options)) {
      const found = batch.find(({ record }) => record.url === url)
      if (found) return found.record
    }
  }
  return undefined
}
