import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../src/files/make-folder.ts'
import { folderOf } from '../support/folder.ts'

test('A folder is made with those above it, for its user alone, and may be there already', async () => {
  const path = join(await folderOf(), 'a/b')
  makeFolder(path)
  makeFolder(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('A file in the place of a folder is an error', async () => {
  const path = join(await folderOf(), 'file')
  writeFileSync(path, '')
  expect(() => makeFolder(path)).toThrow('this is not a folder')
})

test('M2: Making a folder below /proc fails at once', () => {
  expect(() => makeFolder('/proc/none/a/b')).toThrow('ENOENT')
})
