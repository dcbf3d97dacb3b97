import { roleOf } from '../../archive/entry-role.ts'
import type { OpenedArchive } from '../../archive/open-archive.ts'
import { ArchiveError } from '../../base/errors.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { findRecord } from '../../database/rows/read-record.ts'
import { isDatabase } from '../../files/is-database.ts'
import { openSpool } from '../../files/spool.ts'
import { type ArchiveSearch, findEntry, findRecords } from '../../query/find-in-archive.ts'
import { isEntryRepeated, isRecordRepeated, readEntry } from '../../query/read-entry.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { ReadRecordsOptions } from '../../records/read-records.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { asStored, type SafeText, safe } from '../command/safe-text.ts'
import { entryPath, openNamed, READING_OPTIONS } from '../options/reading-options.ts'
import { CONTAINER_OPTION } from '../options/shared-options.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { shownOnTerminal } from '../output/shown-on-terminal.ts'
import { type Piece, writeAll } from '../output/write-all.ts'

export const cat = defineCommand({
  usage: '<source> <path>',
  options: {
    source: CONTAINER_OPTION,
    path: { type: 'string', demandOption: true, describe: 'Path of an entry, or URL of a record' },
    ...READING_OPTIONS,
  },
  exits: [1],
  works: 'in turns',
  examples: [
    ['marc cat samples/hello.tar.gz schema.json', 'an entry'],
    ['marc cat samples/hello.tar.gz https://github.com/mona-lindqvist', 'a record'],
  ],
  async run({ source: named, path: typed, ...reading }, io) {
    const path = entryPath(typed)
    if (await isDatabase(named)) {
      const database = openDatabase(named)
      try {
        await catFromDatabase(database, path, io)
      } finally {
        database.close()
      }
    } else {
      const { archive, limits } = await openNamed(named, reading, io)
      await (isUrl(path) ? catRecord(archive, path, { limits }, io) : catEntry(archive, path, io))
    }
    return 0
  },
})

const isUrl = (path: string) => path.includes('://')

async function catFromDatabase(database: Database, path: string, io: Io): Promise<void> {
  if (isUrl(path)) {
    await write(print(findRecord(database, path), database.name, path), io)
    if (isRecordRepeated(database, path)) warnAboutOthers(path, io)
  } else {
    let isChanged = false
    const entry = readEntry(database, path, () => {
      isChanged = true
    })
    await write(entry, io)
    const isRecordFile = roleOf(path).role === 'records'
    if (isEntryRepeated(database, path))
      warnAboutOthers(path, io, isRecordFile ? 'all of them' : 'the last')
    else if (isChanged) warnAboutChange(path, io)
  }
}

async function catRecord(
  { name, entries }: OpenedArchive,
  url: string,
  options: ReadRecordsOptions,
  io: Io,
): Promise<void> {
  let last: JsonObject | undefined
  const found = await findRecords(entries, url, (record) => (last = record), options)
  await write(print(last, name, url), io)
  finish(found, url, io)
}

/** Prints the entry that a load would keep, so nothing before the whole archive was read. */
async function catEntry({ name, entries }: OpenedArchive, path: string, io: Io): Promise<void> {
  const spool = openSpool()
  try {
    const found = await findEntry(entries, path, spool.keep)
    if (found.times === 0) {
      const place = { archive: name, entry: path }
      throw new ArchiveError('entry-not-found', 'the archive has no such entry', place)
    }
    await write(spool.read(), io)
    finish(found, path, io)
  } finally {
    spool.close()
  }
}

function finish({ times, fault }: ArchiveSearch, path: string, io: Io): void {
  if (times > 1) warnAboutOthers(path, io)
  if (fault !== undefined) throw fault
}

const warnAboutOthers = (
  path: string,
  { stderr }: Io,
  which: 'the last' | 'all of them' = 'the last',
) =>
  void stderr.write(
    safe`${escapeControls(`marc: ${path}: occurs several times in the archive; this is ${which}`)}\n`,
  )

const warnAboutChange = (path: string, { stderr }: Io) =>
  void stderr.write(
    safe`${escapeControls(`marc: ${path}: not byte for byte as loaded: records were changed or replaced, or the layout was unusual`)}\n`,
  )

type Pieces = Iterable<Piece>

const write = (pieces: Pieces, { stdout }: Io) =>
  writeAll(stdout, stdout.isTTY ? shownOnTerminal(pieces) : pieces)

function print(record: JsonObject | undefined, archive: string, url: string): SafeText[] {
  if (record) return [asStored(`${JSON.stringify(record, null, 2)}\n`)]
  const message = `no record has the url ${JSON.stringify(url)}`
  throw new ArchiveError('record-not-found', message, { archive }).about(url)
}
