import { createHash } from 'node:crypto'
import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { ArchiveSource } from '../../src/archive/open-archive.ts'
import { type LoadOptions, loadArchive } from '../../src/load/load-archive.ts'
import { END, member, tarGzOf, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { columnOf, loaded, opened, recordFile, sourceOf } from '../support/load.ts'
import { failingAfter, inPiecesOf } from '../support/pieces.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const issues = recordFile('issues', { url: 'a' })
const good = member({ name: 'issues_000001.json' }, '[{"url":"b"}]')
const from = (bytes: Uint8Array): ArchiveSource => ({
  name: 'bad.tar.gz',
  bytes: inPiecesOf(bytes),
})

const FAULTS: [code: string, source: () => ArchiveSource][] = [
  ['gzip-truncated', () => from(tarGzOf({ ...issues, x: 'y'.repeat(9999) }).subarray(0, -20))],
  ['tar-truncated', () => from(tarOf({ ...issues, x: 'y'.repeat(9999) }).subarray(0, 5000))],
  [
    'json-damaged',
    () => from(Buffer.concat([good, member({ name: 'users_000001.json' }, '[{'), END])),
  ],
  ['json-not-array', () => from(tarGzOf({ ...issues, 'users_000001.json': { url: 'u' } }))],
  ['path-hostile', () => from(Buffer.concat([good, member({ name: '../x' }, 'evil'), END]))],
  ['not-an-archive', () => from(Buffer.from('<html>Not found</html>'))],
  ['archive-not-found', () => '/nowhere/at/all.tar.gz'],
]

/** The names in a folder, with hashes of their contents. */
const stateOf = (folder: string) =>
  readdirSync(folder).map((name) => {
    const content = readFileSync(join(folder, name))
    return [name, createHash('sha256').update(content).digest('hex')]
  })

const error = (code: string, place: object = {}) =>
  expect.objectContaining({ name: 'ArchiveError', code, place: expect.objectContaining(place) })

describe.each(FAULTS)('loadArchive, stopped by %s,', (code, source) => {
  // Some stop in the archive, and one before it. Which fault it was is the same to the database.
  const isShown = ['gzip-truncated', 'path-hostile', 'archive-not-found'].includes(code)
  const options = isShown ? {} : THOROUGH
  test('leaves no file behind', THOROUGH, async () => {
    const folder = await folderOf()
    const path = join(folder, 'it.db')
    await expect(loadArchive([sourceOf(issues), source()], path)).rejects.toEqual(error(code))
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves a database as it was, byte for byte', options, async () => {
    const { path } = await loaded(issues)
    const folder = join(path, '..')
    const before = stateOf(folder)
    const sources = [sourceOf(recordFile('users', { url: 'u' })), source()]
    await expect(loadArchive(sources, path)).rejects.toEqual(error(code))
    expect(stateOf(folder)).toEqual(before)
  })

  test('leaves a database that was to be replaced as it was', options, async () => {
    const { path } = await loaded(issues)
    const before = stateOf(join(path, '..'))
    await expect(loadArchive(source(), path, { replace: true })).rejects.toEqual(error(code))
    expect(stateOf(join(path, '..'))).toEqual(before)
  })
})

describe('loadArchive', () => {
  /** Loads many issues into a database, and aborts after the first file of them. */
  const interrupted = (path: string, options: LoadOptions = {}) => {
    const stop = new AbortController()
    const files = [1, 2, 3].map((n) => [`issues_00000${n}.json`, [{ url: `${n}` }]])
    return loadArchive(sourceOf(Object.fromEntries(files)), path, {
      progress: () => stop.abort(),
      signal: stop.signal,
      ...options,
    })
  }

  test('leaves no file behind when it is interrupted', async () => {
    const folder = await folderOf()
    await expect(interrupted(join(folder, 'it.db'))).rejects.toEqual(error('interrupted'))
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves a database as it was when it is interrupted', async () => {
    const { path } = await loaded(issues)
    const before = stateOf(join(path, '..'))
    await expect(interrupted(path)).rejects.toEqual(error('interrupted'))
    expect(stateOf(join(path, '..'))).toEqual(before)
  })

  test('does not begin where one of the archives is not there', async () => {
    const folder = await folderOf()
    const first = join(folder, 'first.tar.gz')
    writeFileSync(first, tarGzOf(issues))
    let entries = 0
    const progress = () => entries++
    const sources = [first, join(folder, 'second.tar.gz')]
    await expect(loadArchive(sources, join(folder, 'it.db'), { progress })).rejects.toEqual(
      error('archive-not-found', { archive: sources[1] }),
    )
    expect(entries).toBe(0)
  })

  test('does not begin where the signal is given already', async () => {
    const { path } = await loaded(issues)
    const before = stateOf(join(path, '..'))
    const signal = AbortSignal.abort()
    await expect(loadArchive(sourceOf(issues), path, { signal })).rejects.toEqual(
      error('interrupted'),
    )
    expect(stateOf(join(path, '..'))).toEqual(before)
  })

  test('leaves no file behind when the source breaks, and hands on why', async () => {
    const folder = await folderOf()
    const bytes = failingAfter(tarOf(issues).subarray(0, 600), new Error('the line went dead'))
    const loading = loadArchive({ name: 'x', bytes }, join(folder, 'it.db'))
    await expect(loading).rejects.toThrow('the line went dead')
    expect(readdirSync(folder)).toEqual([])
  })

  test('says which archive, entry and record was at fault', async () => {
    const path = join(await folderOf(), 'it.db')
    const source = from(tarGzOf({ 'issues_000001.json': '[{"url":"a"}, oops]' }))
    const place = { archive: 'bad.tar.gz', entry: 'issues_000001.json' }
    await expect(loadArchive(source, path)).rejects.toEqual(error('json-damaged', place))
  })

  test('shows the database under its name only when it is whole', async () => {
    const folder = await folderOf()
    const seen: string[][] = []
    const progress = () => void seen.push(readdirSync(folder).filter((name) => name === 'it.db'))
    await loadArchive(sourceOf(issues), join(folder, 'it.db'), { progress })
    expect(seen).toEqual([[]])
    expect(readdirSync(folder)).toEqual(['it.db'])
  })

  test('leaves nothing beside a database it has added to', async () => {
    const { path } = await loaded(issues)
    await loadArchive(sourceOf(recordFile('issues', { url: 'b' })), path)
    expect(readdirSync(join(path, '..'))).toEqual(['it.db'])
  })
})

describe('loadArchive with replace', () => {
  test('puts a new database in the place of the old one', async () => {
    const { path } = await loaded(issues)
    await loadArchive(sourceOf(recordFile('issues', { url: 'b' })), path, { replace: true })
    expect(columnOf(opened(path), 'SELECT url FROM issues')).toEqual(['b'])
  })

  test('makes one where there is none', async () => {
    const path = join(await folderOf(), 'it.db')
    await loadArchive(sourceOf(issues), path, { replace: true })
    expect(columnOf(opened(path), 'SELECT url FROM issues')).toEqual(['a'])
  })

  everyDay(1)([true, false])(
    'lets no journal of a crash undo it, be the database there or not',
    async (isThere) => {
      const { path, database } = await loaded(issues)
      database.exec("PRAGMA cache_size = 1; BEGIN; UPDATE issues SET title = 'x'")
      database.exec('CREATE TABLE filler AS SELECT randomblob(100000) AS bytes')
      const journal = readFileSync(`${path}-journal`)
      database.close()
      writeFileSync(`${path}-journal`, journal)
      if (!isThere) rmSync(path)
      await loadArchive(sourceOf(recordFile('issues', { url: 'b' })), path, { replace: isThere })
      expect(columnOf(opened(path), 'SELECT url FROM issues')).toEqual(['b'])
      expect(columnOf(opened(path), 'PRAGMA integrity_check')).toEqual(['ok'])
    },
  )
})

describe('loadArchive refuses', () => {
  test.each([
    ['a text', 'database-foreign', 'Dear diary, today I did not make a database.'],
    ['an empty file', 'database-foreign', ''],
  ])('%s', async (_what, code, content) => {
    const folder = await folderOf({ 'it.db': content })
    const before = stateOf(folder)
    const loading = loadArchive(sourceOf(issues), join(folder, 'it.db'))
    await expect(loading).rejects.toEqual(error(code, { archive: join(folder, 'it.db') }))
    expect(stateOf(folder)).toEqual(before)
  })

  test("another program's database", async () => {
    const folder = await folderOf()
    new Sqlite(join(folder, 'it.db')).exec('CREATE TABLE issues (url)').close()
    const before = stateOf(folder)
    const loading = loadArchive(sourceOf(issues), join(folder, 'it.db'))
    await expect(loading).rejects.toEqual(error('database-foreign'))
    expect(stateOf(folder)).toEqual(before)
  })

  test("a newer program's database", async () => {
    const { path, database } = await loaded(issues)
    database.pragma('user_version = 999')
    await expect(loadArchive(sourceOf(issues), path)).rejects.toEqual(error('database-newer'))
  })

  test('a folder', async () => {
    const path = await folderOf()
    await expect(loadArchive(sourceOf(issues), path)).rejects.toEqual(error('database-foreign'))
    expect(readdirSync(path)).toEqual([])
  })

  test('a place in a folder that is not there', async () => {
    const path = join(await folderOf(), 'no', 'where', 'it.db')
    await expect(loadArchive(sourceOf(issues), path)).rejects.toEqual(error('output-refused'))
  })

  test.each([false, true])(
    'P6: the archive itself for its output, with replace: %s',
    async (replace) => {
      const folder = await folderOf({ 'it.tar.gz': tarGzOf(issues) })
      const path = join(folder, 'it.tar.gz')
      const before = stateOf(folder)
      await expect(loadArchive(path, path, { replace })).rejects.toEqual(error('output-refused'))
      expect(stateOf(folder)).toEqual(before)
    },
  )

  test.each(['before', 'meanwhile'])(
    'to take the place of a link that leads nowhere, made %s',
    async (when) => {
      const path = join(await folderOf(), 'it.db')
      const link = () => symlinkSync('nowhere', path)
      if (when === 'before') link()
      const progress = () =>
        when === 'meanwhile' && !lstatSync(path, { throwIfNoEntry: false }) && link()
      const loading = loadArchive(sourceOf(issues), path, { progress })
      await expect(loading).rejects.toMatchObject({ code: expect.stringMatching(/^output-/) })
      expect(readlinkSync(path)).toBe('nowhere')
    },
  )

  test('to take the place of what somebody else has put there meanwhile', async () => {
    const path = join(await folderOf(), 'it.db')
    const progress = () => writeFileSync(path, 'mine')
    const loading = loadArchive(sourceOf(issues), path, { progress })
    await expect(loading).rejects.toEqual(error('output-exists', { archive: path }))
    expect(readdirSync(join(path, '..'))).toEqual(['it.db'])
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })
})

test('P3: Of two loads of the same new database at once, one wins and the other says so', async () => {
  const path = join(await folderOf(), 'it.db')
  const loads = [loadArchive(sourceOf(issues), path), loadArchive(sourceOf(issues), path)]
  const results = await Promise.allSettled(loads)
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(reasons).toEqual([error('output-exists')])
  expect(readdirSync(join(path, '..'))).toEqual(['it.db'])
})
