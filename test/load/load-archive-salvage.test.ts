import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { buildArchive } from '../../src/build/build-archive.ts'
import { readFile } from '../../src/database/contents/read-file.ts'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { type LoadedArchive, type LoadOptions, loadArchive } from '../../src/load/load-archive.ts'
import { END, member, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { columnOf, opened, rowsOf } from '../support/load.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

/** Text that does not compress away, the same each time. */
const noise = (seed: string, bytes: number) => {
  const parts = Array.from({ length: Math.ceil(bytes / 64) }, (_, i) =>
    createHash('sha256').update(`${seed} ${i}`).digest('hex'),
  )
  return parts.join('').slice(0, bytes)
}

const user = (n: number) => ({
  type: 'user',
  url: `u${n}`,
  login: `l${n}`,
  bio: noise(`u${n}`, 150),
})
const issue = (n: number) => ({ type: 'issue', url: `i${n}`, title: noise(`i${n}`, 200) })
const many = <T>(make: (n: number) => T) => Array.from({ length: 30 }, (_, n) => make(n))

const FILES = {
  'users_000001.json': many(user),
  'attachments/1/a.txt': noise('a', 9000),
  'issues_000001.json': many(issue),
  'attachments/2/b.txt': noise('b', 9000),
  'repositories/o/r.git/HEAD': 'ref: refs/heads/main\n',
}
const tar = tarOf(FILES)
const gz = gzipSync(tar)

interface Salvaged {
  path: string
  database: Database
  archive: LoadedArchive
  problems: Problem[]
  /** All that a user would ask for. */
  content: unknown
}

const loadInto = async (path: string, bytes: Uint8Array, options: LoadOptions = {}) => {
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  const source = { name: 'bad.tar.gz', bytes: inPiecesOf(bytes, 1000) }
  const { archives } = await loadArchive(source, path, { report, ...options })
  return { archive: archives[0] as LoadedArchive, problems }
}

const contentOf = (database: Database) => ({
  users: rowsOf(database, 'SELECT url, login, bio FROM users ORDER BY 1'),
  issues: rowsOf(database, 'SELECT url, title FROM issues ORDER BY 1'),
  files: rowsOf(database, 'SELECT id, path FROM files ORDER BY 2').map(([id, path]) => [
    path,
    Buffer.concat([...readFile(database, id as number)]).toString(),
  ]),
})

async function salvage(bytes: Uint8Array, options: LoadOptions = {}): Promise<Salvaged> {
  const path = join(await folderOf(), 'it.db')
  const { archive, problems } = await loadInto(path, bytes, { salvage: true, ...options })
  const database = opened(path)
  return { path, database, archive, problems, content: contentOf(database) }
}

const lossOf = ({ problems }: Salvaged) => problems.find(({ code }) => code === 'rest-lost')
const offsetsOf = (salvaged: Salvaged) => JSON.parse(lossOf(salvaged)?.content ?? '{}')
const sixteenths = (length: number) =>
  Array.from({ length: 15 }, (_, i) => Math.floor(((i + 1) * length) / 16))

/** The entries that are complete before a byte of the tar. */
function expectedBefore(length: number): unknown {
  const before = (path: string, from = 0): number => tar.indexOf(path, from)
  const isWhole = (needle: string) => {
    const at = tar.indexOf(needle)
    return at >= 0 && at + needle.length <= length
  }
  const recordsOf = (path: keyof typeof FILES, ends: (n: number) => string, rows: unknown[][]) =>
    before(path) < 0 ? [] : rows.filter((_, n) => isWhole(ends(n)))
  const closing = '"\n  }'
  const users = many(user).map(({ url, login, bio }) => [url, login, bio])
  const issues = many(issue).map(({ url, title }) => [url, title])
  const sorted = (rows: unknown[][]) => rows.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  const files = Object.entries(FILES).filter(([path, content]) => {
    if (typeof content !== 'string') return false
    return before(path) >= 0 && before(path) + 512 + content.length <= length
  })
  return {
    users: sorted(recordsOf('users_000001.json', (n) => noise(`u${n}`, 150) + closing, users)),
    issues: sorted(recordsOf('issues_000001.json', (n) => noise(`i${n}`, 200) + closing, issues)),
    files: sorted(files.map(([path, content]) => [path, content])),
  }
}

describe('T14: Of an archive that is cut', () => {
  everyDay(1)(sixteenths(tar.length))(
    'at byte %d of the plain tar, all that stands whole before is loaded',
    async (length) => {
      const salvaged = await salvage(tar.subarray(0, length))
      expect(salvaged.content).toEqual(expectedBefore(length))
      expect(salvaged.archive.state).toBe('salvaged')
      expect(offsetsOf(salvaged)).toEqual({ code: 'tar-truncated', tar: length, file: length })
    },
  )

  everyDay(1)(sixteenths(gz.length))(
    'at byte %d of the gzip data, all that could be inflated is loaded',
    async (length) => {
      const salvaged = await salvage(gz.subarray(0, length))
      const offsets = offsetsOf(salvaged)
      expect(offsets).toEqual({ code: 'gzip-truncated', tar: expect.any(Number), file: length })
      // Deflate keeps back a block that is not whole, which is some 30 KiB at most here.
      expect(offsets.tar).toBeGreaterThan((length / gz.length) * tar.length - 32_768)
      expect(salvaged.content).toEqual(expectedBefore(offsets.tar))
      expect(salvaged.archive.state).toBe('salvaged')
    },
  )

  test('in an attachment, neither the attachment nor its chunks are stored', async () => {
    const cut = tar.indexOf('attachments/1/a.txt') + 512 + 5000
    const salvaged = await salvage(tar.subarray(0, cut))
    expect(columnOf(salvaged.database, 'SELECT count(*) FROM files')).toEqual([0])
    expect(columnOf(salvaged.database, 'SELECT count(*) FROM chunks')).toEqual([0])
    expect(salvaged.problems).toContainEqual({
      code: 'entry-lost',
      place: { archive: 'bad.tar.gz', entry: 'attachments/1/a.txt' },
      message: 'only 5000 of 9000 bytes could be read; it was skipped',
    })
  })

  test('in a record, that is lost, with its place', async () => {
    const cut = tar.indexOf(noise('i7', 200)) + 20
    const { problems, archive } = await salvage(tar.subarray(0, cut))
    const place = { archive: 'bad.tar.gz', entry: 'issues_000001.json', record: 8 }
    expect(problems).toContainEqual(expect.objectContaining({ code: 'record-lost', place }))
    expect(archive.lost).toEqual(problems.filter(({ code }) => code.endsWith('-lost')))
  })

  test('before its end alone, nothing is lost and it is said all the same', async () => {
    const salvaged = await salvage(tar.subarray(0, -END.length))
    expect(salvaged.content).toEqual(expectedBefore(tar.length))
    expect(offsetsOf(salvaged).code).toBe('tar-truncated')
    expect(salvaged.archive.state).toBe('salvaged')
  })

  test('before its first entry, nothing could be loaded: it is refused', async () => {
    const path = join(await folderOf(), 'it.db')
    for (const bytes of [gz.subarray(0, 15), tar.subarray(0, 300), Buffer.alloc(0)]) {
      await expect(loadInto(path, bytes, { salvage: true })).rejects.toMatchObject({
        name: 'ArchiveError',
      })
    }
  })
})

describe('Of an archive with a wrong byte', () => {
  everyDay(1)(sixteenths(gz.length))(
    'at byte %d of the gzip data, the archive contains everything that is loaded, and a loss is reported',
    async (at) => {
      const bytes = Buffer.from(gz)
      bytes[at] = (bytes[at] as number) ^ 0x41
      const { archive, database } = await salvage(bytes)
      expect(archive.state).toBe('salvaged')
      expect(archive.lost.length).toBeGreaterThan(0)
      expect(columnOf(database, 'PRAGMA integrity_check')).toEqual(['ok'])
    },
  )

  test('in its checksum, everything is loaded, and the doubt is reported', THOROUGH, async () => {
    const bytes = Buffer.from(gz)
    bytes[bytes.length - 7] = (bytes.at(-7) as number) ^ 1
    const salvaged = await salvage(bytes)
    expect(salvaged.content).toEqual(expectedBefore(tar.length))
    expect(lossOf(salvaged)?.message).toMatch(/every entry was read, but bytes .* may be wrong/)
  })

  test('T12: in a header, what comes before is loaded', async () => {
    const at = tar.indexOf('issues_000001.json')
    const bytes = Buffer.from(tar)
    bytes[at + 3] = 0x58
    const salvaged = await salvage(bytes)
    expect(salvaged.content).toEqual(expectedBefore(at))
    expect(offsetsOf(salvaged)).toMatchObject({ code: 'tar-damaged', tar: at })
  })

  test('in a record, the others of its file and the next files are loaded', THOROUGH, async () => {
    const bytes = Buffer.from(tar)
    bytes[tar.indexOf(noise('u5', 150)) + 9] = 0x22 // a quote
    const { content, problems, archive } = await salvage(gzipSync(bytes))
    const whole = expectedBefore(tar.length) as { users: unknown[][] }
    const users = whole.users.filter(([url]) => url !== 'u5')
    expect(content).toEqual({ ...whole, users })
    const place = { archive: 'bad.tar.gz', entry: 'users_000001.json', record: 6 }
    expect(problems).toEqual([expect.objectContaining({ code: 'record-lost', place })])
    expect(archive.state).toBe('salvaged')
  })
})

test('A file that should hold records and does not is left out, and the next is loaded', async () => {
  const bytes = Buffer.concat([
    member({ name: 'users_000001.json' }, '<html>Server error</html>'),
    member({ name: 'issues_000001.json' }, [issue(1)]),
    END,
  ])
  const { database, archive } = await salvage(bytes)
  expect(columnOf(database, 'SELECT url FROM issues')).toEqual(['i1'])
  expect(archive.lost.map(({ place }) => place.entry)).toEqual(['users_000001.json'])
})

test('Hostile entries are refused, damaged or not', async () => {
  const path = join(await folderOf(), 'it.db')
  const evil = Buffer.concat([member({ name: 'x' }, 'x'), member({ name: '../x' }, 'x'), END])
  await expect(loadInto(path, evil, { salvage: true })).rejects.toMatchObject({
    code: 'path-hostile',
  })
})

test('An archive without damage is loaded as it is without --salvage', THOROUGH, async () => {
  const { content, archive, problems } = await salvage(gz)
  expect(content).toEqual(expectedBefore(tar.length))
  expect({ state: archive.state, lost: archive.lost }).toEqual({ state: 'complete', lost: [] })
  expect(problems.filter(({ code }) => code.endsWith('-lost'))).toEqual([])
})

test('Losses are in the table of problems, and the archive is marked', async () => {
  const { database, problems } = await salvage(gz.subarray(0, gz.length >> 1))
  expect(columnOf(database, 'SELECT state FROM archives')).toEqual(['salvaged'])
  const told = problems.filter(({ code }) => code.endsWith('-lost')).map(({ message }) => message)
  const stored = columnOf(database, "SELECT message FROM problems WHERE code LIKE '%-lost'")
  expect(stored).toEqual(told)
})

test('A salvaged archive is built, and loads again without a loss', THOROUGH, async () => {
  const { path, content } = await salvage(tar.subarray(0, tar.length >> 1))
  const own = openDatabase(path)
  const built = await collect(buildArchive(own, { allowInvalid: true }))
  own.close()
  const again = await salvage(built)
  expect(again.archive.state).toBe('complete')
  expect(again.content).toEqual(content)
})

describe('A salvaged archive that is loaded', () => {
  const half = gz.subarray(0, gz.length >> 1)

  test('once more changes nothing, and is still said to be incomplete', async () => {
    const { path, archive } = await salvage(half)
    expect(archive.alreadyLoaded).toBe(false)
    const again = await loadInto(path, half, { salvage: true })
    expect(again.archive).toMatchObject({ alreadyLoaded: true, state: 'salvaged' })
  })

  test('whole after that is complete, and so is the database', THOROUGH, async () => {
    const { path, database } = await salvage(half)
    const { archive } = await loadInto(path, gz)
    expect(archive).toMatchObject({ alreadyLoaded: false, state: 'complete' })
    expect(contentOf(database)).toEqual(expectedBefore(tar.length))
    expect(columnOf(database, 'SELECT state FROM archives')).toEqual(['replaced', 'complete'])
    const again = await loadInto(path, half, { salvage: true })
    expect(again.archive).toMatchObject({ alreadyLoaded: true, state: 'complete' })
  })

  test('over the whole one takes nothing from it', THOROUGH, async () => {
    const { path, database, content } = await salvage(gz)
    const cut = tar.subarray(0, tar.indexOf('ref: refs/heads') + 5)
    await loadInto(path, cut, { salvage: true })
    expect(contentOf(database)).toEqual(content)
  })

  test(
    'with half of a repository does not replace the whole one of an earlier archive',
    THOROUGH,
    async () => {
      const git = (files: Record<string, string>) =>
        tarOf(
          Object.fromEntries(
            Object.entries(files).map(([name, text]) => [`repositories/o/r.git/${name}`, text]),
          ),
        )
      const { path, database } = await salvage(git({ HEAD: 'ref: refs/heads/a\n', config: 'x' }))
      const later = git({ HEAD: 'ref: refs/heads/b\n', 'objects/pack/p.pack': noise('p', 5000) })
      const { problems } = await loadInto(path, later.subarray(0, 4000), { salvage: true })
      const files = rowsOf(database, 'SELECT path, archive FROM files ORDER BY 1')
      expect(files).toEqual([
        ['repositories/o/r.git/HEAD', 1],
        ['repositories/o/r.git/config', 1],
      ])
      expect(columnOf(database, "SELECT target FROM refs WHERE name = 'HEAD'")).toEqual([
        'refs/heads/a',
      ])
      expect(problems).toContainEqual(
        expect.objectContaining({
          place: { archive: 'bad.tar.gz', entry: 'repositories/o/r.git' },
          message: expect.stringContaining('was dropped in favor of an earlier archive'),
        }),
      )
    },
  )
})

test('The SHA-256 of a salvaged archive is that of all its bytes', THOROUGH, async () => {
  const bytes = Buffer.from(gz)
  bytes[bytes.length >> 2] = (bytes[bytes.length >> 2] as number) ^ 0x41
  const { database } = await salvage(bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(columnOf(database, 'SELECT sha256 FROM archives')).toEqual([sha256])
})

test('inspectArchive counts the same in a damaged archive', THOROUGH, async () => {
  for (const length of [3, 15].map((n) => (n * gz.length) >> 4)) {
    const bytes = gz.subarray(0, length)
    const { database, archive } = await salvage(bytes)
    const source = { name: 'bad.tar.gz', bytes: inPiecesOf(bytes, 1000) }
    const found = await inspectArchive(source, { salvage: true })
    const count = (kind: string) => found.kinds[kind]?.records ?? 0
    const stored = (table: string) => columnOf(database, `SELECT count(*) FROM ${table}`)[0]
    expect([count('users'), count('issues')]).toEqual([stored('users'), stored('issues')])
    const files = Object.values(found.files).reduce((sum, { count }) => sum + count, 0)
    expect(files).toBe(stored('files'))
    expect(found.state).toBe(archive.state)
    const losses = found.problems.filter(({ code }) => code.endsWith('-lost'))
    expect(losses.map(({ message }) => message)).toEqual(archive.lost.map(({ message }) => message))
  }
})
