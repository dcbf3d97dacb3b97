import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPackIndexes } from '../../src/check/pack-index.ts'
import { readFile as readStored } from '../../src/database/read-file.ts'
import { loadArchive } from '../../src/load-archive.ts'
import { folderOf } from '../support/folder.ts'
import { loaded, opened, rowsOf } from '../support/load.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { ROOT } from '../support/run-command.ts'

const repository = 'harbour-lights/tidewatch'

async function organization(files: boolean) {
  const path = join(await folderOf(), 'it.db')
  const archive = await readFile(join(ROOT, 'samples/organization.tar.gz'))
  await loadArchive({ name: 'it', bytes: inPiecesOf(archive) }, path, { files })
  return opened(path)
}

test('finds every object of a pack, and no other', async () => {
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
  const [index] = openPackIndexes(database, repository) ?? []
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !index?.has(name))).toEqual([])
  const others = names.map((name) => `${name.slice(0, -1)}${name.endsWith('0') ? '1' : '0'}`)
  expect(others.filter((name) => !names.includes(name) && index?.has(name))).toEqual([])
  for (const odd of ['', 'c0ffee', 'no name', '0'.repeat(40), 'f'.repeat(40)]) {
    expect(index?.has(odd)).toBe(false)
  }
})

test('knows nothing where indexes were not stored, or are none', async () => {
  expect(openPackIndexes(await organization(false), repository)).toBeUndefined()
  const { database } = await loaded({
    'repositories/a/b.git/objects/pack/pack-1.pack': 'PACK',
    'repositories/a/b.git/objects/pack/pack-1.idx': 'no index',
  })
  expect(openPackIndexes(database, 'a/b')).toBeUndefined()
  expect(openPackIndexes(database, 'a/c')).toEqual([])
})
