import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { openDatabase, updateSearchIndex } from '../../../src/index.ts'
import { generateArchive } from '../generate-archive.ts'

/** Makes a database of so many records in a folder, with an index for search, which pages do not make. Returns its path. */
export async function loadGenerated(folder: string, records: number): Promise<string> {
  const archive = join(folder, 'b.tar.gz')
  const bytes = Readable.from(generateArchive({ records, seed: 1 }))
  await pipeline(bytes, createGzip({ level: 1 }), createWriteStream(archive))
  const path = join(folder, 'b.db')
  execFileSync(process.execPath, ['dist/bin.js', 'load', archive, '-o', path, '-q'])
  const database = openDatabase(path)
  await updateSearchIndex(database)
  database.close()
  return path
}
