/** THE TABLE of what is mutated: each makes an archive or a database out of a valid one, with something wrong at its layer. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readArchive } from '../../src/archive/read-archive.ts'
import { collect } from '../../src/base/streams.ts'
import { indexCommits } from '../../src/git/history/index-commits.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import type { Random } from '../bench/random.ts'
import { tarOf } from '../support/build-tar.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { ROOT } from '../support/run-command.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutatePages, mutateSchema, mutateValues } from './mutate-database.ts'
import { mutateRecords } from './mutate-records.ts'

/** A valid archive, what is in it, and a database with all of it, its index of texts and its commits. */
export interface World {
  gzip: Buffer
  tar: Buffer
  files: Record<string, Buffer>
  database: Buffer
}

export async function openWorld(archive = 'samples/hello.tar.gz'): Promise<World> {
  const gzip = readFileSync(resolve(ROOT, archive))
  const files: Record<string, Buffer> = {}
  for await (const { path, content } of readArchive(inPiecesOf(gzip))) {
    if (!path.endsWith('/')) files[path] = await collect(content)
  }
  return { gzip, tar: gunzipSync(gzip), files, database: await databaseOf(gzip) }
}

async function databaseOf(gzip: Buffer): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'marc-fuzz-'))
  const path = join(folder, 'it.db')
  try {
    await loadArchive({ name: 'base.tar.gz', bytes: inPiecesOf(gzip) }, path)
    await updateIndexAt(path)
    await indexCommits(path)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Layer = (world: World, random: Random) => Buffer

const BLOCK = 512

/** The archive with another content of one of the files that a pattern fits. */
const withFile =
  (pattern: RegExp, mutate: (content: Buffer, random: Random) => Buffer | string): Layer =>
  ({ files }, random) => {
    const paths = Object.keys(files).filter((path) => pattern.test(path))
    const path = random.pick(paths)
    const content = mutate(files[path] as Buffer, random)
    return gzipSync(tarOf({ ...files, [path]: content }), { level: 1 })
  }

export const LAYERS = {
  gzip: ({ gzip }, random) => mutateBytes(gzip, random),
  tar: ({ tar }, random) => gzipSync(mutateBytes(tar, random), { level: 1 }),
  headers: ({ tar }, random) => {
    const copy = Buffer.from(tar)
    const headers = headersOf(tar)
    for (let left = 1 + random.skewed(4); left > 0; left--) {
      const at = random.pick(headers)
      const mutated = mutateBytes(Buffer.from(copy.subarray(at, at + BLOCK)), random)
      const header = Buffer.concat([mutated, Buffer.alloc(BLOCK)]).subarray(0, BLOCK)
      if (random.chance(0.8)) sign(header)
      copy.set(header, at)
    }
    return random.chance(0.5) ? copy : gzipSync(copy, { level: 1 })
  },
  json: withFile(/\.json$/, mutateBytes),
  records: withFile(/_\d+\.json$/, (content, random) => mutateRecords(content.toString(), random)),
  packs: withFile(/\.pack$/, mutateBytes),
  indexes: withFile(/\.idx$/, mutateBytes),
  refs: withFile(/packed-refs$|\/HEAD$/, mutateBytes),
  pages: ({ database }, random) => mutatePages(database, random),
  values: ({ database }, random) => mutateValues(database, random),
  relations: ({ database }, random) => mutateSchema(database, random),
} as const satisfies Record<string, Layer>

export type LayerName = keyof typeof LAYERS

/** The layers of databases; all others are of archives. */
export const DATABASE_LAYERS: readonly LayerName[] = ['pages', 'values', 'relations']

/** Where the headers of a valid tar stand. */
function headersOf(tar: Buffer): number[] {
  const headers: number[] = []
  for (let at = 0; tar[at] !== 0; ) {
    headers.push(at)
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return headers
}

/** Writes the checksum that a header should have. */
function sign(header: Buffer): void {
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
}
