import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ArchiveForm } from '../../src/archive/entry.ts'
import { readArchive } from '../../src/archive/read-archive.ts'
import type { Limits } from '../../src/base/limits.ts'
import { collect } from '../../src/base/streams.ts'
import {
  END,
  type HeaderFields,
  header,
  longName,
  member,
  pax,
  type TarStyle,
  tarGzOf,
  tarOf,
} from '../support/build-tar.ts'
import { contentsOf, pathsOf, readAll, untilError } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { failingAfter, fedEveryWay, inPiecesOf, watched } from '../support/pieces.ts'
import { runs } from '../support/property-runs.ts'
import { outputOf } from '../support/run-program.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const packName = `repositories/some-owner/some-repository.git/objects/pack/pack-${'a'.repeat(40)}.pack`
const files = {
  'issues_000001.json': [{ type: 'issue' }],
  [packName]: Buffer.alloc(1500, 'PACK'),
  'attachments/1/empty.txt': '',
  'schema.json': '{"version":"1.0.1"}',
}
const contents = await contentsOf(readArchive(inPiecesOf(tarOf(files))))

/** An archive of one file with this header. */
const only = (fields: HeaderFields, content = '') => Buffer.concat([member(fields, content), END])

/** What GNU tar makes of a file of 10 MB with some bytes in these millions, and a small one. */
async function sparseTar(form: readonly string[], parts: readonly number[]): Promise<Buffer> {
  const cwd = await folderOf({ 'attachments/1/': '', 'schema.json': '{}' })
  const file = await open(join(cwd, 'attachments/1/hole'), 'w')
  for (const part of parts) await file.write('some bytes', part * 1e6)
  await file.truncate(1e7)
  await file.close()
  return outputOf('tar', ['-S', ...form, '-c', 'attachments/1/hole', 'schema.json'], { cwd })
}

const pathsIn = (bytes: Buffer) => pathsOf(readArchive(inPiecesOf(bytes)))

describe('readArchive', () => {
  test('gives paths and contents in the order of the archive', async () => {
    const { entries, problems } = await fedEveryWay(tarGzOf(files), readAll)
    expect(entries).toEqual([
      ['issues_000001.json', '[\n  {\n    "type": "issue"\n  }\n]'],
      [packName, 'PACK'.repeat(375)],
      ['attachments/1/empty.txt', ''],
      ['schema.json', '{"version":"1.0.1"}'],
    ])
    expect(problems).toEqual([])
  })

  everyDay(1)<TarStyle>([
    { dialect: 'gnu' },
    { dialect: 'ustar' },
    { dialect: 'pax' },
    { prefix: './' },
    { topFolder: 'export/' },
    { prefix: './', topFolder: 'export/' },
    { dialect: 'ustar', topFolder: 'export/' },
  ])('gives the same for every style: %o', async (style) => {
    expect(await fedEveryWay(tarOf(files, style), readAll)).toEqual({
      entries: contents,
      problems: [],
    })
  })

  test('gives size, time and mode', async () => {
    const fields = { name: 'a.txt', mode: 0o755, mtime: 1_600_000_000 }
    for await (const entry of readArchive(inPiecesOf(only(fields, 'abc')))) {
      expect(entry).toMatchObject({
        path: 'a.txt',
        size: 3,
        mode: 0o755,
        modifiedAt: new Date(1_600_000_000_000),
      })
    }
    expect.assertions(1)
  })

  test('T12: reads non-numeric times as 1970 and modes as none', async () => {
    const archive = only({ name: 'a.txt', mode: 'rubbish', mtime: Buffer.alloc(12, 0x80) })
    for await (const { modifiedAt, mode } of readArchive(inPiecesOf(archive))) {
      expect({ modifiedAt, mode }).toEqual({ modifiedAt: new Date(0), mode: 0 })
    }
    expect.assertions(1)
  })

  test('gives directories with a slash at the end, the root left out', async () => {
    const archive = tarOf({ 'attachments/1/a': 'a' }, { directories: true, prefix: './' })
    expect(await pathsIn(archive)).toEqual(['attachments/', 'attachments/1/', 'attachments/1/a'])
  })

  test('knows a directory by its type, with a slash or without', async () => {
    const archive = Buffer.concat([header({ name: 'attachments', type: '5' }), END])
    expect(await pathsIn(archive)).toEqual(['attachments/'])
  })

  test('reads every content, whatever its size', THOROUGH, async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 1500 }), async (sizes, piece) => {
        const tar = tarOf(Object.fromEntries(sizes.map((size, i) => [`f${i}`, 'x'.repeat(size)])))
        const { entries } = await readAll(inPiecesOf(tar, piece))
        expect(entries.map(([, content]) => content.length)).toEqual(sizes)
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('A folder around everything', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['is taken away', { 'x/schema.json': '', 'x/README': '' }, ['schema.json', 'README']],
    ['is taken away with its directory entry', { 'x/': '', 'x/schema.json': '' }, ['schema.json']],
    [
      'is taken away where directories come first',
      { 'x/': '', 'x/repositories/': '', 'x/repositories/o/r.git/HEAD': '' },
      ['repositories/', 'repositories/o/r.git/HEAD'],
    ],
    [
      'stays before a file that came before it was known',
      { 'x/README': '', 'x/schema.json': '' },
      ['x/README', 'schema.json'],
    ],
    ['is not assumed of an unknown folder', { 'x/': '', 'x/y': '' }, ['x/', 'x/y']],
    ['is not assumed of a directory alone', { 'x/': '' }, ['x/']],
    [
      'is not assumed where a file of known purpose stands beside it',
      { 'x/': '', 'schema.json': '', 'x/urls.json': '' },
      ['x/', 'schema.json', 'x/urls.json'],
    ],
    [
      'is not assumed of the folders every archive has',
      { 'attachments/': '', 'attachments/1/': '', 'attachments/1/a': '' },
      ['attachments/', 'attachments/1/', 'attachments/1/a'],
    ],
    ['is one folder, not two', { 'x/y/schema.json': '' }, ['x/y/schema.json']],
    ['leaves what is outside', { 'x/schema.json': '', 'y/a': '' }, ['schema.json', 'y/a']],
  ])('%s', async (_, files, paths) => {
    expect(await pathsIn(tarOf(files))).toEqual(paths)
  })
})

describe('The form', () => {
  test.each<[TarStyle, ArchiveForm]>([
    [
      { dialect: 'gnu', prefix: './', directories: true },
      { container: 'gzip', dialect: 'gnu', prefix: './', topFolder: '', directories: true },
    ],
    [
      { dialect: 'ustar', topFolder: 'export/' },
      { container: 'gzip', dialect: 'ustar', prefix: '', topFolder: 'export/', directories: false },
    ],
    [
      { dialect: 'pax' },
      { container: 'gzip', dialect: 'pax', prefix: '', topFolder: '', directories: false },
    ],
  ])('of %o is noted', async (style, expected) => {
    const form: ArchiveForm = {}
    await readAll(inPiecesOf(tarGzOf(files, style)), { form })
    expect(form).toEqual({ ...expected, members: 1 })
  })

  test('counts the members of gzip data', async () => {
    const tar = tarOf(files)
    const form: ArchiveForm = {}
    const parts = [gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]
    await readAll(inPiecesOf(Buffer.concat(parts)), { form })
    expect(form.members).toBe(2)
  })
})

describe('An entry that archives should not have', () => {
  everyDay(2)([
    ['a link', '1'],
    ['a symlink', '2'],
    ['a character-device', '3'],
    ['a block-device', '4'],
    ['a fifo', '6'],
    ['an entry of unknown type', 'V'],
    ['an entry of unknown type', '?'],
  ])('T9, T10: %s of type %s is reported and skipped', async (name, type) => {
    const archive = Buffer.concat([
      member({ name: './evil', type, linkname: '/etc/passwd' }),
      member({ name: './schema.json' }, '{}'),
      END,
    ])
    const { entries, problems } = await fedEveryWay(archive, readAll)
    expect(entries).toEqual([['schema.json', '{}']])
    const message = `${name} was skipped`
    expect(problems).toEqual([{ code: 'entry-type', place: { entry: 'evil' }, message }])
  })

  const SPARSE = [
    ...['0.0', '0.1', '1.0'].map((version) => [`--format=posix --sparse-version=${version}`]),
    ['--format=gnu'],
  ]
  everyDay(1)(SPARSE)(
    'T10: a sparse file of GNU tar %s is reported by its name, and skipped',
    async (form) => {
      const archive = await sparseTar(form.split(' '), [0])
      const { entries, problems } = await fedEveryWay(archive, readAll)
      expect(entries).toEqual([['schema.json', '{}']])
      const message = 'a sparse file was skipped; tar without -S writes it whole'
      const place = { entry: 'attachments/1/hole' }
      expect(problems).toEqual([{ code: 'entry-type', place, message }])
    },
  )

  test('T10: a sparse file of an old GNU tar with more parts than a header holds is refused', async () => {
    const archive = await sparseTar(['--format=gnu'], [0, 1, 2, 3, 4, 5])
    expect(await untilError(readArchive(inPiecesOf(archive)))).toMatchObject({
      items: [],
      error: { code: 'archive-unsupported', place: { entry: 'attachments/1/hole' } },
    })
  })

  test('is read where it is only an old name for a file', async () => {
    expect(await pathsIn(only({ name: 'a', type: '7' }))).toEqual(['a'])
    expect(await pathsIn(only({ name: 'a', type: '\0' }))).toEqual(['a'])
  })

  everyDay(6)([
    ['/etc/passwd', only({ name: '/etc/passwd' })],
    ['../x', only({ name: '../x' })],
    ['../x as a directory', only({ name: '../x/', type: '5' })],
    ['../x as a link', only({ name: '../x', type: '2' })],
    ['C:\\x', only({ name: 'C:\\x' })],
    ['no name', only({ name: '' })],
    ['C:/x within a folder', tarOf({ 'x/schema.json': '', 'x/C:/x': '' })],
    ['../x by a GNU long name', Buffer.concat([longName('../x'), only({ name: 'a' })])],
    ['../x by a PAX path', Buffer.concat([pax({ path: '../x' }), only({ name: 'a' })])],
    ['a NUL by a PAX path', Buffer.concat([pax({ path: 'a\0b' }), only({ name: 'a' })])],
    ['../x by a USTAR prefix', only({ name: 'x', nameBefore: '..', dialect: 'ustar' })],
  ])('T1, T2, T3, T5, T6, T11: %s is refused', async (_, archive) => {
    await expect(fedEveryWay(archive, readAll)).rejects.toMatchObject({ code: 'path-hostile' })
  })

  test('T6: keeps odd characters in a name as they are', async () => {
    const name = 'a\n\x1b[31m\u202eb'
    expect(await pathsIn(only({ name }))).toEqual([name])
  })

  test('T7: keeps names apart that are not UTF-8, and reports them', async () => {
    const names = ['a\xff', 'a\xfe', 'ä'].map((name) =>
      name === 'ä' ? Buffer.from(name) : Buffer.from(name, 'latin1'),
    )
    const archive = Buffer.concat([...names.map((name) => member({ name })), END])
    const { entries, problems } = await fedEveryWay(archive, readAll)
    expect(entries.map(([path]) => path)).toEqual(['a%ff', 'a%fe', 'ä'])
    expect(problems.map(({ code, place }) => [code, place.entry])).toEqual([
      ['path-not-utf8', 'a%ff'],
      ['path-not-utf8', 'a%fe'],
    ])
  })

  test('T7: reports a PAX path that is not UTF-8', async () => {
    const bytes = pax({ path: 'a?' })
    bytes[bytes.indexOf('a?') + 1] = 0xff
    const { problems } = await readAll(inPiecesOf(Buffer.concat([bytes, only({ name: 'b' })])))
    expect(problems).toMatchObject([{ code: 'path-not-utf8' }])
  })

  test('T7: keeps names that are equal up to case, normal form or ligature', async () => {
    const names = ['ä', 'a\u0308', 'Ä', 'ﬁ', 'fi', 'FI']
    const archive = tarOf(Object.fromEntries(names.map((name) => [name, ''])))
    expect(await pathsIn(archive)).toEqual(names)
  })

  test('T8: gives both entries of one name', async () => {
    const archive = Buffer.concat([member({ name: 'a' }, '1'), only({ name: './a' }, '2')])
    const { entries } = await fedEveryWay(archive, readAll)
    expect(entries).toEqual([
      ['a', '1'],
      ['a', '2'],
    ])
  })
})

describe('A limit', () => {
  everyDay(5)<[Partial<Limits>, Buffer]>([
    [{ path: 5 }, only({ name: '123456' })],
    [{ parts: 2 }, only({ name: 'a/b/c' })],
    [{ entries: 2 }, tarOf({ a: '', b: '', c: '' })],
    [{ extracted: 1999 }, tarOf({ a: 'x'.repeat(1000), b: 'x'.repeat(1000) })],
    [{ members: 2 }, Buffer.concat(['', tarOf({ a: '1' }), ''].map((part) => gzipSync(part)))],
    [{ header: 50 }, Buffer.concat([longName('n'.repeat(60)), only({ name: 'a' })])],
    [{ header: 50 }, Buffer.concat([pax({ comment: 'n'.repeat(60) }), only({ name: 'a' })])],
    [{ header: 50 }, Buffer.concat([pax({ ['k'.repeat(60)]: '' }), only({ name: 'a' })])],
  ])('%o is kept', async (limits, archive) => {
    const code = `limit-${Object.keys(limits)[0]}`
    const reading = fedEveryWay(archive, (bytes) => readAll(bytes, { limits }))
    await expect(reading).rejects.toMatchObject({ code })
  })

  test('has a sensible value where none is given', async () => {
    const refused = async (archive: Buffer) =>
      (await untilError(readArchive(inPiecesOf(archive)))).error
    const long = Buffer.concat([longName('n'.repeat(4097)), only({ name: 'a' })])
    expect(await refused(long)).toMatchObject({ code: 'limit-path' })
    const deep = Buffer.concat([longName('a/'.repeat(1025)), only({ name: 'a' })])
    expect(await refused(deep)).toMatchObject({ code: 'limit-parts' })
    const wide = Buffer.concat([pax({ comment: 'n'.repeat(2 ** 20) }), only({ name: 'a' })])
    expect(await refused(wide)).toMatchObject({ code: 'limit-header' })
  })

  test('can be switched off', async () => {
    const path = 'a/'.repeat(5000)
    const limits = { path: Number.POSITIVE_INFINITY, parts: Number.POSITIVE_INFINITY }
    const archive = Buffer.concat([longName(`${path}b`), only({ name: 'a' })])
    expect(await pathsOf(readArchive(inPiecesOf(archive), { limits }))).toEqual([`${path}b`])
  })

  test('that is undefined is the standard one', async () => {
    const archive = Buffer.concat([longName('n'.repeat(4097)), only({ name: 'a' })])
    const reading = pathsOf(
      readArchive(inPiecesOf(archive), { limits: { path: undefined } as object }),
    )
    await expect(reading).rejects.toMatchObject({ code: 'limit-path' })
  })

  test('T15: of expansion is kept', THOROUGH, async () => {
    const part = gzipSync(Buffer.alloc(8 * 2 ** 20, 'x'))
    const head = gzipSync(header({ name: 'bomb.bin', size: 80 * 2 ** 20 }))
    const bomb = Buffer.concat([head, ...Array(10).fill(part)])
    const reading = pathsOf(readArchive(inPiecesOf(bomb), { limits: { expansion: 100 } }))
    await expect(reading).rejects.toMatchObject({
      code: 'limit-expansion',
      place: { entry: 'bomb.bin' },
    })
  })
})

describe('A broken archive', () => {
  const gz = tarGzOf(files)

  test('T14: is noticed wherever its download stopped', async () => {
    for (let length = 2; length < gz.length; length += 7) {
      const reading = readAll(inPiecesOf(gz.subarray(0, length), 50))
      await expect(reading, String(length)).rejects.toMatchObject({ code: 'gzip-truncated' })
    }
  })

  test('gives the whole entries that stand before the cut', THOROUGH, async () => {
    const tar = tarOf({ a: 'a'.repeat(100), b: 'b'.repeat(100), c: 'c'.repeat(600) })
    const cut = gzipSync(tar, { level: 0 }).subarray(0, 2700)
    for (const archive of [tar.subarray(0, 2700), cut]) {
      const paths = await fedEveryWay(archive, async (bytes) => {
        const { items } = await untilError(whole(bytes))
        return items
      })
      expect(paths).toEqual(['a', 'b'])
    }
  })

  async function* whole(bytes: AsyncIterable<Uint8Array>) {
    for await (const { path, content } of readArchive(bytes)) {
      await collect(content)
      yield path
    }
  }

  test('names the entry in which the fault lies', async () => {
    const { error } = await untilError(readArchive(inPiecesOf(tarOf(files).subarray(0, 3000))))
    expect(error).toMatchObject({ code: 'tar-truncated', place: { entry: packName } })
  })

  test('says so to the reader of content, too', async () => {
    const cut = gzipSync(tarOf(files), { level: 0 }).subarray(0, 4000)
    for await (const { path, content } of readArchive(inPiecesOf(cut, 10))) {
      if (path !== packName) continue
      await expect(collect(content)).rejects.toMatchObject({ code: 'gzip-truncated' })
      break
    }
    expect.assertions(1)
  })

  test('never does worse than an error of ours, whatever byte is changed', async () => {
    const tar = tarOf(files, { dialect: 'pax', directories: true })
    const at = fc.integer({ min: 0, max: tar.length - 1 })
    await fc.assert(
      fc.asyncProperty(at, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(tar)
        bytes[at] = (bytes[at] as number) ^ change
        const result = await readAll(inPiecesOf(bytes, 700)).catch((error: unknown) => error)
        if (result instanceof Error) expect(result.name).toBe('ArchiveError')
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('Stopping', () => {
  const large = tarGzOf({ a: Buffer.alloc(3 * 2 ** 20), b: 'b' })

  test('early closes the source', async () => {
    const source = watched(inPiecesOf(large, 100))
    for await (const _ of readArchive(source.bytes)) break
    expect(source.closed).toBe(true)
  })

  test('by a signal ends the wait for the next entry', async () => {
    const controller = new AbortController()
    const source = watched(inPiecesOf(large, 100))
    const entries = readArchive(source.bytes, { signal: controller.signal })
    await entries.next()
    controller.abort()
    await expect(entries.next()).rejects.toMatchObject({ code: 'interrupted' })
    expect(source.closed).toBe(true)
  })

  test('by a signal ends the reading of content', async () => {
    const controller = new AbortController()
    const entries = readArchive(inPiecesOf(large, 100), { signal: controller.signal })
    const { value } = await entries.next()
    controller.abort(new Error('enough'))
    await expect(collect(value.content)).rejects.toMatchObject({
      code: 'interrupted',
      cause: { message: 'enough' },
    })
  })

  test('by a fault of the source throws that fault', async () => {
    const error = new Error('unplugged')
    const reading = readAll(failingAfter(large.subarray(0, 500), error))
    await expect(reading).rejects.toBe(error)
  })
})
