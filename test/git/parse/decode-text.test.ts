import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { git } from '../../support/bare-repository.ts'
import { folderOf } from '../../support/folder.ts'
import { makeBare } from '../../support/git-world.ts'

const bytes = (from: number, to: number) =>
  Buffer.from(Array.from({ length: to - from + 1 }, (_, i) => from + i))

const HIGH = bytes(0xa0, 0xff)
const ALL = bytes(0x80, 0xff)
const UTF8 = Buffer.from('Grüße, 水')

/** Encodings as commits name them, and the bytes of a message. */
const MESSAGES: [encoding: string, message: Buffer][] = [
  ...['ISO-8859-1', 'iso8859-1', 'latin1', 'LATIN-1', 'ISO_8859-1', 'l1'].map(
    (name): [string, Buffer] => [name, ALL],
  ),
  ['ISO-8859-9', ALL],
  ['ISO-8859-15', HIGH],
  ['ISO-8859-2', HIGH],
  ['KOI8-R', ALL],
  ['CP1251', HIGH],
  ['windows-1252', HIGH],
  ['cp1252', Buffer.from([0x80, 0x93, 0x94])],
  ['SHIFT_JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b])],
  ['cp932', Buffer.from([0x93, 0xfa, 0x96, 0x7b])],
  ['EUC-JP', Buffer.from([0xc6, 0xfc, 0xcb, 0xdc])],
  ['GBK', Buffer.from([0xc4, 0xe3])],
  ['EUC-KR', Buffer.from([0xc7, 0xd1])],
  ['Big5', Buffer.from([0xa4, 0xa4])],
  // Bytes that are not in the encoding named, or in one that nobody knows.
  ['SHIFT_JIS', UTF8],
  ['US-ASCII', UTF8],
  ['nonsense', UTF8],
  ['UTF8', UTF8],
  ['utf-8', UTF8],
]

test('Messages and names are decoded as git does, in any encoding', async () => {
  const folder = await folderOf()
  const directory = join(folder, 'repositories/a/b.git')
  makeBare(directory)
  const commits = MESSAGES.map(([encoding, message], i) =>
    Buffer.concat([
      Buffer.from(`commit refs/heads/main\nauthor `),
      message,
      Buffer.from(` <a@x> ${i} +0000\ncommitter Bo <b@x> ${i} +0000\nencoding ${encoding}\n`),
      Buffer.from(`data ${message.length}\n`),
      message,
      Buffer.from('\n'),
    ]),
  )
  git(directory, ['fast-import', '--quiet'], Buffer.concat(commits))
  await loadArchive(folder, join(folder, 'it.db'))
  const database = openDatabase(join(folder, 'it.db'))
  const lines: string[] = []
  for await (const { author, message } of openRepository(database, 'a/b').log()) {
    lines.push(`${author.name}|${message}\n`)
  }
  database.close()
  const format = ['log', '--encoding=UTF-8', '--format=tformat:%an|%B', 'main']
  expect(lines.join('')).toBe(git(directory, format))
})
