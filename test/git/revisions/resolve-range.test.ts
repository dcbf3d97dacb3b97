import { expect, test } from 'vitest'
import { openRepository } from '../../../src/git/open-repository.ts'
import { resolveRange } from '../../../src/git/revisions/resolve-range.ts'
import { commitOf, looseOf, oidOf, repositoryOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

const EMPTY = oidOf('tree', '')
const commit = (message: string, ...parents: string[]) => {
  const content = commitOf(EMPTY, message, ...parents)
  return { oid: oidOf('commit', content), files: looseOf('commit', content) }
}
const root = commit('root\n')
const base = commit('base\n', root.oid)
const head = commit('head\n', root.oid)
const other = commit('other\n')

async function world() {
  const objects = { ...root.files, ...base.files, ...head.files, ...other.files }
  const refs = { 'refs/heads/main': `${base.oid}\n`, 'refs/heads/other': `${other.oid}\n` }
  return loaded(repositoryOf('ada/kettle', { ...objects, ...refs }))
}

test('Two dots name both sides, three dots the merge base; an omitted side is HEAD', async () => {
  const { database } = await world()
  const repository = openRepository(database, 'ada/kettle')
  for (const range of ['main..other', `main...${head.oid}`, '..', '...main']) {
    expect(resolveRange(repository, range)).toEqual({ from: EMPTY, to: EMPTY })
  }
  expect(() => resolveRange(repository, 'main...other')).toThrow('nothing in common')
})
