import { createWriteStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewsOf } from '../../src/exporters/dataset/dataset-schema.ts'
import { readManifests } from '../../src/exporters/dataset/manifest.ts'
import { generateArchive } from '../bench/generate-archive.ts'
import { runBinary } from '../support/run-command.ts'
import { describeWith, openDuckDb } from './engines.ts'

const ARCHIVES = Array.from({ length: 40 }, (_, i) => `org-${String(i).padStart(2, '0')}`)

describeWith(
  'Forty archives, exported by two processes into one dataset,',
  ['@duckdb/node-api'],
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'marc-fleet-'))
    const lake = join(folder, 'lake')
    const generate = (name: string, seed: number) =>
      pipeline(
        Readable.from(generateArchive({ records: 100, seed })),
        createGzip(),
        createWriteStream(join(folder, `${name}.tar.gz`)),
      )
    const write = async () => {
      const paths = ARCHIVES.map((name) => join(folder, `${name}.tar.gz`))
      const halves = [paths.filter((_, i) => i % 2 === 0), paths.filter((_, i) => i % 2 === 1)]
      const done = halves.map((half) => runBinary(['export', ...half, '--parquet', lake, '-q']))
      for (const outcome of await Promise.all(done)) {
        expect(outcome).toMatchObject({ code: 0, stderr: '' })
      }
    }
    /** When each file of a partition was written. */
    const timesOf = () =>
      new Map(
        readdirSync(lake, { recursive: true, encoding: 'utf8' })
          .filter((path) => /archive=[^/]+\/data\.parquet$|archives\/[^/]+\.json$/.test(path))
          .map((path) => [path, statSync(join(lake, path)).mtimeMs]),
      )

    beforeAll(async () => {
      for (const [i, name] of ARCHIVES.entries()) await generate(name, i)
      await write()
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('are all there, as their manifests say', async () => {
      const found = new Map(readManifests(lake))
      expect([...found.keys()]).toEqual(ARCHIVES)
      const manifests = [...found.values()].flatMap((manifest) => manifest ?? [])
      const duckdb = await openDuckDb()
      await duckdb.run(viewsOf(lake, 'duckdb'))
      for (const table of ['issues', 'issue_events', 'users']) {
        const rows = manifests.map(({ tables }) => tables[table]?.rows ?? 0)
        const [counted] = await duckdb.ask(
          `SELECT count(*) AS n, count(DISTINCT _archive) AS archives FROM ${table}`,
        )
        expect(Number(counted?.n), table).toBe(rows.reduce((sum, one) => sum + one, 0))
        expect(Number(counted?.archives), table).toBe(rows.filter(Boolean).length)
      }
      await duckdb.close()
    })

    test('are not written again, but for one that is newer', async () => {
      const before = timesOf()
      await write()
      expect(timesOf()).toEqual(before)
      await generate('org-07', 1000)
      await write()
      const after = timesOf()
      const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path))
      expect(changed.length).toBeGreaterThan(10)
      expect(changed.filter((path) => !path.includes('org-07'))).toEqual([])
    })
  },
)
