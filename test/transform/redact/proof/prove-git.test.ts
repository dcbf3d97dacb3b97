/** A value gets back into Git data: the proof has to see it, wherever no index, ref or other object leads. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRemovedSearch } from '../../../../src/transform/redact/proof/find-removed.ts'
import { proveGit } from '../../../../src/transform/redact/proof/prove-git.ts'
import { createRemovedValues } from '../../../../src/transform/redact/removed-values.ts'
import {
  commitOf,
  looseOf,
  type PackedObject,
  packOf,
  repositoryOf,
  treeOf,
} from '../../../support/build-pack.ts'
import { type Files, tarOf } from '../../../support/build-tar.ts'
import { folderOf } from '../../../support/folder.ts'
import { THOROUGH } from '../../../support/thorough.ts'

const ADDRESS = 'grace.h@navy.example'
const removed = createRemovedValues()
removed.addWhole('email', ADDRESS)

const TREE: PackedObject = { type: 'tree', content: '' }
const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const commit = (message: string): PackedObject => ({
  type: 'commit',
  content: commitOf(EMPTY, message),
})
const blob = (content: string | Buffer): PackedObject => ({ type: 'blob', content })

/** What the proof of a repository with these files says. */
async function proofOf(files: Files, people: readonly string[] = []): Promise<string | undefined> {
  const folder = await folderOf({ 'it.tar': tarOf(repositoryOf('ada/kettle', files)) })
  const archive = join(folder, 'it.tar')
  return proveGit(archive, new Set(people), {
    search: createRemovedSearch(removed),
    files: 'all',
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

const INDEX = 'objects/pack/pack-it.idx'
const PACK = 'objects/pack/pack-it.pack'
const IN_OBJECT = /^an email value that was removed is still in the object [0-9a-f]{40}$/

test('It finds nothing where nothing is', async () => {
  expect(await proofOf(packOf([TREE, commit('x'), blob('x')]))).toBeUndefined()
})

test('A person is not named by an address that stays', async () => {
  const credit = (by: string) => packOf([TREE, commit(`x\n\nSigned-off-by: ${by}`)])
  const stays = 'x <grace.hopper@other.example>'
  expect(await proofOf(credit(stays), ['Grace Hopper'])).toBeUndefined()
  for (const by of ['Grace Hopper <x@other.example>', stays]) {
    const people = by === stays ? ['Grace Hopper', 'grace.hopper@other.example'] : ['Grace Hopper']
    expect(await proofOf(credit(by), people)).toMatch(/^an author is still named/)
  }
})

test('It reads an object that the index of its pack does not list', async () => {
  const pack = packOf([TREE, commit('x'), commit(ADDRESS)])
  const index = packOf([TREE, commit('x')])[INDEX] as Buffer
  expect(await proofOf({ ...pack, [INDEX]: index })).toMatch(IN_OBJECT)
})

test('It refuses a pack with bytes behind the number of objects that it has', async () => {
  const pack = packOf([TREE, commit('x'), commit(ADDRESS)])
  const bytes = pack[PACK] as Buffer
  bytes.writeUInt32BE(2, 8)
  expect(await proofOf(pack)).toMatch(/^a pack could not be searched: it has other bytes at \d+$/)
})

test('It refuses a pack without an index', async () => {
  const { [PACK]: pack } = packOf([TREE, commit('x')])
  expect(await proofOf({ [PACK]: pack as Buffer })).toBe(
    'a pack could not be searched: it has no index',
  )
})

test('It reads loose objects, whatever their type', THOROUGH, async () => {
  const tag = `object ${EMPTY}\ntype tree\ntag t\ntagger Bo <bo@forge.example> 0 +0000\n\n${ADDRESS}\n`
  expect(await proofOf(looseOf('tag', tag))).toMatch(IN_OBJECT)
  expect(await proofOf(looseOf('tree', treeOf(['100644', ADDRESS, EMPTY])))).toMatch(IN_OBJECT)
  expect(await proofOf(looseOf('blob', `for ${ADDRESS}`))).toMatch(IN_OBJECT)
})

test('It reads a value that a delta puts together', async () => {
  const base = blob('grace.h@navy.')
  // Copies 13 bytes from the base, and adds seven.
  const delta = Buffer.concat([Buffer.from([13, 20, 0x90, 13, 7]), Buffer.from('example')])
  const start = (packOf([base])[PACK] as Buffer).length
  const made: PackedObject = { type: 'offset-delta', content: delta, base: start - 20 - 12 }
  expect(await proofOf(packOf([base, { ...made, oid: '1'.repeat(40) }]))).toMatch(IN_OBJECT)
})

test('It reads what is behind a large file, and that file in pieces', THOROUGH, async () => {
  const large = Buffer.alloc(9 * 2 ** 20, 'boils over\n')
  expect(await proofOf(packOf([blob(large), blob('x')]))).toBeUndefined()
  expect(await proofOf(packOf([blob(large), blob(ADDRESS)]))).toMatch(IN_OBJECT)
  large.write(ADDRESS, large.length - 100)
  expect(await proofOf(packOf([blob('x'), blob(large)]))).toMatch(IN_OBJECT)
})
