import { copyFileSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { generateArchive } from '../bench/generate-archive.ts'
import { Random } from '../bench/random.ts'
import { tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { loadOnce } from '../support/load-once.ts'
import { runs } from '../support/property-runs.ts'
import { filesOf, worldRecords } from '../support/rest-world.ts'
import { THOROUGH } from '../support/thorough.ts'
import { compareFaces } from './compare-faces.ts'
import { editDatabase } from './edit-database.ts'
import { explain, needless, unexplained } from './explain.ts'
import { ODD_EDIT, oddRecords } from './odd-world.ts'

/** The machine is far from UTC: no face may read its zone. */
const ZONE = process.env.TZ
beforeAll(() => {
  process.env.TZ = 'Asia/Tokyo'
})
afterAll(() => {
  if (ZONE === undefined) delete process.env.TZ
  else process.env.TZ = ZONE
})

/** A database with an archive. */
async function databaseOf(archive: Buffer): Promise<string> {
  const path = join(await folderOf(), 'it.db')
  await loadOnce([archive], path, {})
  return path
}

/** The databases of the samples that are valid. */
async function sampleDatabases(): Promise<string[]> {
  const folder = await folderOf()
  const names = ['hello', 'organization']
  const paths = names.map((name) => join(folder, `${name}.db`))
  for (const [i, name] of names.entries()) {
    const archive = readFileSync(new URL(`../../samples/${name}.tar.gz`, import.meta.url))
    await loadOnce([archive], paths[i] as string, {})
  }
  return paths
}

/** A generated archive. */
async function generated(records: number, seed: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of generateArchive({ records, seed })) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function oddDatabase(): Promise<string> {
  const path = await databaseOf(tarOf(filesOf(oddRecords())))
  const database = openDatabase(path, { readonly: false })
  database.exec(ODD_EDIT)
  database.close()
  return path
}

const worldDatabase = () => databaseOf(tarOf(filesOf(worldRecords())))

/** Differences of databases that are served together, in words: those that no list explains. */
async function newDifferences(paths: readonly string[], state?: string): Promise<string[]> {
  const { found } = await compareFaces(paths, state)
  return unexplained(explain(found))
}

/** The longest compares thousands of answers: a slow machine may take its time. */
const PATIENCE = 300_000

describe('Faces agree', { timeout: PATIENCE }, () => {
  test('on a world of odd records, but for the differences that are listed', THOROUGH, async () => {
    const { found, told } = await compareFaces([await oddDatabase()])
    const facts = Map.groupBy(told.keys(), (key) => key.slice(0, key.lastIndexOf(',')))
    const alone = [...facts].filter(([, faces]) => faces.length < 2)
    // A fact that one face tells is compared with nothing.
    expect(alone.map(([fact]) => fact)).toEqual([])
    const explained = explain(found)
    expect(unexplained(explained)).toEqual([])
    expect(needless(explained)).toEqual([])
  })

  test('on a world with every kind of event', async () => {
    expect(await newDifferences([await worldDatabase()])).toEqual([])
  })

  test('on a sample', THOROUGH, async () => {
    const [hello = ''] = await sampleDatabases()
    expect(await newDifferences([hello])).toEqual([])
  })

  test('on a generated archive', THOROUGH, async () => {
    expect(await newDifferences([await databaseOf(await generated(100, 1))])).toEqual([])
  })

  test('on all samples, served as one', THOROUGH, async () => {
    expect(await newDifferences(await sampleDatabases())).toEqual([])
  })

  test(
    'on databases with the same repository, of which the first one counts',
    THOROUGH,
    async () => {
      const path = await worldDatabase()
      const other = `${path}.other.db`
      copyFileSync(path, other)
      editDatabase(other, new Random(1, 0, 0))
      expect(await newDifferences([other, path])).toEqual([])
    },
  )

  test('on databases that are edited at random', { ...THOROUGH, timeout: 3_600_000 }, async () => {
    // The same databases each time: the list of differences is exact for these. FACES_SEED looks at others.
    const first = Number(process.env.FACES_SEED ?? 1)
    const archive = await generated(200, 2)
    const bases = [await worldDatabase(), await oddDatabase(), await databaseOf(archive)]
    const folder = await folderOf()
    const failures: string[] = []
    for (let seed = first; seed < first + runs(144); seed++) {
      const random = new Random(seed, 0, 0)
      const base = random.pick(bases)
      const edits: string[] = []
      // Of two databases with the same repositories the first one counts.
      const isOneOfSeveral = random.chance(0.15)
      const paths = [0, ...(isOneOfSeveral ? [1] : [])].map((i) => {
        const path = join(folder, `${seed}-${i}.db`)
        copyFileSync(base, path)
        edits.push(...editDatabase(path, random, { isOneOfSeveral }))
        return path
      })
      // The server takes its index from a folder, or makes it in memory.
      const state = random.chance(0.5) ? join(folder, `${seed}`) : undefined
      const differences = await newDifferences(paths, state).catch((error: Error) => [
        `${error.stack}`,
      ])
      failures.push(
        ...differences.map((each) => `FACES_SEED=${seed} (${edits.join(', ')}): ${each}`),
      )
      for (const path of paths) await rm(path)
    }
    expect(failures).toEqual([])
  })
})
