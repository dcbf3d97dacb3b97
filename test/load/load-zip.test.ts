import { join } from 'node:path'
import { expect, test } from 'vitest'
import { zipOf } from '../../samples/make/bitbucket-issues.ts'
import { openReading } from '../../src/archive-worker/open-reading.ts'
import { collect } from '../../src/base/streams.ts'
import { inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { SMALL } from '../support/archives.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { inFolder, run } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

const FILES = Object.fromEntries(
  Object.entries(SMALL).map(([path, content]) => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]),
)

const LARGE = Buffer.alloc(9 * 2 ** 20, 'large')

const within = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))

test.each([
  ['its files at the top', (files: Record<string, string>) => files],
  ['a folder around them', (files: Record<string, string>) => within('export', files)],
])('A zip of an unpacked archive, with %s, is that archive', async (_, arranged) => {
  inFolder({ 'it.tar.gz': tarGzOf(FILES), 'it.zip': await zipOf(arranged(FILES)) })
  expect((await run(['load', 'it.zip', '-o', 'it.db'])).code).toBe(0)
  expect((await run(['build', 'it.db', '-o', 'again.tar.gz'])).code).toBe(0)
  expect(await run(['diff', 'again.tar.gz', 'it.tar.gz'])).toMatchObject({ code: 0 })
  const { form } = await inspectArchive('it.zip')
  expect(form).toMatchObject({ container: 'zip' })
})

test('Checks say that a zip must be built before it is sent', async () => {
  inFolder({ 'it.zip': await zipOf(FILES) })
  const { stdout } = await run(['check', 'it.zip', '--only', 'container-folder'])
  expect(stdout).toContain('it.zip is a zip')
})

test(
  'A large one is read by another thread, and a change of its contents is another archive',
  THOROUGH,
  async () => {
    const read = async (files: Record<string, string | Buffer>) => {
      const zip = await zipOf({ ...FILES, ...files })
      const path = join(await folderOf({ 'it.zip': zip }), 'it.zip')
      const { entries, sha256, size } = await openReading(path, { hash: true })
      const sizes: Record<string, number> = {}
      for await (const { path, content } of entries) sizes[path] = (await collect(content)).length
      return { sizes, size, sha256: sha256() }
    }
    const first = await read({ 'attachments/1/large.bin': LARGE })
    expect(first.sizes).toMatchObject({ 'attachments/1/large.bin': LARGE.length })
    expect(first.size).toBeUndefined()
    const changed = Buffer.from(LARGE)
    changed[0] = 0
    expect(await read({ 'attachments/1/large.bin': changed })).not.toEqual(first)
  },
)

test('archive-unrecognized: another zip is refused with its first files', async () => {
  inFolder({ 'it.zip': await zipOf({ 'a.txt': 'tea' }) })
  const { code, stderr } = await run(['load', 'it.zip', '-o', 'it.db'])
  expect(code).toBe(3)
  expect(stderr).toContain('found "a.txt"')
})
