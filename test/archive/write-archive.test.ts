import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ArchiveEntry, isDirectory } from '../../src/archive/entry.ts'
import { readArchive } from '../../src/archive/read-archive.ts'
import { BLOCK, tarHeader } from '../../src/archive/tar/tar-header.ts'
import { type WriteOptions, writeArchive } from '../../src/archive/write-archive.ts'
import { type Bytes, collect } from '../../src/base/streams.ts'
import { runs } from '../support/property-runs.ts'
import { outputOf } from '../support/run-program.ts'

const modifiedAt = new Date('2024-05-06T07:08:09Z')

async function* inChunks(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

function entryOf(path: string, content: string | Uint8Array = '', mode = 0o644): ArchiveEntry {
  const size = Buffer.from(content).length
  return { path, size, modifiedAt, mode, content: inChunks(content) }
}

const write = (entries: ArchiveEntry[], options?: WriteOptions): Promise<Buffer> =>
  collect(writeArchive(entries, options))

/** An entry with its content. */
interface Summary {
  path: string
  mode: number
  modifiedAt: Date
  content: string
}

async function read(archive: Bytes): Promise<Summary[]> {
  const found: Summary[] = []
  for await (const { path, mode, modifiedAt, content } of readArchive(archive)) {
    found.push({ path, mode, modifiedAt, content: (await collect(content)).toString('hex') })
  }
  return found
}

const paths = async (entries: ArchiveEntry[], options?: WriteOptions): Promise<string[]> =>
  (await read(writeArchive(entries, options))).map(({ path }) => path)

describe('writeArchive', () => {
  it('writes what readArchive reads', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.constantFrom('pack-', 'ö'.repeat(60), 'x'.repeat(99), 'x'.repeat(120), 'läger🍵'),
    )
    const name = part.filter((text) => !/[/\\\0:]|^\.+$/.test(text) && text.isWellFormed())
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const mode = fc.constantFrom(0o644, 0o755, 0o444, 0o100700, 0)
    const entry = fc.oneof(
      fc.record({ path, content: fc.uint8Array({ maxLength: 2000 }), mode }),
      fc.record({
        path: path.map((name) => `${name}/`),
        content: fc.constant(new Uint8Array()),
        mode,
      }),
    )
    const entries = fc.uniqueArray(entry, { selector: ({ path }) => path.replace(/\/$/, '') })
    const options = fc.record({
      prefix: fc.constantFrom<'./' | ''>('./', ''),
      gzip: fc.boolean(),
      directories: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(entries, options, async (given, chosen) => {
        const files = [{ path: 'schema.json', content: Buffer.from('{}'), mode: 0o644 }, ...given]
        const found = await read(
          writeArchive(
            files.map(({ path, content, mode }) => entryOf(path, content, mode)),
            chosen,
          ),
        )
        expect(found.filter(({ path }) => !path.endsWith('/'))).toEqual(
          files
            .filter(({ path }) => !path.endsWith('/'))
            .map(({ path, content, mode }) => ({
              path,
              mode: mode & 0o100 ? 0o755 : 0o644,
              modifiedAt,
              content: Buffer.from(content).toString('hex'),
            })),
        )
        const directories = found.filter(({ path }) => path.endsWith('/')).map(({ path }) => path)
        expect(directories).toEqual([...new Set(directories)])
        if (!chosen.directories) expect(directories).toEqual([])
        else
          expect(directories).toEqual(
            expect.arrayContaining(
              given.map(({ path }) => path).filter((path) => path.endsWith('/')),
            ),
          )
      }),
      { numRuns: runs(200) },
    )
  })

  it('lists each directory once, before what is in it', async () => {
    const entries = () => [entryOf('a/b/c'), entryOf('a/'), entryOf('a/b/d'), entryOf('e/')]
    expect(await paths(entries())).toEqual(['a/', 'a/b/', 'a/b/c', 'a/b/d', 'e/'])
    expect(await paths(entries(), { directories: false })).toEqual(['a/b/c', 'a/b/d'])
  })

  it('is a tar that other programs list', async () => {
    const long = `repositories/ada/${'long-'.repeat(20)}.git/HEAD`
    const archive = await write([
      entryOf('schema.json', '{}'),
      entryOf(long, 'ref: refs/heads/main\n'),
      entryOf('attachments/läger.png', 'x'.repeat(513), 0o444),
      entryOf('hooks/run', '', 0o755),
    ])
    const list = (...options: string[]) =>
      outputOf('tar', [...options, '-f', '-'], {
        input: gunzipSync(archive),
        env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      }).toString()
    expect(list('-x', '-O', `./${long}`)).toBe('ref: refs/heads/main\n')
    const lines = list('-t', '-v').trimEnd().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines[0]).toMatch(/^drwxr-xr-x.*git.*\.\/$/)
    expect(lines[1]).toMatch(/^-rw-r--r--.*git.* 2 .*2024.* \.\/schema\.json$/)
    expect(lines.filter((line) => line.endsWith(`./${long}`))).toHaveLength(1)
    expect(lines.at(-1)).toMatch(/^-rwxr-xr-x.* \.\/hooks\/run$/)
  })

  it('has the form that the host writes', async () => {
    const tar = await write([entryOf('schema.json', '{}')], { gzip: false })
    expect(tar).toHaveLength(10_240)
    expect(tar.toString('latin1', 0, 3)).toBe('./\0')
    const header = tar.subarray(BLOCK, 2 * BLOCK).toString('latin1')
    expect(header.slice(0, 14)).toBe('./schema.json\0')
    expect(header.slice(100, 156)).toBe(
      `0000644\x000000764\x000000764\x0000000000002\x0014616100731\x00${header.slice(148, 156)}`,
    )
    expect(header.slice(156, 157)).toBe('0')
    expect(header.slice(257, 269)).toBe('ustar  \0git\0')
    const gzip = await write([entryOf('schema.json', '{}')])
    expect([...gzip.subarray(0, 8)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])
    expect(gunzipSync(gzip)).toEqual(tar)
  })

  it('makes the same bytes of the same entries', async () => {
    const entries = () => [entryOf('a/b', 'x'), entryOf('c', 'y'.repeat(5000))]
    expect(await write(entries())).toEqual(await write(entries()))
  })

  it('writes an archive without entries', async () => {
    expect(await write([], { gzip: false })).toEqual(Buffer.alloc(10_240))
  })

  it.each([
    ['too long', 3, 'expected 3 bytes, found more'],
    ['too short', 5, 'expected 5 bytes, found 4'],
    ['not empty', 0, 'expected 0 bytes, found more'],
  ])('refuses content that is %s', async (_, size, message) => {
    for (const gzip of [true, false]) {
      const entry = { ...entryOf('a/b'), size, content: inChunks('12', '34') }
      const refused = { code: 'content-size', message, place: { entry: 'a/b' } }
      await expect(write([entry], { gzip })).rejects.toMatchObject(refused)
    }
  })

  it('refuses a directory with content', async () => {
    for (const path of ['a/', '']) {
      const refused = { code: 'content-size', message: 'a directory has no content' }
      await expect(write([entryOf(path, 'x')])).rejects.toMatchObject(refused)
    }
  })

  it('refuses content that is not bytes, and paths that lead out', async () => {
    const texts = (async function* () {
      yield 'text' as unknown as Uint8Array
    })()
    await expect(write([{ ...entryOf('a', 'text'), content: texts }])).rejects.toMatchObject({
      code: 'content-not-bytes',
      place: { entry: 'a' },
    })
    await expect(write([entryOf('../a', 'x')])).rejects.toMatchObject({ code: 'path-hostile' })
  })

  it('compresses at every level of zlib, or not at all', async () => {
    const sizes: number[] = []
    for (const level of [-1, 0, 1, 9]) {
      const archive = await write([entryOf('a', 'boil '.repeat(10_000))], { level })
      expect(gunzipSync(archive).toString('latin1')).toContain('boil boil')
      sizes.push(archive.length)
    }
    expect(sizes[1]).toBeGreaterThan(50_000)
    expect(sizes[3]).toBeLessThan(1000)
    for (const level of [10, -2, 1.5, Number.NaN, '6' as unknown as number]) {
      expect(() => writeArchive([], { level })).toThrow(
        /^level: expected an integer from -1 to 9, found /,
      )
    }
  })

  it('closes its entries when its reader stops', async () => {
    let released = false
    async function* endless() {
      try {
        for (let i = 0; ; i++) yield entryOf(`file-${i}`, Buffer.alloc(100_000, i))
      } finally {
        released = true
      }
    }
    for await (const _ of writeArchive(endless())) break
    await expect.poll(() => released).toBe(true)
  })
})

describe('tarHeader', () => {
  it('takes a date before 1970 for its first second', () => {
    const modifiedAt = new Date('1969-07-20')
    const header = tarHeader({ name: 'a', size: 0, mode: 0o644, modifiedAt })
    expect(header.toString('latin1', 136, 147)).toBe('0'.repeat(11))
  })

  it('writes the largest size that JavaScript can count to', () => {
    const size = Number.MAX_SAFE_INTEGER
    const header = tarHeader({ name: 'a', size, mode: 0o644, modifiedAt })
    expect(header.toString('hex', 124, 136)).toBe('80000000001fffffffffffff')
  })

  it('writes sizes of 8 GiB and more as bytes', async () => {
    const member = { name: 'pack', mode: 0o644, modifiedAt }
    const size = (bytes: number) => tarHeader({ ...member, size: bytes }).toString('hex', 124, 136)
    expect(size(8 ** 11 - 1)).toBe(`${'37'.repeat(11)}00`)
    expect(size(8 ** 11)).toBe('800000000000000200000000')
    const header = tarHeader({ ...member, size: 8 ** 11 + 7 })
    const entries = readArchive(inChunks(header))
    const { value } = await entries.next()
    expect(value).toMatchObject({ path: 'pack', size: 8 ** 11 + 7 })
    expect(isDirectory(value as ArchiveEntry)).toBe(false)
  })
})
