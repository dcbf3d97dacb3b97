import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { entriesOf, textOfFile } from './generate-records.ts'
import { folders, type Part } from './other-files.ts'
import { Random, shuffle } from './random.ts'
import { makeWorld } from './world.ts'
import { entryHead, entryOf, padding, trailer } from './write-tar.ts'

export interface ArchiveOptions {
  /** How many records, at least 100. */
  readonly records: number
  /** The same seed gives the same bytes. */
  readonly seed: number
  /** Adds a pack of that many bytes, which cannot be compressed, to the first Git repository. */
  readonly files?: { readonly bytes: number }
}

/** The bytes of a tar file such as a code host exports, made as they are asked for. */
export async function* generateArchive(options: ArchiveOptions): AsyncGenerator<Uint8Array> {
  let written = 0
  for (const bytes of entries(options)) {
    written += bytes.length
    yield bytes
  }
  yield trailer(written)
}

/** The entries in no order, for the host writes them as its file system lists them. */
function* entries({ records, seed, files }: ArchiveOptions): Generator<Uint8Array> {
  const world = makeWorld(records, seed)
  const random = new Random(seed, 2, 0)
  const mtime = 1_700_000_000 + random.below(10_000_000)
  const mode = (name: string) =>
    name === '' || name.endsWith('/') ? 0o755 : /\.(pack|idx)$/.test(name) ? 0o444 : 0o644
  const described = (name: string) => ({ name: `./${name}`, mode: mode(name), mtime })

  function* partEntries(parts: Iterable<Part>): Generator<Uint8Array> {
    for (const { name, size, content } of parts) {
      yield entryHead({ ...described(name), size })
      yield* content()
      yield padding(size)
    }
  }

  const schema = `{"version":"1.0.1","github_sha":"${random.hex(40)}"}`
  const pieces: (() => Iterable<Uint8Array>)[] = [
    () => [entryOf(described('schema.json'), Buffer.from(schema))],
  ]
  for (const recordFile of entriesOf(world)) {
    pieces.push(() => [
      entryOf(described(recordFile.name), Buffer.from(textOfFile(world, recordFile))),
    ])
  }
  for (const folder of folders(world, files?.bytes ?? 0)) pieces.push(() => partEntries(folder))
  yield entryOf(described(''), Buffer.alloc(0))
  for (const piece of shuffle(pieces, random)) yield* piece()
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      records: { type: 'string' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string' },
    },
  })
  if (values.records === undefined || values.out === undefined) {
    throw new Error('Usage: node test/bench/generate-archive.ts --records <n> --out <x.tar.gz>')
  }
  const archive = generateArchive({ records: Number(values.records), seed: Number(values.seed) })
  await pipeline(
    Readable.from(archive, { objectMode: false, highWaterMark: 1 << 20 }),
    createGzip({ level: 6, chunkSize: 1 << 18 }),
    createWriteStream(values.out),
  )
}

if (import.meta.main) await main()
