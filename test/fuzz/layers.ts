/** THE TABLE of what is mutated: each makes an archive out of a valid one, with something wrong at its layer. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readArchive } from '../../src/archive/read-archive.ts'
import { collect } from '../../src/streams.ts'
import type { Random } from '../bench/random.ts'
import { tarOf } from '../support/build-tar.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { ROOT } from '../support/run-command.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateRecords } from './mutate-records.ts'

/** A valid archive, and what is in it. */
export interface World {
  gzip: Buffer
  tar: Buffer
  files: Record<string, Buffer>
}

export async function openWorld(archive = 'samples/hello.tar.gz'): Promise<World> {
  const gzip = readFileSync(resolve(ROOT, archive))
  const files: Record<string, Buffer> = {}
  for await (const { path, content } of readArchive(inPiecesOf(gzip))) {
    if (!path.endsWith('/')) files[path] = await collect(content)
  }
  return { gzip, tar: gunzipSync(gzip), files }
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
} as const satisfies Record<string, Layer>

export type LayerName = keyof typeof LAYERS

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
