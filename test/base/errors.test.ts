import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ArchiveError, type ExceededLimit, systemReason } from '../../src/base/errors.ts'
import type { Limits } from '../../src/base/limits.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { runQuery } from '../../src/query/run-query.ts'
import { user } from '../support/archives.ts'
import { type Files, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { BARE, loaded } from '../support/load.ts'
import { everyDay } from '../support/thorough.ts'

const USERS = { 'users_000001.json': [user('ada', { bio: [[['deep']]] })] }
const LONG = `attachments/${'a'.repeat(120)}/x`

const CASES: readonly [keyof Limits, Files, ExceededLimit][] = [
  ['path', { [LONG]: 'x' }, { allowed: 100, found: 134 }],
  ['parts', { 'attachments/a/b/c': 'x' }, { allowed: 3, found: 4 }],
  ['header', { [LONG]: 'x' }, { allowed: 80, found: 134 }],
  ['entries', { 'attachments/1/x': 'x' }, { allowed: 1, found: 2 }],
  ['extracted', { 'attachments/1/x': 'x'.repeat(100) }, { allowed: 90, found: 124 }],
  ['depth', USERS, { allowed: 3 }],
  ['record', USERS, { allowed: 50 }],
]

everyDay(3)(CASES)(
  'An error about the limit %s says it, and what was found',
  async (name, files, limit) => {
    const path = join(await folderOf(), 'it.tar.gz')
    await writeFile(path, gzipSync(tarOf({ ...BARE, ...files })))
    const error = await loadArchive(path, `${path}.db`, { limits: { [name]: limit.allowed } }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ArchiveError)
    expect(error).toMatchObject({ code: `limit-${name}` })
    expect((error as ArchiveError).limit).toEqual(limit)
  },
)

test('and one about too many rows as well', async () => {
  const { database } = await loaded(BARE)
  const { rows } = runQuery(database, 'SELECT 1 UNION SELECT 2', [], { maxRows: 1 })
  expect(() => [...rows]).toThrow(
    expect.objectContaining({ code: 'limit-rows', limit: { allowed: 1, found: 2 } }),
  )
})

test('An error that is told in another place, or is about a name, still says its limit', () => {
  const error = new ArchiveError('limit-depth', 'too deep').over({ allowed: 1 })
  expect(error.at({ entry: 'x' }).about('y')).toMatchObject({
    limit: { allowed: 1 },
    value: 'y',
    place: { entry: 'x' },
  })
})

test.each([
  ["EACCES: permission denied, mkdir '/tmp/a.partial'", 'permission denied'],
  [
    "EXDEV: cross-device link not permitted, rename '/a' -> '/b'",
    'cross-device link not permitted',
  ],
  ['ENOSPC: no space left on device, write', 'no space left on device'],
  ['a message of ours: with a colon, and a comma', 'a message of ours: with a colon, and a comma'],
])('The reason of the system is told without codes and temporary names: %s', (message, reason) => {
  expect(systemReason(new Error(message))).toBe(reason)
})
