import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LoadOptions, loadArchive } from '../../src/load/load-archive.ts'
import { issue, smallArchive, user } from '../support/archives.ts'
import { examineAt } from '../support/by-path.ts'
import { folderOf } from '../support/folder.ts'
import { opened, rowsOf } from '../support/load.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const pad = 'x'.repeat(200_000)
const first = smallArchive()
const second = smallArchive({ 'issues_000001.json': [issue(1, 'Changed'), issue(9, 'Ninth')] })
/** It has records of the others, and ends in the middle of a file. */
const cut = smallArchive({
  'issues_000001.json': [issue(1, 'Lost'), issue(8, 'Lost')],
  'users_000001.json': [user('lost')],
  'attachments/a.txt': Array.from(pad, (_, i) => (i * 7919) % 10).join(''),
}).subarray(0, -5_000)

const FILES = {
  'first.tar.gz': first,
  'second.tar.gz': second,
  'cut.tar.gz': cut,
  'no.tar.gz': 'x',
}

async function loadedFrom(names: readonly string[], options: LoadOptions = { keepGoing: true }) {
  const folder = await folderOf()
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(folder, name), bytes)
  const path = join(folder, 'all.db')
  const load = (names: readonly string[]) =>
    loadArchive(
      names.map((name) => join(folder, name)),
      path,
      options,
    )
  const summary = await load(names)
  return { path, summary, load }
}

const contents = (path: string) => {
  const database = opened(path)
  return [
    rowsOf(database, 'SELECT url, title, _archive FROM issues ORDER BY url'),
    rowsOf(database, 'SELECT url FROM users ORDER BY url'),
    rowsOf(database, 'SELECT id, name FROM archives ORDER BY id'),
    rowsOf(database, 'SELECT path, archive FROM entries ORDER BY id'),
    rowsOf(database, 'SELECT path, size FROM files ORDER BY path'),
  ]
}

everyDay(1)([
  [['cut.tar.gz', 'first.tar.gz', 'no.tar.gz', 'second.tar.gz']],
  [['first.tar.gz', 'cut.tar.gz', 'second.tar.gz', 'no.tar.gz']],
  [['first.tar.gz', 'missing.tar.gz', 'second.tar.gz', 'cut.tar.gz']],
])('with keepGoing, %j makes the database of the archives that are whole', async (names) => {
  const { path, summary } = await loadedFrom(names)
  const whole = await loadedFrom(['first.tar.gz', 'second.tar.gz'], {})
  expect(contents(path)).toEqual(contents(whole.path))
  expect(summary.archives.map(({ name }) => name)).toEqual(['first.tar.gz', 'second.tar.gz'])
  const failed = names.filter((name) => !/^(?:first|second)/.test(name))
  expect(summary.failed?.map(({ name }) => name)).toEqual(failed)
  expect((await examineAt(path)).edits).toEqual([])
})

test('a second load with keepGoing loads only what is new', THOROUGH, async () => {
  const { path, load } = await loadedFrom(['first.tar.gz', 'cut.tar.gz'])
  const { archives } = await load(['first.tar.gz', 'cut.tar.gz', 'second.tar.gz'])
  expect(archives.map(({ alreadyLoaded }) => alreadyLoaded)).toEqual([true, false])
  const whole = await loadedFrom(['first.tar.gz', 'second.tar.gz'], {})
  expect(contents(path)).toEqual(contents(whole.path))
})

test('if all archives fail, the error of the first is thrown, and there is no database', async () => {
  const folder = await folderOf({ 'cut.tar.gz': cut })
  const paths = ['missing.tar.gz', 'cut.tar.gz'].map((name) => join(folder, name))
  const path = join(folder, 'all.db')
  await expect(loadArchive(paths, path, { keepGoing: true })).rejects.toMatchObject({
    code: 'archive-not-found',
  })
  expect(existsSync(path)).toBe(false)
})
