import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { readPackEntry } from '../../../src/git/objects/pack-entry.ts'
import { formatDistance } from '../../../src/git/rewrite/pack-writer.ts'
import { type RewrittenHistory, rewriteHistory } from '../../../src/git/rewrite/rewrite-history.ts'
import type { GitPerson } from '../../../src/git/rewrite/rewrite-text.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { type GitWorld, gitWorld } from '../../support/git-world.ts'

let world: GitWorld
let database: Database
let runs = 0

beforeAll(async () => {
  world = gitWorld()
  const path = join(world.root, 'git.db')
  await loadArchive(world.folder, path)
  database = openDatabase(path)
})
afterAll(() => {
  database.close()
  world.close()
})

type Summary = Pick<RewrittenHistory, 'changed'> & { objects: number; pack: string; loose: number }

async function rewrite(
  repository: string,
  personOf: (person: GitPerson) => GitPerson,
): Promise<Summary | undefined> {
  let summary: Summary | undefined
  const path = join(world.root, `${++runs}.pack`)
  await rewriteHistory(database, repository, { path, personOf }, ({ changed, written, loose }) => {
    const pack = Buffer.concat([...written.pack()])
    expect(pack.readUInt32BE(8)).toBe(written.objects)
    expect(pack.toString('hex', pack.length - 20)).toBe(written.name)
    const { objects, name } = written
    summary = { changed, objects, pack: name, loose: loose.length }
  })
  return summary
}

const hide = () => ({ name: 'X', email: 'x@y.invalid' })

test('A history that names nobody new is not written', async () => {
  expect(await rewrite('ada/kettle', (person) => person)).toBeUndefined()
  expect(await rewrite('ada/pot', hide)).toBeUndefined()
})

test('One change changes what follows it, and the same people give the same pack', async () => {
  const all = await rewrite('ada/kettle', hide)
  expect(all).toMatchObject({ changed: 8, loose: 2 })
  expect(await rewrite('ada/kettle', hide)).toEqual(all)
  const renamed = database.prepare('SELECT count(*) FROM temp.renamed_objects').pluck().get()
  expect(renamed).toBe(8)
})

test('A distance is written as packs have it', () => {
  for (const distance of [1, 127, 128, 129, 16_511, 16_512, 2_113_663, 2_113_664, 2 ** 33]) {
    const bytes = Buffer.concat([Buffer.from([0x60]), formatDistance(distance), Buffer.alloc(30)])
    const start = 2 ** 40
    const file = { path: 'x.pack', size: 2 ** 41, read: () => bytes }
    expect(readPackEntry(file, start).base).toBe(start - distance)
  }
})
