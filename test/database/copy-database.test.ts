import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyDatabase } from '../../src/database/copy-database.ts'
import { issue } from '../support/archives.ts'
import { folderOf } from '../support/folder.ts'
import { columnOf, loaded, opened, recordFile } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

const TITLES = 'SELECT title FROM issues ORDER BY number'

/** A database with a free page, and where its copy is to be. */
async function prepare() {
  const { database } = await loaded(recordFile('issues', issue(1, 'First'), issue(2, 'Second')))
  database.exec('CREATE TABLE gone (x); DROP TABLE gone')
  return { database, copy: join(await folderOf(), 'copy.db') }
}

describe.each([
  ['a small database byte for byte', undefined, 1],
  ['a larger one without its free pages', 0, 0],
])('copies %s:', (_, small, freePages) => {
  test('the copy has its records, and changes alone', async () => {
    const { database, copy } = await prepare()
    copyDatabase(database, copy, small)
    const own = opened(copy)
    expect(columnOf(own, TITLES)).toEqual(['First', 'Second'])
    expect(own.pragma('freelist_count', { simple: true })).toBe(freePages)
    own.exec("UPDATE issues SET title = 'x'")
    expect(columnOf(database, TITLES)).toEqual(['First', 'Second'])
  })

  test('nothing of what another connection has not committed', THOROUGH, async () => {
    const { database, copy } = await prepare()
    database.pragma('journal_mode = WAL')
    const other = opened(database.name)
    other.exec("BEGIN; UPDATE issues SET title = 'x'")
    copyDatabase(database, copy, small)
    expect(columnOf(opened(copy), TITLES)).toEqual(['First', 'Second'])
  })

  test('a file that is there stays', THOROUGH, async () => {
    const { database, copy } = await prepare()
    writeFileSync(copy, 'mine')
    expect(() => copyDatabase(database, copy, small)).toThrow()
    expect(readFileSync(copy, 'utf8')).toBe('mine')
  })
})
