import { closeSync, readFileSync, statSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  hasInnerFolder,
  isPlainFile,
  makeInnerFolder,
  openToAppend,
  readPlainFile,
} from '../../src/files/inner-folder.ts'
import { folderOf } from '../support/folder.ts'

test('Folders are made within each other, and the folder of output with them', async () => {
  const root = join(await folderOf(), 'out')
  expect(hasInnerFolder(root, ['a', 'b'])).toBe(false)
  expect(makeInnerFolder(root, ['a', 'b'])).toBe(join(root, 'a/b'))
  expect(statSync(join(root, 'a/b')).isDirectory()).toBe(true)
  expect(hasInnerFolder(root, ['a', 'b'])).toBe(true)
})

test('The folder of output may be a link, but nothing in it', async () => {
  const folder = await folderOf({ 'disk/': '', 'elsewhere/': '' })
  const root = join(folder, 'out')
  symlinkSync('disk', root)
  makeInnerFolder(root, ['a'])
  symlinkSync('../../elsewhere', join(folder, 'disk/a/b'))
  const refusal = {
    code: 'output-refused',
    message: 'this is a link; links are not followed',
    place: { archive: join(root, 'a/b') },
  }
  for (const ask of [makeInnerFolder, hasInnerFolder]) {
    expect(() => ask(root, ['a', 'b', 'c'])).toThrow(expect.objectContaining(refusal))
  }
  expect(hasInnerFolder(folder, ['elsewhere', 'c'])).toBe(false)
})

test('A file in place of a folder is refused', async () => {
  const root = await folderOf({ a: '' })
  expect(() => makeInnerFolder(root, ['a'])).toThrow(
    expect.objectContaining({ code: 'output-refused', place: { archive: join(root, 'a') } }),
  )
})

test('A file is read and added to, but not through a link', async () => {
  const root = await folderOf({ kept: 'kept' })
  const [file, link] = [join(root, 'file'), join(root, 'link')]
  writeFileSync(file, 'one')
  symlinkSync('kept', link)
  const log = openToAppend(file)
  writeSync(log, ' two')
  closeSync(log)
  expect(readPlainFile(file)).toBe('one two')
  expect(isPlainFile(file)).toBe(true)
  expect(isPlainFile(link)).toBe(false)
  expect(() => readPlainFile(link)).toThrow()
  expect(() => openToAppend(link)).toThrow()
  expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('kept')
})
