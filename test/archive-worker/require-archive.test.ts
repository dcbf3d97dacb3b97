import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { smallArchive } from '../support/archives.ts'
import { END, type Files, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { sourceOf } from '../support/load.ts'
import { inFolder, run } from '../support/run-command.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const database = async () => join(await folderOf(), 'it.db')
const READERS = [
  ['inspectArchive', inspectArchive],
  [
    'loadArchive',
    async (source: string | ReturnType<typeof sourceOf>) => loadArchive(source, await database()),
  ],
] as const

describe.each(READERS)(
  '%s refuses what holds no archive and says what it found:',
  (_name, read) => {
    const refusal = (message: string) =>
      expect.objectContaining({
        code: 'archive-unrecognized',
        message: `expected records, Git data, uploads or schema.json, found ${message}`,
      })

    everyDay(7)<[string, Files | Buffer, string]>([
      ['T13 a tar without entries', END, 'no files'],
      ['T13 zeros', Buffer.alloc(10_240), 'no files'],
      ['directories alone', { './': '', 'repositories/': '' }, 'no files'],
      ['files of another program', { 'a.txt': 'x', 'b/c.js': 'x' }, '"a.txt", "b/c.js"'],
      ['more of them', { a: '', b: '', c: '', d: '', e: '' }, '"a", "b", "c" and 2 more'],
      ['a zip in a tar', { 'a.zip': 'x' }, '"a.zip"; "a.zip" may be the archive'],
      ['J7 what is only called like records', { 'report_2024.json': '{}' }, '"report_2024.json"'],
    ])('%s', async (_what, archive, message) => {
      await expect(read(sourceOf(archive))).rejects.toThrow(refusal(message))
    })

    test('T16 an empty folder', async () => {
      await expect(read(await folderOf())).rejects.toThrow(refusal('no files'))
    })

    test('T16 a folder with the archive in it, which it names', async () => {
      const folder = await folderOf({ 'notes.txt': '', 'export.tar.gz': smallArchive() })
      const message = '"export.tar.gz", "notes.txt"; "export.tar.gz" may be the archive'
      await expect(read(folder)).rejects.toThrow(refusal(message))
    })

    const options = read === inspectArchive ? {} : THOROUGH
    test('a large file, which a thread reads', options, async () => {
      const file = { 'large.bin': Buffer.alloc(8 * 2 ** 20) }
      const folder = await folderOf({ 'large.tar': tarOf(file) })
      await expect(read(join(folder, 'large.tar'))).rejects.toThrow(refusal('"large.bin"'))
    })
  },
)

describe.each(READERS)('%s takes the smallest archives:', (_name, read) => {
  // Both ask the same question; a load takes longer.
  everyDay(read === inspectArchive ? 7 : 2)<[string, Files]>([
    ['schema.json', { 'schema.json': '{"version":"1.0.1"}' }],
    ['a file of records', { 'issues_000001.json': '[]' }],
    ['a renamed file of records', { 'users_1.json': '[]' }],
    ['records of a kind that is not known', { 'gadgets_000001.json': '[]' }],
    ['Git data', { 'repositories/o/r.git/HEAD': 'ref: refs/heads/main\n' }],
    ['uploads', { 'attachments/1/x.png': 'PNG' }],
    ['records below a folder, among other files', { 'x/issues_000001.json': '[]', 'x/y': '' }],
  ])('%s alone', async (_what, files) => {
    await expect(read(sourceOf(files))).resolves.toBeDefined()
  })
})

describe.each(READERS)('%s refuses a second export, and names it:', (_name, read) => {
  const [first, second] = ['one/issues_000001.json', 'two/issues_000001.json']
  everyDay(2)<[string, Record<string, string>, string]>([
    ['in a folder beside it', { [first]: '[]', [second]: '[]' }, second],
    ['in a folder of it', { 'issues_000001.json': '[]', [second]: '[]' }, second],
    [
      'in a folder that comes first',
      { [first]: '[]', 'users_000001.json': '[]' },
      'users_000001.json',
    ],
    [
      'deep in it, and first',
      { 'x/y/users_000001.json': '[]', [first]: '[]' },
      'x/y/users_000001.json',
    ],
  ])('%s', async (_what, files, entry) => {
    const place = expect.objectContaining({ entry })
    const refusal = expect.objectContaining({ code: 'archive-several', place })
    await expect(read(sourceOf(files))).rejects.toEqual(refusal)
    await expect(read(await folderOf(files))).rejects.toEqual(refusal)
  })

  const options = read === inspectArchive ? {} : THOROUGH
  test('in a large file, which a thread reads', options, async () => {
    const large = { [first]: '[]', 'one/large.bin': Buffer.alloc(8 * 2 ** 20), [second]: '[]' }
    const folder = await folderOf({ 'large.tar': tarOf(large) })
    const refusal = expect.objectContaining({ code: 'archive-several' })
    await expect(read(join(folder, 'large.tar'))).rejects.toEqual(refusal)
  })

  test('but not files of one export that are named like records', async () => {
    const upload = 'one/attachments/1/issues_000001.json'
    const git = 'one/repositories/o/r.git/issues_000001.json'
    const files = { [first]: '[]', [upload]: '[]', [git]: '[]', 'one/logs/may_202405.json': '{}' }
    await expect(read(sourceOf(files))).resolves.toBeDefined()
  })
})

test('The rest of a truncated archive is salvaged, even if it is only an unknown file', async () => {
  const cut = tarOf({ 'strange.bin': 'x', 'issues_000001.json': '[]' }).subarray(0, 1100)
  const { archives } = await loadArchive(sourceOf(cut), await database(), { salvage: true })
  expect(archives[0]).toMatchObject({ state: 'salvaged', files: { count: 1 } })
})

everyDay(2)([
  ['inspect', 'strange.tar'],
  ['load', 'strange.tar'],
  ['check', 'strange.tar'],
  ['query', 'strange.tar', 'SELECT 1'],
  ['show', 'strange.tar', 'o/r#1'],
])('marc %s refuses it with the remedy and leaves nothing behind', async (...argv) => {
  inFolder({ 'strange.tar': tarOf({ 'a.txt': 'x' }) })
  const { code, stdout, stderr } = await run(argv)
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(/^marc: strange\.tar: expected records.+ found "a\.txt"\nName the archive/)
  expect(readdirSync('.', { recursive: true }).filter((name) => /\.db/.test(`${name}`))).toEqual([])
})

test('marc ls lists the entries of any tar, but refuses a file without entries', async () => {
  inFolder({ 'strange.tar': tarOf({ 'a.txt': 'x' }), 'zeros.tar': END })
  expect(await run(['ls', 'strange.tar'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/a\.txt\n$/),
  })
  const { code, stderr } = await run(['ls', 'zeros.tar'])
  expect(code).toBe(3)
  expect(stderr).toContain('zeros.tar: expected entries, found none\n')
})
