import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { compressBadly, makeBrokenTar } from '../../samples/make/broken-archive.ts'
import { type Content, entriesOf } from '../../samples/make/content.ts'
import { BACKUPS, bytesOfBackup, SAMPLES } from '../../samples/make-samples.ts'
import { decompress } from '../../src/archive/gzip/decompress.ts'
import { readArchive } from '../../src/archive/read-archive.ts'
import { writeArchive } from '../../src/archive/write-archive.ts'
import type { Problem } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { exportArchive } from '../../src/compose/export-archive.ts'
import { parseSavedQuery } from '../../src/query/parse-saved-query.ts'
import { copySamples } from '../support/load-once.ts'
import { everyDay, firstOfEach, THOROUGH } from '../support/thorough.ts'

const samples = new URL('../../samples/', import.meta.url)
const archiveOf = (name: string): Buffer => readFileSync(new URL(`${name}.tar.gz`, samples))

async function* bytesOf(tar: Buffer): AsyncGenerator<Uint8Array> {
  yield tar
}

/** The contents of a tar by path. */
async function contentsOf(tar: Buffer): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for await (const { path, content } of readArchive(bytesOf(tar))) {
    contents[path] = (await collect(content)).toString('latin1')
  }
  return contents
}

const testSample = (name: string, make: () => Content) => {
  let content: Content
  beforeAll(() => {
    content = make()
  })

  it('is made again as it is', async () => {
    const committed = gunzipSync(archiveOf(name))
    const made = await collect(writeArchive(entriesOf(content), { gzip: false }))
    // First by entry, which shows the differences.
    expect(await contentsOf(made)).toEqual(await contentsOf(committed))
    expect(made.equals(committed)).toBe(true)
  })

  it('keeps to every rule', THOROUGH, async () => {
    const { records, files } = content
    const problems: Problem[] = []
    const uploads = [...files]
      .filter(([path]) => !path.startsWith('repositories/'))
      .map(([path, content]) => ({ path, content }))
    const report = (problem: Problem) => void problems.push(problem)
    await collect(exportArchive({ records, files: uploads }, { allowInvalid: true, report }))
    expect(problems).toEqual([])
  })
}
const [[first], [others]] = firstOfEach(Object.entries(SAMPLES), () => 'sample')
describe.each(first)('the sample %s', testSample)
describe.each(others)('the sample %s', THOROUGH, testSample)

test.each(Object.entries(BACKUPS))(
  'the backup %s is made again as it is',
  THOROUGH,
  async (name, make) => {
    const file = readFileSync(new URL(`backups/${name}`, samples))
    const committed = name.endsWith('.gz') ? gunzipSync(file) : file
    expect((await bytesOfBackup(name, make())).equals(committed)).toBe(true)
    expect(file.length).toBeLessThan(10_000)
  },
)

describe('samples', () => {
  it('makes broken again as it is', THOROUGH, async () => {
    const tarIn = (archive: Buffer) => collect(decompress(bytesOf(archive)))
    const committed = await tarIn(archiveOf('broken'))
    const made = await makeBrokenTar()
    expect(await contentsOf(made)).toEqual(await contentsOf(committed))
    expect(made.equals(committed)).toBe(true)
    // The gzip container has the same faults, whatever the compression.
    expect((await tarIn(compressBadly(made))).equals(committed)).toBe(true)
  })

  it('keeps them small', () => {
    expect(archiveOf('broken').length).toBeLessThan(25_000)
    expect(archiveOf('hello').length).toBeLessThan(20_000)
    expect(archiveOf('organization').length).toBeLessThan(300_000)
  })

  it('has several files of at least three kinds', async () => {
    const paths = Object.keys(await contentsOf(gunzipSync(archiveOf('organization'))))
    expect(paths.filter((path) => path.endsWith('_000002.json'))).toEqual([
      'issues_000002.json',
      'issue_comments_000002.json',
      'issue_events_000002.json',
    ])
  })
})

describe('sample queries', () => {
  const folder = new URL('queries/', samples)
  const names = readdirSync(folder)
  const temporary = mkdtempSync(join(tmpdir(), 'sample-queries-'))
  const path = join(temporary, 'samples.db')
  const given: Record<string, string | number> = {
    full_name: 'harbour-lights/tidewatch',
    number: 5,
  }
  // In the samples nothing is odd, everything was reviewed, and no export is the later one of a host.
  const without = ['problems-by-code.sql', 'merged-without-review.sql', 'vanished-records.sql']
  let database: Sqlite.Database

  beforeAll(async () => {
    await copySamples(path)
    database = new Sqlite(path, { readonly: true })
  })

  afterAll(() => {
    database.close()
    rmSync(temporary, { recursive: true })
  })

  it('are at least twelve', () => {
    expect(names.length).toBeGreaterThanOrEqual(12)
  })

  everyDay(5)(names)('%s says what it answers, and answers it', (name) => {
    const sql = readFileSync(new URL(name, folder), 'utf8')
    expect(sql).toMatch(/^-- \S.*\?/)
    const statement = database.prepare(sql)
    expect(statement.readonly).toBe(true)
    const { parameters, needs } = parseSavedQuery(sql)
    const values = parameters.map(({ name, standard }) => [name, standard ?? given[name] ?? null])
    const rows = statement.all(...(values.length > 0 ? [Object.fromEntries(values)] : []))
    expect(needs !== undefined || without.includes(name) || rows.length > 0).toBe(true)
  })
})
