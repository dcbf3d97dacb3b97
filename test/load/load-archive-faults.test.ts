import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { collect } from '../../src/base/streams.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { generateArchive } from '../bench/generate-archive.ts'
import { tarGzOf, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { columnOf, loaded, opened, recordFile, sourceOf } from '../support/load.ts'
import { failingAfter, inPiecesOf } from '../support/pieces.ts'
import { BINARY, COMPILE_CACHE, inFolder, outcomeOf } from '../support/run-command.ts'
import { DISK, smallDisk } from '../support/small-disk.ts'
import { THOROUGH } from '../support/thorough.ts'

/** Does not fit into what is left. */
const large = tarGzOf({
  ...recordFile('issues', { url: 'a' }),
  'attachments/1/a.bin': randomBytes(400_000),
})

/** `marc` as a process; `before` is shell that sets its limits. */
function marc(argv: readonly string[], before = 'true', options: { uid?: number } = {}) {
  const quoted = [process.execPath, BINARY, ...argv].map((word) => `'${word}'`).join(' ')
  const env = { PATH: process.env.PATH ?? '', HOME: process.cwd(), ...cacheOf(options) }
  const child = spawn('bash', ['-c', `${before}; exec ${quoted}`], { env, ...options })
  child.stdin.end()
  return outcomeOf(child)
}

/** Node.js keeps what it makes of the sources for each user apart, and others may not write where ours is. */
function cacheOf({ uid }: { uid?: number }): { NODE_COMPILE_CACHE: string } {
  if (uid === undefined) return COMPILE_CACHE
  const cache = `${COMPILE_CACHE.NODE_COMPILE_CACHE}-of-${uid}`
  mkdirSync(cache, { recursive: true })
  chownSync(cache, uid, 0)
  return { NODE_COMPILE_CACHE: cache }
}

/** Limits the size of files in KiB: writing more is an error and does not end the program. */
const filesOf = (kilobytes: number) => `trap '' XFSZ; ulimit -f ${kilobytes}`

describe('P2: Where files cannot grow any more,', () => {
  // A full disk shows all three in this process.
  test('a load says so and leaves nothing', THOROUGH, async () => {
    inFolder({ 'large.tar.gz': large })
    const fresh = await marc(['load', 'large.tar.gz', '-o', 'x.db'], filesOf(300))
    expect(fresh).toMatchObject({ code: 3, stdout: '' })
    expect(fresh.stderr).toMatch(/^marc: x\.db: disk I\/O error\nFree disk space/)
    expect(readdirSync('.')).toEqual(['large.tar.gz'])
  })

  test('a load leaves what was there', THOROUGH, async () => {
    inFolder({ 'large.tar.gz': large })
    await loadArchive(sourceOf(recordFile('issues', { url: 'b' })), 'x.db')
    const before = readFileSync('x.db')
    const merged = await marc(['load', 'large.tar.gz', '-o', 'x.db'], filesOf(400))
    expect(merged).toMatchObject({ code: 3, stdout: '' })
    expect(columnOf(opened('x.db'), 'SELECT url FROM issues')).toEqual(['b'])
    expect(readFileSync('x.db').equals(before)).toBe(true)
    expect(readdirSync('.').sort()).toEqual(['large.tar.gz', 'x.db'])
  })

  test('a build says so and leaves nothing', THOROUGH, async () => {
    inFolder({ 'large.tar.gz': large })
    await loadArchive('large.tar.gz', 'x.db')
    const { code, stderr } = await marc(['build', 'x.db', '-o', 'y.tar.gz'], filesOf(100))
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^marc: y\.tar\.gz: file too large\nFree disk space/),
    })
    expect(readdirSync('.').sort()).toEqual(['large.tar.gz', 'x.db'])
  })
})

test(
  'P2: A disk that is full, or read only, is reported with its name, and keeps its files',
  THOROUGH,
  async (context) => {
    const disk = smallDisk(context)
    writeFileSync('large.tar.gz', large)
    writeFileSync('small.tar.gz', tarGzOf(recordFile('issues', { url: 'b' })))
    const path = join(disk, 'x.db')
    await loadArchive('small.tar.gz', path)
    const before = readFileSync(path)
    const left = DISK - before.length
    writeFileSync(join(disk, 'filler'), Buffer.alloc(left - 150_000))
    const full = { name: 'ArchiveError', code: 'database-full', place: { archive: path } }
    await expect(loadArchive('large.tar.gz', path)).rejects.toMatchObject(full)
    await expect(loadArchive('large.tar.gz', path, { replace: true })).rejects.toMatchObject(full)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(disk).sort()).toEqual(['filler', 'x.db'])

    execFileSync('mount', ['-o', 'remount,ro', disk])
    const refused = { name: 'ArchiveError', code: 'output-refused' }
    const readOnly = { name: 'ArchiveError', code: 'database-read-only' }
    await expect(loadArchive('large.tar.gz', path)).rejects.toMatchObject(readOnly)
    await expect(loadArchive('small.tar.gz', join(disk, 'y.db'))).rejects.toMatchObject(refused)
    expect(columnOf(opened(path), 'SELECT url FROM issues')).toEqual(['b'])
  },
)

test(
  'P2: A disk that fills up under the contents of files is reported with its name, salvaged or not',
  THOROUGH,
  async (context) => {
    const disk = smallDisk(context)
    const contents = ['a', 'b', 'c'].map((name) => [`attachments/${name}`, randomBytes(3_000_000)])
    writeFileSync('files.tar.gz', tarGzOf(Object.fromEntries(contents)))
    const path = join(disk, 'x.db')
    const full = { name: 'ArchiveError', code: 'database-full', place: { archive: path } }
    await expect(loadArchive('files.tar.gz', path)).rejects.toMatchObject(full)
    await expect(loadArchive('files.tar.gz', path, { salvage: true })).rejects.toMatchObject(full)
    expect(readdirSync(disk)).toEqual([])
  },
)

test(
  'P2: A disk that fills up at any point of a load of records keeps nothing of it',
  THOROUGH,
  async (context) => {
    const disk = smallDisk(context)
    const tar = await collect(generateArchive({ records: 2000, seed: 1 }))
    const path = join(disk, 'x.db')
    const faults = new Set<string>()
    for (let left = 100_000; left < 3_500_000; left += 150_000) {
      writeFileSync(join(disk, 'filler'), Buffer.alloc(DISK - left))
      const loading = loadArchive({ name: 'x.tar', bytes: inPiecesOf(tar) }, path)
      const fault = await loading.catch((error: unknown) => error)
      expect(fault).toMatchObject({ code: 'database-full', place: { archive: path } })
      expect(readdirSync(disk)).toEqual(['filler'])
      faults.add((fault as Error).message)
    }
    // SQLite finds some of them, and the writer of pages the others.
    expect(faults.size).toBe(2)
  },
)

const NOBODY = 65_534

describe('P2: Without permission', () => {
  const isRoot = getuid?.() === 0
  const as = isRoot ? { uid: NOBODY } : {}

  test('to write a folder, load and build refuse before they begin', THOROUGH, async () => {
    const folder = inFolder({ 'a.tar.gz': tarGzOf(recordFile('issues', { url: 'a' })) })
    await loadArchive('a.tar.gz', 'it.db')
    chmodSync(folder, 0o555)
    onTestFinished(() => chmodSync(folder, 0o755))
    const outcomes = await Promise.all([
      marc(['load', 'a.tar.gz', '-o', 'x.db'], 'true', as),
      marc(['build', 'it.db', '-o', 'x.tar.gz'], 'true', as),
    ])
    for (const { code, stderr } of outcomes) {
      expect({ code, stderr }).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^marc: x\.\S+: there is no permission to write it\n/),
      })
    }
    expect(readdirSync('.').sort()).toEqual(['a.tar.gz', 'it.db'])
  })

  test('to read the archive, or to write the database, load says which', THOROUGH, async () => {
    const folder = inFolder({ 'a.tar.gz': tarGzOf(recordFile('issues', { url: 'a' })) })
    await loadArchive('a.tar.gz', 'it.db')
    copyFileSync('a.tar.gz', 'b.tar.gz')
    chmodSync('a.tar.gz', 0)
    chmodSync('it.db', 0o444)
    chmodSync(folder, 0o777)
    const [archive, database] = await Promise.all([
      marc(['load', 'a.tar.gz', '-o', 'x.db'], 'true', as),
      marc(['load', 'b.tar.gz', '-o', 'it.db'], 'true', as),
    ])
    expect(archive).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^marc: a\.tar\.gz: permission denied\n/),
    })
    expect(database).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^marc: it\.db: .*permission/),
    })
    expect(readdirSync('.').sort()).toEqual(['a.tar.gz', 'b.tar.gz', 'it.db'])
  })

  test(
    'to read a database, or to write one that search is to index, the file is named',
    THOROUGH,
    async () => {
      const folder = inFolder({ 'a.tar.gz': tarGzOf(recordFile('issues', { url: 'a' })) })
      await loadArchive('a.tar.gz', 'it.db')
      copyFileSync('it.db', 'locked.db')
      chmodSync('locked.db', 0)
      chmodSync('it.db', 0o444)
      chmodSync(folder, 0o755)
      const [locked, readOnly] = await Promise.all([
        marc(['query', 'locked.db', 'select 1'], 'true', as), // nor can the cache be made
        marc(['search', 'it.db', 'clock'], 'true', as),
      ])
      expect(locked).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /^marc: locked\.db: permission denied\nCheck that the file can be read/,
        ),
      })
      expect(readOnly).toMatchObject({
        code: 3,
        stderr:
          'marc: it.db: a search needs an index, but this database is read-only\n' +
          'Make the file writable, or copy it and name the copy.\n',
      })
    },
  )
})

describe('P2: An archive whose source breaks with an I/O error', () => {
  const broken = () => Object.assign(new Error('i/o error'), { code: 'EIO', errno: -5 })
  const tar = tarOf({ ...recordFile('issues', { url: 'a' }), 'x/y': 'z'.repeat(9000) })
  const source = () => ({ name: 'pipe', bytes: failingAfter(tar.subarray(0, 4000), broken()) })

  test('is refused with the place and the reason, and leaves a database as it was', async () => {
    const { path, database } = await loaded(recordFile('issues', { url: 'b' }))
    await expect(loadArchive(source(), path)).rejects.toMatchObject({
      name: 'ArchiveError',
      code: 'archive-unreadable',
      message: 'i/o error',
      place: { archive: 'pipe' },
    })
    expect(columnOf(database, 'SELECT url FROM issues')).toEqual(['b'])
  })

  test('is salvaged up to there', async () => {
    const path = join(await folderOf(), 'it.db')
    const { archives } = await loadArchive(source(), path, { salvage: true })
    expect(archives[0]?.state).toBe('salvaged')
    expect(columnOf(opened(path), 'SELECT url FROM issues')).toEqual(['a'])
  })
})

describe('M4: A name of output of 256 bytes, or with no room for a journal,', () => {
  test.each([256, 250])('of %i bytes is refused before anything is loaded', async (length) => {
    inFolder({ 'small.tar.gz': tarGzOf(recordFile('issues', { url: 'b' })) })
    const path = 'x'.repeat(length)
    const refused = { name: 'ArchiveError', code: 'output-refused', place: { archive: path } }
    await expect(loadArchive('small.tar.gz', path)).rejects.toMatchObject(refused)
    expect(readdirSync('.')).toEqual(['small.tar.gz'])
  })

  test('cannot be opened as a database', () => {
    const missing = expect.objectContaining({ code: 'database-not-found' })
    expect(() => openDatabase('x'.repeat(256))).toThrow(missing)
  })
})
