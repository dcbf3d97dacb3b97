import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readFile } from '../../../src/database/contents/read-file.ts'
import { CHUNK_SIZE } from '../../../src/database/contents/store-chunks.ts'
import type { Database } from '../../../src/database/open-database.ts'
import { BARE, columnOf, loaded, rowsOf } from '../../support/load.ts'
import { noise } from '../../support/noise.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const sha256Of = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

const contentOf = (database: Database, path: string) => {
  const [id] = columnOf(database, 'SELECT id FROM files WHERE path = ?', path)
  return Buffer.concat([...readFile(database, Number(id))])
}

describe('A file', () => {
  everyDay(1)<[what: string, size: number, pieces: number]>([
    ['empty', 0, 0],
    ['one piece', CHUNK_SIZE, 1],
    ['one piece and a byte', CHUNK_SIZE + 1, 2],
    ['one byte', 1, 1],
    ['one piece but a byte', CHUNK_SIZE - 1, 1],
    ['three pieces', 3 * CHUNK_SIZE, 3],
  ])('comes back byte for byte: %s', async (_what, size, pieces) => {
    const bytes = noise(size)
    const { database, summary } = await loaded({ 'attachments/1/x.bin': bytes })
    expect(contentOf(database, 'attachments/1/x.bin').equals(bytes)).toBe(true)
    const sql = 'SELECT path, role, size, sha256, mode, stored FROM files'
    expect(rowsOf(database, sql)).toEqual([
      ['attachments/1/x.bin', 'attachment', size, sha256Of(bytes), 0o644, 1],
    ])
    expect(columnOf(database, 'SELECT length(bytes) FROM chunks')).toHaveLength(pieces)
    expect(summary.archives[0]?.files).toEqual({ count: 1, bytes: size })
  })

  test('with the content of another one is stored once', THOROUGH, async () => {
    const bytes = noise(CHUNK_SIZE + 5)
    const names = Array.from({ length: 5 }, (_, i) => `attachments/${i}/x.bin`)
    const { database } = await loaded(Object.fromEntries(names.map((name) => [name, bytes])))
    expect(columnOf(database, 'SELECT length(bytes) FROM chunks')).toEqual([CHUNK_SIZE, 5])
    for (const name of names) expect(contentOf(database, name).equals(bytes)).toBe(true)
  })

  test('may hold the same piece twice', THOROUGH, async () => {
    const { database } = await loaded({ 'attachments/a/zeros': Buffer.alloc(3 * CHUNK_SIZE) })
    expect(columnOf(database, 'SELECT count(*) FROM chunks')).toEqual([1])
    expect(contentOf(database, 'attachments/a/zeros').equals(Buffer.alloc(3 * CHUNK_SIZE))).toBe(
      true,
    )
  })

  test('is listed with size and hash alone where contents are not wanted', async () => {
    const { database } = await loaded({ 'attachments/1/x.txt': 'text' }, { files: false })
    expect(rowsOf(database, 'SELECT size, sha256, stored FROM files')).toEqual([
      [4, sha256Of('text'), 0],
    ])
    expect(columnOf(database, 'SELECT count(*) FROM chunks')).toEqual([0])
    expect(contentOf(database, 'attachments/1/x.txt')).toHaveLength(0)
  })

  test('has a role by its path', async () => {
    const roles = [
      ['repositories/o/r.git/HEAD', 'git', 'o/r'],
      ['repositories/o/r.wiki.git/objects/pack/x.pack', 'git', 'o/r.wiki'],
      ['repository_files/7/x.pdf', 'repository-file', null],
      ['releases/7/x.zip', 'release-asset', null],
      ['git-lfs/x', 'lfs', null],
      ['migration.json', 'unknown', null],
    ]
    const files = Object.fromEntries(roles.map(([path]) => [path, 'x']))
    const { database } = await loaded({ ...BARE, ...files })
    expect(rowsOf(database, 'SELECT path, role, repository FROM files ORDER BY id')).toEqual(roles)
  })
})

describe('A file of a later archive', () => {
  test('takes the place of the one with its path, content and all', async () => {
    const { database } = await loaded([
      { 'attachments/1/x': 'old', 'attachments/2/x': 'kept' },
      { 'attachments/1/x': 'new' },
    ])
    expect(rowsOf(database, 'SELECT path, archive FROM files ORDER BY path')).toEqual([
      ['attachments/1/x', 2],
      ['attachments/2/x', 1],
    ])
    expect(columnOf(database, 'SELECT CAST(bytes AS TEXT) FROM chunks ORDER BY 1')).toEqual([
      'kept',
      'new',
    ])
  })

  test('keeps the content that it shares with one that goes', THOROUGH, async () => {
    const { database } = await loaded([
      { 'attachments/a/x': 'same' },
      { 'attachments/a/x': 'same', 'attachments/a/y': 'same' },
    ])
    expect(contentOf(database, 'attachments/a/x').toString()).toBe('same')
    expect(columnOf(database, 'SELECT count(*) FROM file_chunks')).toEqual([2])
  })

  test(
    "of Git data takes the place of the repository's earlier data as a whole",
    THOROUGH,
    async () => {
      const git = 'repositories/o/r.git'
      const { database } = await loaded([
        { [`${git}/objects/pack/1.pack`]: 'old', 'repositories/o/r.wiki.git/HEAD': 'wiki' },
        { [`${git}/objects/pack/2.pack`]: 'new' },
      ])
      expect(columnOf(database, 'SELECT path FROM files ORDER BY path')).toEqual([
        `${git}/objects/pack/2.pack`,
        'repositories/o/r.wiki.git/HEAD',
      ])
    },
  )
})
