import { expect, test } from 'vitest'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import { diffAsSql } from '../../../src/transform/diff/sql-patch.ts'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import type { Files } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { loaded } from '../../support/load.ts'

const tree = treeOf()
const commit = commitOf(oidOf('tree', tree), 'First')
const oid = oidOf('commit', commit)
const refs = { 'refs/heads/main': `${oid}\n` }
const whole = repositoryOf('acme/tools', {
  ...refs,
  ...looseOf('tree', tree),
  ...looseOf('commit', commit),
})
const empty = repositoryOf('acme/tools', refs)

const load = async (files: Files, options = {}) =>
  (await loaded({ 'schema.json': {}, ...files }, options)).database

test('A ref that is the same differs where only one side has its object', async () => {
  const [a, b] = [await load(whole), await load(empty)]
  const lost = { before: 'present', after: 'missing' }
  expect(await listOf(diffDatabases(a, b))).toEqual(
    ['HEAD', 'refs/heads/main'].map((name) => ({
      kind: 'refs',
      url: `acme/tools ${name}`,
      change: 'changed',
      members: { object: lost },
    })),
  )
  expect([...diffAsSql(b, a)].join('')).toContain('INSERT INTO files')
  expect(await listOf(diffDatabases(a, b, { refs: false }))).toEqual([])
  expect(await listOf(diffDatabases(b, await load(empty)))).toEqual([])
})

test('Objects that were not stored when they were loaded are not missed', async () => {
  const [a, b] = [await load(whole), await load(whole, { files: false })]
  expect(await listOf(diffDatabases(a, b))).toEqual([])
  expect(await listOf(diffDatabases(a, await load(empty)))).toHaveLength(2)
  expect(await listOf(diffDatabases(b, await load(empty)))).toHaveLength(2)
})
