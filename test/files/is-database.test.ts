import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HEAD_SIZE, isDatabase, isDatabaseHead } from '../../src/files/is-database.ts'
import { folderOf } from '../support/folder.ts'
import { BARE, loaded } from '../support/load.ts'

const MAGIC = 'SQLite format 3\0'

test('A database is known by its first bytes', async () => {
  const { path } = await loaded(BARE)
  expect(await isDatabase(path)).toBe(true)
  expect(HEAD_SIZE).toBe(MAGIC.length)
  expect(isDatabaseHead(Buffer.from(MAGIC))).toBe(true)
})

test('Another file, a shorter one, a folder and nothing are none', async () => {
  const folder = await folderOf({
    other: 'SQLite format 2\0 and more',
    cut: MAGIC.slice(0, -1),
    empty: '',
    'inner/': '',
    sound: `${MAGIC}…`,
  })
  const answers = await Promise.all(
    ['other', 'cut', 'empty', 'inner', 'missing', 'sound', 'a\0b'].map((name) =>
      isDatabase(join(folder, name)),
    ),
  )
  expect(answers).toEqual([false, false, false, false, false, true, false])
})
