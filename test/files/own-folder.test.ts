import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  checkOwnContents,
  checkOwnFolder,
  checkPlace,
  isOwnFolder,
  makeOwnFolder,
} from '../../src/files/own-folder.ts'
import { folderOf } from '../support/folder.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const refused = (path: string, message: string, code = 'folder-foreign') =>
  expect.objectContaining({ code, place: { archive: path }, message })

test('A folder that is made is for its user alone; one that others may write to is refused', async () => {
  const folder = join(await folderOf(), 'own')
  makeOwnFolder(folder)
  expect(isOwnFolder(folder)).toBe(true)
  chmodSync(folder, 0o720)
  expect(() => makeOwnFolder(folder)).toThrow(
    refused(folder, 'other users may write to the folder'),
  )
  expect(isOwnFolder(folder)).toBe(false)
})

test('A link of the user may lead to a folder, but not inside one', async () => {
  const folder = await folderOf({ 'disk/': '' })
  const link = join(folder, 'link')
  symlinkSync('disk', link)
  checkOwnFolder(link)
  const message = 'this is a link; links are not followed here'
  expect(() => checkOwnFolder(link, { isInner: true })).toThrow(
    refused(link, message, 'folder-linked'),
  )
})

test.runIf(isRoot)(
  'A folder of another user is refused, and so is a link of another user',
  async () => {
    const folder = await folderOf({ 'theirs/': '', 'ours/': '' })
    const [theirs, link] = [join(folder, 'theirs'), join(folder, 'link')]
    chownSync(theirs, NOBODY, NOBODY)
    expect(() => checkOwnFolder(theirs)).toThrow(
      refused(theirs, 'the folder belongs to another user'),
    )
    symlinkSync('ours', link)
    lchownSync(link, NOBODY, NOBODY)
    expect(() => checkOwnFolder(link)).toThrow(
      refused(link, 'the link to the folder belongs to another user'),
    )
  },
)

test('What lies in a folder is refused if it is a link, or others may write to it', async () => {
  const folder = await folderOf({ 'own/kept.db': '', 'own/inner/': '', 'secret.db': '' })
  const own = join(folder, 'own')
  checkOwnContents(own)
  const link = join(own, 'state.db')
  symlinkSync('../secret.db', link)
  const message = 'this is a link; links are not followed here'
  expect(() => checkOwnContents(own)).toThrow(refused(link, message, 'folder-linked'))
  const open = await folderOf({ 'state.db': '' })
  chmodSync(join(open, 'state.db'), 0o666)
  expect(() => checkOwnContents(open)).toThrow(
    refused(join(open, 'state.db'), 'this is not a file of this user alone'),
  )
  mkdirSync(join(folder, 'third/inner'), { recursive: true })
  chmodSync(join(folder, 'third/inner'), 0o777)
  expect(() => checkOwnContents(join(folder, 'third'))).toThrow(
    refused(join(folder, 'third/inner'), 'other users may write to the folder'),
  )
})

test.runIf(isRoot)(
  'A folder whose group may write is a place for a folder if it is the group of this user',
  async () => {
    const folder = await folderOf({ 'shared/': '' })
    const shared = join(folder, 'shared')
    chmodSync(shared, 0o775)
    checkPlace(join(shared, 'new'))
    chownSync(shared, 0, NOBODY)
    const message = 'other users may rename what is in this folder'
    expect(() => checkPlace(join(shared, 'new'))).toThrow(refused(shared, message))
  },
)

test('A file, and a link to nowhere, are no folders', async () => {
  const folder = await folderOf()
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('nowhere', join(folder, 'broken'))
  for (const name of ['file', 'broken', 'missing'])
    expect(isOwnFolder(join(folder, name))).toBe(false)
})
