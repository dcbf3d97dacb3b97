import { statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, missingFolders, PRIVATE } from '../../src/files/make-folder.ts'
import { folderOf } from '../support/folder.ts'

test.each([
  ['A folder', undefined, 0o777 & ~process.umask()],
  ['A private folder', PRIVATE, 0o700],
])('%s is made with those above it, and may be there already', async (_, asked, mode) => {
  const path = join(await folderOf(), 'a/b')
  makeFolder(path, asked)
  makeFolder(path, asked)
  for (const each of [path, dirname(path)]) expect(statSync(each).mode & 0o777).toBe(mode)
})

test('The folders that are missing are listed from the innermost', async () => {
  const folder = await folderOf({ 'there/': '' })
  const [outer, inner] = [join(folder, 'there/a'), join(folder, 'there/a/b')]
  expect(missingFolders(inner)).toEqual([inner, outer])
  expect(missingFolders(folder)).toEqual([])
})

test('A file in the place of a folder is an error', async () => {
  const path = join(await folderOf(), 'file')
  writeFileSync(path, '')
  expect(() => makeFolder(path)).toThrow('this is not a folder')
})

test('M2: Making a folder below /proc fails at once', () => {
  expect(() => makeFolder('/proc/none/a/b')).toThrow('no folder can be made here')
})
