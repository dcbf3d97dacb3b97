import { afterAll, beforeAll, expect, test } from 'vitest'
import { followFile } from '../../../src/git/history/follow-file.ts'
import { createCommitReader } from '../../../src/git/history/walk-commits.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory } from '../../support/git-history.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

test('A file is followed across its renames, with the path that it had in each commit', () => {
  const { objects, resolve } = openRepository(history.database, 'ada/kettle')
  const found = [...followFile(objects, [resolve('main', 'commit')], 'x/cool.c')]
  expect(found.map(({ commit, path }) => `${commit.message.split('\n')[0]}: ${path}`)).toEqual([
    'no newline at the end: x/cool.c',
    'Commit 3: old/cool.c',
    'First: src/cool.c',
  ])
})

test('Commits that an index calls unchanged are left out unseen', () => {
  const { objects, resolve } = openRepository(history.database, 'ada/kettle')
  const { linksOf } = createCommitReader(objects)
  const asked: string[] = []
  const indexOf = (path: string) => {
    asked.push(path)
    return (oid: string) => ({ links: linksOf(oid), changed: false })
  }
  const found = followFile(objects, [resolve('main', 'commit')], 'x/cool.c', { indexOf })
  expect([...found]).toEqual([])
  expect(asked).toEqual(['x/cool.c'])
})
