import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ArchiveSource, hashFile, openArchive } from '../../src/archive/open-archive.ts'
import { tarGzOf, tarOf } from '../support/build-tar.ts'
import { contentsOf, pathsOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { inPiecesOf } from '../support/pieces.ts'

const files = { 'schema.json': '{}', 'attachments/1/a.txt': 'a'.repeat(2000) }
const gz = tarGzOf(files)
const hash = createHash('sha256').update(gz).digest('hex')

async function fileOf(bytes: Uint8Array): Promise<string> {
  return join(await folderOf({ 'export.tar.gz': bytes }), 'export.tar.gz')
}

/** The SHA-256 that openArchive tells after the last entry. */
async function hashOf(source: ArchiveSource): Promise<string> {
  const archive = await openArchive(source, { hash: true })
  await contentsOf(archive.entries)
  return archive.sha256()
}

describe('openArchive', () => {
  test('opens a file', async () => {
    const file = await fileOf(gz)
    const archive = await openArchive(file)
    expect(archive).toMatchObject({ name: 'export.tar.gz', size: gz.length })
    expect(await contentsOf(archive.entries)).toEqual(Object.entries(files))
    expect(archive.form).toMatchObject({ container: 'gzip', dialect: 'gnu' })
    expect(archive.bytesRead()).toBe(gz.length)
  })

  test('opens a folder', async () => {
    const folder = await folderOf(files)
    const archive = await openArchive(folder)
    expect(archive.name).toBe(basename(folder))
    expect(archive.size).toBeUndefined()
    expect(await pathsOf(archive.entries)).toContain('schema.json')
    expect(archive.form.container).toBe('folder')
  })

  test('opens bytes with a name', async () => {
    const archive = await openArchive({ name: 'stdin', bytes: inPiecesOf(gz, 100) })
    expect(archive.name).toBe('stdin')
    expect(await contentsOf(archive.entries)).toEqual(Object.entries(files))
    expect(archive.bytesRead()).toBe(gz.length)
  })

  test('says of what is not there that it is not', async () => {
    const nowhere = join(await folderOf(), 'nowhere.tar.gz')
    const place = { archive: nowhere }
    await expect(openArchive(nowhere)).rejects.toMatchObject({ code: 'archive-not-found', place })
    const inFile = openArchive(join(await fileOf(gz), 'x'))
    await expect(inFile).rejects.toMatchObject({ code: 'archive-not-found' })
  })

  test.runIf(existsSync('/proc/self/mem'))(
    'says of what cannot be read that it cannot',
    async () => {
      const archive = await openArchive('/proc/self/mem')
      const reading = pathsOf(archive.entries)
      await expect(reading).rejects.toMatchObject({ code: 'archive-unreadable' })
    },
  )

  test.runIf(existsSync('/proc/self/fd'))(
    'closes the file when the reader stops early',
    async () => {
      const file = await fileOf(tarOf({ large: Buffer.alloc(3 * 2 ** 20) }))
      const { entries } = await openArchive(file)
      await entries.next()
      expect(await openFiles()).toContain(file)
      await entries.return(undefined)
      // The stream closes asynchronously and does not report when it has.
      await expect.poll(openFiles, { timeout: 20_000 }).not.toContain(file)
    },
  )

  test.runIf(existsSync('/proc/self/fd'))('opens no file before the first entry', async () => {
    const file = await fileOf(gz)
    await openArchive(file)
    expect(await openFiles()).not.toContain(file)
  })
})

async function openFiles(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`))
  return (await Promise.allSettled(links)).map((link) =>
    link.status === 'fulfilled' ? link.value : '',
  )
}

describe('The SHA-256', () => {
  test('of a file is that of its bytes', async () => {
    expect(await hashOf(await fileOf(gz))).toBe(hash)
    expect(await hashOf({ name: 'stdin', bytes: inPiecesOf(gz, 100) })).toBe(hash)
  })

  test('of a file is that of hashFile', async () => {
    expect(await hashFile(await fileOf(gz))).toBe(hash)
  })

  test('of a plain tar is that of its bytes', async () => {
    const file = await fileOf(tarOf(files))
    expect(await hashOf(file)).toBe(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    )
  })

  test('of a file counts what follows the compressed data', async () => {
    const bytes = Buffer.concat([gz, Buffer.alloc(600 * 1024, 'x')])
    expect(await hashOf(await fileOf(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('of a folder is always the same, whatever its name and times', async () => {
    const folder = await folderOf(files)
    await utimes(join(folder, 'schema.json'), 1, 1)
    expect(await hashOf(folder)).toBe(await hashOf(await folderOf(files)))
  })

  test('of a folder changes with a path and with a content', async () => {
    const folder = await folderOf(files)
    const before = await hashOf(folder)
    await writeFile(join(folder, 'schema.json'), '[]')
    expect(await hashOf(folder)).not.toBe(before)
    const renamed = await folderOf({ 'schema.JSON': '{}', 'attachments/1/a.txt': 'a'.repeat(2000) })
    expect(await hashOf(renamed)).not.toBe(before)
  })
})
