import type { ArchiveEntry } from '../../archive/entry.ts'
import { roleOf } from '../../archive/entry-role.ts'
import { ArchiveError } from '../../base/errors.ts'
import type { Limits } from '../../base/limits.ts'
import { openDatabase } from '../../database/open-database.ts'
import { isDatabase } from '../../files/is-database.ts'
import { type ListedEntry, listEntries } from '../../query/list-entries.ts'
import { detectRecords } from '../../records/detect-records.ts'
import { readRecordBatches } from '../../records/read-records.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { entryPath, openNamed, READING_OPTIONS, reportedName } from '../options/reading-options.ts'
import { CONTAINER_OPTION } from '../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { jsonArray } from '../output/format-json.ts'
import { formatBytes, formatCount } from '../output/quantities.ts'
import { asLines, writeAll } from '../output/write-all.ts'

export const ls = defineCommand({
  usage: '<source> [path]',
  options: {
    source: CONTAINER_OPTION,
    path: { type: 'string', describe: 'Only this entry, or the contents of this folder' },
    json: { type: 'boolean', describe: 'Print a JSON array of the entries, with mode and role' },
    ...READING_OPTIONS,
  },
  exits: [1],
  works: 'in turns',
  examples: [
    ['marc ls samples/hello.tar.gz', 'every entry'],
    ['marc ls samples/hello.tar.gz repositories --json', 'Git data, as JSON'],
  ],
  async run({ source: named, path: typed, json, ...reading }, io) {
    const path = typed === undefined ? undefined : entryPath(typed)
    const print = json ? asJson : asLine
    let found = 0
    const place = { archive: reportedName(named), entry: path }
    const entries = async function* () {
      for await (const entry of listed(named, reading, io)) {
        if (path !== undefined && !isIn(entry.path, path)) continue
        found++
        yield print(await entry.describe())
      }
      if (found > 0) return
      // Listing is how people find out what a file is, so unknown entries are listed too.
      if (path === undefined) {
        throw new ArchiveError('archive-unrecognized', 'expected entries, found none', place)
      }
      throw new ArchiveError('entry-not-found', 'the archive has no such entry', place)
    }
    await writeAll(io.stdout, json ? jsonArray(entries()) : asLines(entries()))
    return 0
  },
})

/** The entries of a source. Records in an archive are counted only for entries that are printed. */
async function* listed(
  named: string,
  reading: Parameters<typeof openNamed>[1],
  io: Io,
): AsyncGenerator<{ path: string; describe(): Promise<Listed> }> {
  if (await isDatabase(named)) {
    const database = openDatabase(named)
    try {
      for (const entry of listEntries(database)) {
        yield { path: entry.path, describe: async () => describeStored(entry) }
      }
    } finally {
      database.close()
    }
    return
  }
  const { archive, limits } = await openNamed(named, reading, io)
  for await (const entry of archive.entries) {
    yield { path: entry.path, describe: () => describe(entry, limits) }
  }
}

const describeStored = ({ mode, size, records, modifiedAt, role, path }: ListedEntry): Listed => ({
  mode: mode.toString(8).padStart(4, '0'),
  size,
  records,
  modified_at: shortTime(modifiedAt),
  role,
  path,
})

const shortTime = (time: string): string => time.replace('.000Z', 'Z')

const isIn = (entry: string, path: string): boolean =>
  entry === path || entry.startsWith(path.endsWith('/') ? path : `${path}/`)

type Listed = Awaited<ReturnType<typeof describe>>

async function describe(entry: ArchiveEntry, limits: Partial<Limits>) {
  const { path, size, mode, modifiedAt, content } = entry
  const role = roleOf(path)
  const found = role.role === 'records' ? await detectRecords(role.stem, content) : undefined
  let records: number | undefined
  if (found?.isRecords) {
    records = 0
    for await (const batch of readRecordBatches(found.bytes, path, { limits })) {
      records += batch.length
    }
  }
  return {
    mode: mode.toString(8).padStart(4, '0'),
    size,
    records,
    modified_at: shortTime(modifiedAt.toISOString()),
    role: role.role !== 'records' ? role.role : found?.isRecords ? role.stem : 'unknown',
    path,
  }
}

const asJson = (listed: Listed): SafeText => escapeControlsInJson(JSON.stringify(listed))

// Fixed widths, because the lines appear while the archive is read.
const asLine = ({ size, records, modified_at, path }: Listed): SafeText =>
  [
    (path.endsWith('/') ? safe`` : formatBytes(size)).padStart(10),
    (records === undefined ? safe`` : describeRecords(records)).padStart(14),
    escapeControls(modified_at),
    escapeControls(path),
  ].join('  ')

const describeRecords = (count: number) =>
  safe`${formatCount(count)} ${count === 1 ? safe`record ` : safe`records`}`
