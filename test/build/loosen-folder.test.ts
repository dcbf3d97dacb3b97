import { expect, test } from 'vitest'
import { readFolder } from '../../src/archive/read-folder.ts'
import { loosenFolder } from '../../src/build/loosen-folder.ts'
import { pathsOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'

test.each([
  ['issues_000012.json', 'issues_000001.json'],
  ['issues.json', 'issues_000001.json'],
  ['issues-3.json', 'issues_000001.json'],
  ['issues/3.json', 'issues_000001.json'],
  ['issues/first.json', 'issues_000001.json'],
  ['data/pull_requests_2.json', 'pull_requests_000001.json'],
  ['gadgets_000007.json', 'gadgets_000007.json'],
  ['data/schema.json', 'schema.json'],
  ['git/repositories/a/b.git/HEAD', 'repositories/a/b.git/HEAD'],
  ['media/attachments/a1/issues.json', 'attachments/a1/issues.json'],
  ['notes/README.md', 'notes/README.md'],
  ['package.json', 'package.json'],
])('%s is taken for %s', async (path, expected) => {
  const folder = await folderOf({ 'attachments/x/y': '', [path]: '' })
  const paths = await pathsOf(loosenFolder(readFolder(folder)))
  expect(paths.filter((found) => found !== 'attachments/x/y')).toEqual([expected])
})

test('files of one kind are numbered in the order of their paths', async () => {
  const folder = await folderOf({
    'a/issues.json': '',
    'b/issues.json': '',
    'issues_000009.json': '',
  })
  expect(await pathsOf(loosenFolder(readFolder(folder)))).toEqual([
    'issues_000001.json',
    'issues_000002.json',
    'issues_000003.json',
  ])
})
