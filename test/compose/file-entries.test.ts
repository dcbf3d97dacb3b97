import { appendFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import type { Problem } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { type ExportOptions, exportArchive } from '../../src/compose/export-archive.ts'
import type { FileToExport, Source } from '../../src/compose/export-source.ts'
import { untilError } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { ADA, account, repository } from '../support/small-world.ts'
import { THOROUGH } from '../support/thorough.ts'

const files = [1, 2, 3]
const pathOf = (n: number) => `repository_files/${n}/log.txt`

/** A world whose only files are three logs. */
const exportOf = (given: Source<FileToExport>, options: ExportOptions = {}) =>
  exportArchive(
    {
      records: {
        users: [account('ada')],
        repositories: [repository('kettle')],
        repository_files: files.map((n) => ({
          url: `${ADA}/kettle/files/${n}/log.txt`,
          repository: `${ADA}/kettle`,
          user: ADA,
          file_name: 'log.txt',
          file_content_type: 'text/plain',
          file_url: `tarball://root/${pathOf(n)}`,
          created_at: `2024-05-0${n}T00:00:00Z`,
        })),
      },
      files: given,
    },
    options,
  )

async function* bytes(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function* texts() {
  yield 'text'
}

async function* three(last: Partial<FileToExport> = {}): AsyncGenerator<FileToExport> {
  yield { path: pathOf(1), content: 'at hand', modifiedAt: new Date('2020-02-02T02:02:02Z') }
  yield { path: pathOf(2), size: 8, content: bytes('a ', 'stream') }
  yield { path: pathOf(3), content: 'last', ...last } as FileToExport
}

test('Files come from memory, from streams and from the disk', async () => {
  const folder = await folderOf({ 'log.txt': 'on disk' })
  const found: unknown[] = []
  const given = three({ file: join(folder, 'log.txt') } as Partial<FileToExport>)
  for await (const { path, size, modifiedAt, content } of readArchive(exportOf(given))) {
    if (!path.startsWith('repository_files/') || path.endsWith('/')) continue
    let text = ''
    for await (const chunk of content) text += chunk
    found.push([path, size, modifiedAt.toISOString().slice(0, 10), text])
  }
  expect(found).toEqual([
    [pathOf(1), 7, '2020-02-02', 'at hand'],
    [pathOf(2), 8, '2024-05-02', 'a stream'],
    [pathOf(3), 7, '2024-05-03', 'on disk'],
  ])
})

test.each([
  ['a stream that is too short', { size: 9, content: bytes('short') }, 'content-size'],
  ['a stream that is too long', { size: 2, content: bytes('long') }, 'content-size'],
  ['a stream of texts', { size: 4, content: texts() }, 'content-not-bytes'],
  ['a stream without a size', { content: bytes('a') }, 'content-size'],
  ['a negative size', { size: -1, content: bytes('a') }, 'content-size'],
  ['half a byte', { size: 0.5, content: bytes('a') }, 'content-size'],
  ['a text that is shorter than its size', { size: 9, content: 'short' }, 'content-size'],
  ['no content', { content: undefined }, 'content-not-bytes'],
  ['content that is a number', { content: 7 }, 'content-not-bytes'],
  ['a file that is not there', { file: '/no/such/file' }, 'file-unreadable'],
  ['a folder', { file: '/' }, 'file-unreadable'],
  ['a path that leads out', { path: '../../etc/passwd' }, 'path-hostile'],
  ['a path of records', { path: 'issues_000001.json' }, 'file-path'],
  ['a path of Git data', { path: 'repositories/a/b.git/config' }, 'file-path'],
  ['a file given twice', { path: pathOf(1) }, 'entry-repeated'],
])('%s is refused', async (_, last, code) => {
  const { error } = await untilError(exportOf(three(last as unknown as Partial<FileToExport>)))
  expect(error).toMatchObject({ code })
})

test('A file that no record names is written, and reported', async () => {
  const problems: unknown[] = []
  const path = 'attachments/1/x.png'
  const report = ({ code, place }: Problem) => void problems.push([code, place])
  const given = async function* () {
    yield* three()
    yield { path, content: 'x' }
  }
  await collect(exportOf(given(), { report }))
  expect(problems).toContainEqual(['file-orphan', { entry: path }])
})

test.each([
  [{ path: 7 }, 'files.path: expected a string, found 7'],
  [null, 'files: expected an object, found null'],
  [{ path: pathOf(1), file: undefined }, 'file: expected a path, found undefined'],
  [{ path: pathOf(1), file: 'a\0b' }, 'file: expected a path, found "a\\u0000b"'],
  [
    { path: pathOf(1), content: '', modifiedAt: new Date('?') },
    'files.modifiedAt: expected a valid Date, found an invalid Date',
  ],
])('%j is no file', async (given, message) => {
  const { error } = await untilError(exportOf([given as unknown as FileToExport]))
  expect(error).toMatchObject({ code: 'option-invalid', message })
})

test('Content that is to have more bytes than a tar can count is refused as it ends', async () => {
  const given = { path: pathOf(3), size: 1e15, content: bytes('log') }
  const { error } = await untilError(exportOf(three(given)))
  expect(error).toMatchObject({ code: 'content-size' })
})

test('A file that grows while it is read is refused', THOROUGH, async () => {
  // Larger than what is read ahead for the cores to compress, were it to be.
  const folder = await folderOf({ 'log.txt': Buffer.alloc((availableParallelism() + 8) * 2 ** 20) })
  const file = join(folder, 'log.txt')
  const given = three({ file } as Partial<FileToExport>)
  const entries = readArchive(exportOf(given, { level: 0 }))
  const { error } = await untilError(
    (async function* () {
      for await (const entry of entries) {
        if (entry.path === pathOf(3)) appendFileSync(file, 'more')
        yield entry
      }
    })(),
  )
  expect(error).toMatchObject({ code: 'content-size', place: { archive: file } })
})
