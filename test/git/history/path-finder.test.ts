import { expect, test } from 'vitest'
import { createPathComparer, createPathFinder } from '../../../src/git/history/path-finder.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

const blob = (text: string) => oidOf('blob', Buffer.from(text))
const inner = (text: string) => treeOf(['100644', 'f', blob(text)])
const outer = (tree: Buffer, readme: string) =>
  treeOf(['100644', 'README', blob(readme)], ['40000', 'src', oidOf('tree', tree)])

test('A path is found in trees, and each tree is read once', async () => {
  const [one, other] = [outer(inner('1'), 'a'), outer(inner('1'), 'b')]
  const third = outer(inner('2'), 'b')
  const trees = [one, other, third, inner('1'), inner('2')]
  const { database } = await loaded(
    repositoryOf('ada/kettle', Object.assign({}, ...trees.map((tree) => looseOf('tree', tree)))),
  )
  const { objects } = openRepository(database, 'ada/kettle')
  const read: string[] = []
  const counted = {
    ...objects,
    read(oid: string) {
      read.push(oid)
      return objects.read(oid)
    },
  }
  const [a, b, c] = [one, other, third].map((tree) => oidOf('tree', tree)) as [
    string,
    string,
    string,
  ]
  const finder = createPathFinder(counted, ['src', 'f'])
  expect(finder.isSame(a, b)).toBe(true)
  expect(finder.isSame(b, c)).toBe(false)
  expect(finder.find(c)).toEqual({ mode: '100644', oid: blob('2') })
  expect(finder.find(undefined)).toBeUndefined()
  expect(read.length).toBe(5)
  expect(createPathFinder(objects, ['README', 'f']).find(a)).toBeUndefined()
  expect(createPathFinder(objects, []).find(a)).toEqual({ mode: '040000', oid: a })
  const isSame = createPathComparer(objects, [['src'], ['README']])
  expect([isSame(a, a), isSame(a, b), isSame(a, undefined)]).toEqual([true, false, false])
})
