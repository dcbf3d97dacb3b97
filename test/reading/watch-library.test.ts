import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepIndex } from '../../src/reading/index/keep-index.ts'
import { type WatchOptions, watchLibrary } from '../../src/reading/watch-library.ts'
import { folderOf } from '../support/folder.ts'
import { opened } from '../support/load.ts'
import { KETTLE, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'

const databases = shareDatabases({ repositories: [repository(KETTLE, { description: 'Old' })] })

async function watched(options: WatchOptions) {
  const [original = ''] = databases.paths
  const path = join(await folderOf(), 'it.db')
  copyFileSync(original, path)
  const library = watchLibrary([path], { lookEvery: 5, ...options })
  onTestFinished(() => library.close())
  const describe = () =>
    library.library.stores[0]?.get<{ description: string }>('SELECT description FROM repositories')
      ?.description
  return { path, library, describe }
}

test('A database that changes is opened anew, and the former connection is closed', async () => {
  const { path, library, describe } = await watched({})
  const [former] = library.library.stores
  expect(describe()).toBe('Old')
  // What was read keeps others from writing until this turn ends.
  await null
  opened(path).exec("UPDATE repositories SET description = 'New'")
  await expect.poll(() => former?.database.open, { interval: 5 }).toBe(false)
  expect(describe()).toBe('New')
})

test('While the index is made anew, the databases answer', async () => {
  const index = keepIndex({})
  // Making it lasts until the test is done.
  const { path, library, describe } = await watched({
    index: { ...index, make: () => new Promise((resolve) => onTestFinished(() => resolve())) },
  })
  await library.makeIndex()
  expect([library.status, library.library.index !== undefined]).toEqual(['ready', true])
  opened(path).exec("UPDATE repositories SET description = 'New'")
  await expect.poll(() => library.status, { interval: 5 }).toBe('busy')
  await expect.poll(describe, { interval: 5 }).toBe('New')
  expect([library.status, library.library.index]).toEqual(['busy', undefined])
})

test('A database that was locked and did not change stays open', async () => {
  const { path, library } = await watched({})
  const before = library.library
  const other = opened(path)
  other.exec('BEGIN EXCLUSIVE')
  await expect.poll(() => library.status, { interval: 5 }).toBe('busy')
  expect(() => before.stores[0]?.count('SELECT count(*) FROM issues')).toThrow(
    expect.objectContaining({ code: 'database-busy' }),
  )
  other.exec('ROLLBACK')
  await expect.poll(() => library.status, { interval: 5 }).toBe('ready')
  expect(library.library).toBe(before)
})
