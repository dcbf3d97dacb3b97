import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireFolder } from '../../src/archive-worker/require-folder.ts'
import { folderOf } from '../support/folder.ts'
import { THOROUGH } from '../support/thorough.ts'

const check = async (files: Record<string, string>) =>
  requireFolder(await folderOf(files), undefined)

test.each([
  ['archive-unrecognized', { 'a.txt': '' }],
  ['source-unsupported', { '_marc/schema.json': '' }],
])('A refusal %s names the folder', async (code, files) => {
  const folder = await folderOf(files)
  await expect(requireFolder(folder, undefined)).rejects.toMatchObject({
    code,
    place: { archive: folder },
  })
})

test.each([
  { 'schema.json': '' },
  { 'issues_000001.json': '' },
  { 'notes.txt': '', 'top/issues_000001.json': '' },
  { 'repositories/ada/kettle.git/HEAD': '' },
  { 'top/attachments/1/a.png': '' },
])('A folder with %o can be an archive', async (files) => {
  await expect(check(files)).resolves.toBeUndefined()
})

test('A folder without a part of an archive is refused with what it holds', async () => {
  await expect(check({ 'a.txt': '', 'b/c.txt': '' })).rejects.toMatchObject({
    code: 'archive-unrecognized',
    message: expect.stringMatching(/found "a\.txt", "b\/c\.txt"$/),
  })
  await expect(check({ 'b/': '' })).rejects.toMatchObject({
    message: expect.stringMatching(/found no files$/),
  })
})

test.each([
  ['db-1.0.json', {}],
  ['db-1.0.json', { 'attachments/1/lid.png': '' }],
  ['repositories', { 'notes.txt': '' }],
])('A link %s in a folder with %o is named, and what to do about it', async (name, files) => {
  const folder = await folderOf(files)
  symlinkSync('/elsewhere', join(folder, name))
  await expect(requireFolder(folder, undefined)).rejects.toMatchObject({
    code: 'archive-unrecognized',
    message: expect.stringContaining(
      `"${name}" is a symbolic link, which is not followed: replace it with what it names`,
    ),
  })
})

test(
  'A folder as large as a disk is refused after its first names, however deep they are',
  THOROUGH,
  async () => {
    const folder = await folderOf()
    for (let i = 0; i < 101; i++) {
      mkdirSync(join(folder, `${i}`))
      for (let j = 0; j < 100; j++) writeFileSync(join(folder, `${i}`, `${j}.txt`), '')
    }
    await expect(requireFolder(folder, undefined)).rejects.toMatchObject({
      code: 'archive-unrecognized',
      message: expect.stringMatching(/ and thousands more$/),
    })
  },
)

test('An interrupt ends the look at a folder', async () => {
  const folder = await folderOf({ 'a.txt': '' })
  await expect(requireFolder(folder, AbortSignal.abort())).rejects.toMatchObject({
    code: 'interrupted',
  })
})
