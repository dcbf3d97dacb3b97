import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCommitLookup } from '../../../src/conformance/checks/known-commits.ts'
import { readFile as readStored } from '../../../src/database/contents/read-file.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded, opened, rowsOf } from '../../support/load.ts'
import { inPiecesOf } from '../../support/pieces.ts'
import { ROOT } from '../../support/run-command.ts'
import { everyDay } from '../../support/thorough.ts'

const repository = 'harbour-lights/tidewatch'
const url = `https://github.com/${repository}`

async function organization(files: boolean) {
  const path = join(await folderOf(), 'it.db')
  const archive = await readFile(join(ROOT, 'samples/organization.tar.gz'))
  await loadArchive({ name: 'it', bytes: inPiecesOf(archive) }, path, { files })
  return opened(path)
}

test('Every object of a pack is known, and no other', async () => {
  const database = await organization(true)
  const [[file] = []] = rowsOf(
    database,
    "SELECT id FROM files WHERE repository = ? AND path GLOB '*.idx'",
    repository,
  )
  const bytes = Buffer.concat([...readStored(database, file as number)])
  const names = Array.from({ length: bytes.readUInt32BE(8 + 255 * 4) }, (_, i) =>
    bytes.toString('hex', 1032 + 20 * i, 1052 + 20 * i),
  )
  const has = createCommitLookup(database)
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => has(url, name) !== true)).toEqual([])
  const others = names.map((name) => `${name.slice(0, -1)}${name.endsWith('0') ? '1' : '0'}`)
  expect(others.filter((name) => !names.includes(name) && has(url, name))).toEqual([])
  for (const odd of ['0'.repeat(40), 'f'.repeat(40)]) expect(has(url, odd)).toBe(false)
})

test('A loose object is known as well', async () => {
  const { database } = await loaded(withGit({ [`objects/aa/${'b'.repeat(38)}`]: 'x' }))
  const has = createCommitLookup(database)
  expect(has('https://h/a/b', `aa${'b'.repeat(38)}`)).toBe(true)
  expect(has('https://h/a/b', `aa${'c'.repeat(38)}`)).toBe(false)
})

everyDay(1)([
  ['indexes were not stored', () => organization(false), url],
  ['an index is none', () => spoiled({ 'objects/pack/pack-1.idx': 'no index' }), 'https://h/a/b'],
  ['an index is missing', () => spoiled({}), 'https://h/a/b'],
  [
    'there are no objects',
    async () => (await loaded(withGit({ HEAD: 'x' }))).database,
    'https://h/a/b',
  ],
  ['there is no such repository', () => organization(true), 'https://h/a/b'],
])('Nothing is known where %s', async (_, make, of) => {
  expect(createCommitLookup(await make())(of, 'a'.repeat(40))).toBeUndefined()
})

const spoiled = async (files: Record<string, string>) =>
  (await loaded(withGit({ 'objects/pack/pack-1.pack': 'PACK', ...files }))).database

/** An archive of one repository with these files. */
const withGit = (files: Record<string, string>) => ({
  'repositories_000001.json': [
    { type: 'repository', url: 'https://h/a/b', git_url: 'tarball://root/repositories/a/b.git' },
  ],
  ...Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`repositories/a/b.git/${path}`, text]),
  ),
})
