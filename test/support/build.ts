/** Builds archives and takes them apart again. */

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readArchive } from '../../src/archive/read-archive.ts'
import { collect } from '../../src/base/streams.ts'
import { buildArchive } from '../../src/build/build-archive.ts'
import type { BuildOptions } from '../../src/build/build-options.ts'
import type { Database } from '../../src/database/open-database.ts'
import { quoteName } from '../../src/database/quote.ts'
import { filledTables, recordTables } from '../../src/database/rows/read-record.ts'
import { inPiecesOf } from './pieces.ts'

export interface Unpacked {
  /** Contents by path, in the order of the archive; bytes as latin1. Directories are left out. */
  files: Record<string, string>
  /** Seconds since 1970 by path. */
  times: Record<string, number>
  directories: string[]
}

/** The content of an archive. */
export async function unpack(archive: Uint8Array): Promise<Unpacked> {
  const found: Unpacked = { files: {}, times: {}, directories: [] }
  for await (const { path, modifiedAt, content } of readArchive(inPiecesOf(archive))) {
    found.times[path] = modifiedAt.getTime() / 1000
    if (path.endsWith('/')) found.directories.push(path)
    else found.files[path] = (await collect(content)).toString('latin1')
  }
  return found
}

/** Writes the files and directories of an archive into a folder. Git needs `refs/`, which may be empty. */
export async function unpackInto(folder: string, archive: Uint8Array): Promise<Unpacked> {
  const found = await unpack(archive)
  for (const path of found.directories) mkdirSync(join(folder, path), { recursive: true })
  for (const [path, content] of Object.entries(found.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(content, 'latin1'))
  }
  return found
}

/** An archive of any records, however small: most tests are about where they go, not about rules. */
export const built = (source: Database | string, options: BuildOptions = {}): Promise<Buffer> =>
  collect(buildArchive(source, { allowInvalid: true, ...options }))

/** Builds an archive from a database or folder, and reads it. */
export const builtFiles = async (source: Database | string, options: BuildOptions = {}) =>
  (await unpack(await built(source, options))).files

/** The urls in each file of records that is built. */
export async function builtUrls(
  source: Database | string,
  options: BuildOptions = {},
): Promise<Record<string, string[]>> {
  const files = await builtFiles(source, options)
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => /_\d+.*\.json$/.test(path))
      .map(([path, text]) => [path, JSON.parse(text).map(({ url }: { url: string }) => url)]),
  )
}

export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Every row of every table of records but for the number of its archive, sorted. */
export function contentOf(database: Database): Record<string, string[]> {
  const rowsIn = (table: string) => {
    const rows = database.prepare(`SELECT * FROM ${quoteName(table)}`).all() as object[]
    return rows.map((row) => JSON.stringify({ ...row, _archive: 0 })).sort()
  }
  const filled = [...filledTables(database, recordTables(database))].sort()
  return Object.fromEntries(filled.map((table) => [table, rowsIn(table)]))
}
