import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ArchiveForm } from '../../src/archive/entry.ts'
import { readArchive } from '../../src/archive/read-archive.ts'
import { readFolder } from '../../src/archive/read-folder.ts'
import type { Problem } from '../../src/base/errors.ts'
import { tarOf } from '../support/build-tar.ts'
import { contentsOf, listOf, pathsOf, untilError } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { inPiecesOf } from '../support/pieces.ts'

const files = {
  'attachments/1/a.txt': 'a',
  'attachments/2/b.txt': 'b'.repeat(1000),
  'issues_000001.json': '[]',
  'repositories/o/r.git/HEAD': 'ref: refs/heads/main\n',
  'repositories_000001.json': '[]',
  'schema.json': '{}',
}

describe('readFolder', () => {
  test('gives the same entries as readArchive of the same files', async () => {
    const archive = inPiecesOf(tarOf(files, { directories: true }))
    const expected = await contentsOf(readArchive(archive))
    expect(await contentsOf(readFolder(await folderOf(files)))).toEqual(expected)
  })

  test('gives directories, the empty ones too', async () => {
    const folder = await folderOf({ 'a/b/': '', 'schema.json': '' })
    expect(await pathsOf(readFolder(folder))).toEqual(['a/', 'a/b/', 'schema.json'])
  })

  test('gives size, time and mode', async () => {
    const [entry] = await listOf(readFolder(await folderOf({ 'a.txt': 'abc' })))
    expect(entry).toMatchObject({ path: 'a.txt', size: 3, mode: 0o644 })
    expect(Date.now() - (entry?.modifiedAt.getTime() ?? 0)).toBeLessThan(60_000)
  })

  test('takes away one folder around everything', async () => {
    const form: ArchiveForm = {}
    const folder = await folderOf({ 'export/schema.json': '', 'export/urls.json': '' })
    expect(await pathsOf(readFolder(folder, { form }))).toEqual(['schema.json', 'urls.json'])
    expect(form).toEqual({ container: 'folder', prefix: '', topFolder: 'export/' })
  })

  test('T9: reports links and leaves them out', async () => {
    const folder = await folderOf({ 'schema.json': '{}' })
    await symlink('/etc', join(folder, 'evil'))
    const problems: Problem[] = []
    const report = (problem: Problem) => void problems.push(problem)
    expect(await pathsOf(readFolder(folder, { report }))).toEqual(['schema.json'])
    expect(problems).toMatchObject([{ code: 'entry-type', place: { entry: 'evil' } }])
  })

  test('keeps the limits', async () => {
    const folder = await folderOf({ 'a/b/c': '' })
    const { error } = await untilError(readFolder(folder, { limits: { parts: 2 } }))
    expect(error).toMatchObject({ code: 'limit-parts' })
  })

  test('stops when the signal fires', async () => {
    const controller = new AbortController()
    const entries = readFolder(await folderOf(files), { signal: controller.signal })
    await entries.next()
    controller.abort()
    await expect(listOf(entries)).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('says of a folder that is not there that it is not', async () => {
    const { error } = await untilError(readFolder(join(await folderOf(), 'nowhere')))
    expect(error).toMatchObject({ code: 'archive-not-found' })
  })
})
