import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../../src/base/errors.ts'
import { type LoadOptions, type LoadSummary, loadArchive } from '../../src/load/load-archive.ts'
import { folderOf } from './folder.ts'
import { inPiecesOf } from './pieces.ts'

interface Result {
  summary: LoadSummary
  problems: Problem[]
}

/** Recent results of loading, by the hash of the archives and the options. */
const known = new Map<string, Result & { database: Buffer }>()
const MOST = 16

/**
 * Loads archives into a new database. If they were loaded before, copies that database, in a tenth of the time.
 */
export async function loadOnce(
  archives: readonly Buffer[],
  path: string,
  options: LoadOptions,
): Promise<Result> {
  const texts = Object.entries(options).map(([name, value]) => `${name} ${value}`)
  // Functions are called, and objects may change.
  const isPlain = Object.values(options).every((value) => typeof value === 'boolean')
  if (!isPlain) return load(archives, path, options)
  const key = [hashOf(archives), ...texts].join()
  let result = known.get(key)
  if (result) {
    writeFileSync(path, result.database)
    // The one that was used last goes last.
    known.delete(key)
    known.set(key, result)
  } else {
    result = { ...(await load(archives, path, options)), database: readFileSync(path) }
    known.set(key, result)
    const [oldest] = known.keys()
    if (known.size > MOST) known.delete(oldest as string)
  }
  const { summary, problems } = result
  return structuredClone({ summary: { ...summary, database: path }, problems })
}

let samples: Promise<Buffer> | undefined

/** Puts a database with the two valid samples there. They are loaded once. */
export async function copySamples(path: string): Promise<void> {
  samples ??= loadSamples(`${path}.loaded`)
  writeFileSync(path, await samples)
}

async function loadSamples(path: string): Promise<Buffer> {
  const archives = ['hello', 'organization'].map((name) =>
    join(import.meta.dirname, `../../samples/${name}.tar.gz`),
  )
  await loadArchive(archives, path)
  const database = readFileSync(path)
  rmSync(path)
  return database
}

/** The bytes of a database with these archives, which are loaded once. */
export async function databaseOf(...archives: Buffer[]): Promise<Buffer> {
  const path = join(await folderOf(), 'it.db')
  await loadOnce(archives, path, {})
  return readFileSync(path)
}

async function load(
  archives: readonly Buffer[],
  path: string,
  options: LoadOptions = {},
): Promise<Result> {
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  const sources = archives.map((bytes) => ({ name: 'it.tar.gz', bytes: inPiecesOf(bytes) }))
  return { summary: await loadArchive(sources, path, { report, ...options }), problems }
}

function hashOf(archives: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const bytes of archives) hash.update(`${bytes.length}:`).update(bytes)
  return hash.digest('hex')
}
