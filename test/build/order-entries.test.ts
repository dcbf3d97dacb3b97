import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import { writeArchive } from '../../src/archive/write-archive.ts'
import { collect } from '../../src/base/streams.ts'
import { issue, user } from '../support/archives.ts'
import { built, unpack } from '../support/build.ts'
import {
  blocksOf,
  END,
  type HeaderFields,
  longName,
  member,
  pax,
  tarOf,
} from '../support/build-tar.ts'
import { loaded, rowsOf } from '../support/load.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { runs } from '../support/property-runs.ts'
import { ROOT } from '../support/run-command.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const directory = (name: string, fields: HeaderFields = {}) =>
  member({ name, type: '5', mode: 0o755, ...fields })

const git = 'repositories/ada/tools.git'
const pack = `${git}/objects/pack/pack-${'0123456789'.repeat(4)}.pack`
const long = `repositories/ada/${'long-'.repeat(20)}.git/HEAD`
const schema = '{"version":"1.0.1","github_sha":"c0ffee"}'

/** A folder of GitHub, unordered: empty directories, read-only packs, different times. */
const asHost = (fields: HeaderFields = {}, prefix = './'): Buffer[] => [
  directory('./', { mtime: 1_600_000_001, ...fields }),
  directory(`${prefix}repositories/`, { mtime: 1_600_000_002, ...fields }),
  directory(`${prefix}repositories/ada/`, fields),
  directory(`${prefix}${git}/`, fields),
  directory(`${prefix}${git}/branches/`, { mtime: 1_600_000_003, ...fields }),
  member({ name: `${prefix}${git}/HEAD`, ...fields }, 'ref: refs/heads/main\n'),
  directory(`${prefix}${git}/objects/`, fields),
  directory(`${prefix}${git}/objects/pack/`, fields),
  member({ name: `${prefix}${pack}`, mode: 0o444, ...fields }, 'PACK'),
  member({ name: `${prefix}issues_000001.json`, ...fields }, [issue(1, 'One')]),
  member({ name: `${prefix}schema.json`, mtime: 1_600_000_004, ...fields }, schema),
  member({ name: `${prefix}users_000001.json`, ...fields }, [user('ada')]),
]

const tar = (parts: readonly Buffer[], ...end: Buffer[]) => Buffer.concat([...parts, END, ...end])
const record = (parts: readonly Buffer[]) => {
  const whole = tar(parts)
  return Buffer.concat([whole, Buffer.alloc((10_240 - (whole.length % 10_240)) % 10_240)])
}

const rebuilt = async (archive: Buffer, sql = '') => {
  const { database } = await loaded(archive)
  database.exec(sql)
  return gunzipSync(await built(database, { level: 1 }))
}

/** Whole tars that tools make, all of one content. */
const FORMS: Record<string, Buffer> = {
  'the host': record(asHost()),
  'the host, with long names': record([
    ...asHost(),
    longName(`./${long}`),
    member({ name: `./${long}`.slice(0, 100) }, 'ref: x'),
  ]),
  'a writer without padding': tar(asHost()),
  'a writer of USTAR': record(asHost({ dialect: 'ustar' })),
  'a writer of V7': record(asHost({ dialect: 'v7' })),
  'a writer of PAX': tar([
    pax({ comment: 'made by hand' }, 'g'),
    ...asHost({ dialect: 'pax' }).flatMap((part, i) => [pax({ mtime: `16000000${i}.25` }), part]),
  ]),
  'a tool that has no directories and odd modes': tar(
    asHost({ mode: 0o100700 }, '').filter((part) => part[156] !== 0x35),
  ),
  'a tool whose directories end without a slash': tar([
    directory('attachments'),
    directory('attachments/a'),
    member({ name: 'attachments/a/x' }, 'x'),
    ...asHost({}, '').slice(-3),
  ]),
  'a tool that has files before their directories': tar([
    member({ name: 'attachments/a/x' }, 'x'),
    directory('attachments/a/'),
    directory('attachments/'),
    member({ name: 'schema.json' }, schema),
  ]),
  'two tars, one after the other': tar(asHost().slice(0, 6), ...asHost().slice(6), END),
  'a name that is not UTF-8, and one with doubled slashes': tar([
    member({ name: Buffer.from('attachments/a/\xff', 'latin1') }, 'x'),
    member({ name: 'attachments//b/./x' }, 'x'),
    member({ name: 'schema.json' }, schema),
  ]),
}

describe('an unchanged archive comes back as the same tar', () => {
  everyDay(1)(Object.keys(FORMS))('from %s', async (form) => {
    const archive = FORMS[form] as Buffer
    expect((await rebuilt(archive)).equals(archive)).toBe(true)
  })

  const samples = readdirSync(join(ROOT, 'samples')).filter((name) =>
    /^(hello|organization)\.tar\.gz$/.test(name),
  )
  everyDay(1)(samples)('of the sample %s', async (name) => {
    const archive = gunzipSync(readFileSync(join(ROOT, 'samples', name)))
    expect((await rebuilt(archive)).equals(archive)).toBe(true)
  })

  it('whatever its headers say', THOROUGH, async () => {
    const path = fc
      .array(fc.constantFrom('a', 'läger', 'x'.repeat(60), 'a b', '.git', 'Ø'), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => `attachments/1/${parts.join('/')}`)
    const fields = fc.record({
      mode: fc.oneof(fc.nat({ max: 0o7777 }), fc.constantFrom('   644 \0', '', '0000644 ')),
      mtime: fc.oneof(fc.nat(), fc.constantFrom('00000000000 ', '77777777777', '')),
      dialect: fc.constantFrom('gnu', 'ustar', 'v7'),
      linkname: fc.constantFrom('', 'unused'),
    })
    const part = fc.record({
      name: path,
      fields,
      content: fc.string({ maxLength: 700 }),
      isDirectory: fc.boolean(),
      before: fc.constantFrom<'none' | 'pax' | 'long'>('none', 'pax', 'long'),
    })
    const parts = fc.uniqueArray(part, { maxLength: 8, selector: ({ name }) => name })
    const made = parts.map((list) =>
      list
        // No file is a folder of others.
        .filter(({ name }) => !list.some((other) => other.name.startsWith(`${name}/`)))
        .flatMap(({ name, fields, content, isDirectory, before }) => {
          const full = isDirectory ? `${name}/` : name
          const head = { ...fields, name: Buffer.from(full).subarray(0, 100) } as HeaderFields
          const body = isDirectory ? directory('', head) : member(head, content)
          if (before === 'pax') return [pax({ path: full, 'SCHILY.dev': '1' }), body]
          return before === 'long' || Buffer.byteLength(full) > 100
            ? [longName(full), body]
            : [body]
        }),
    )
    await fc.assert(
      fc.asyncProperty(made, fc.nat({ max: 20 }), async (list, blocks) => {
        const archive = tar(
          [member({ name: 'schema.json' }, schema), ...list],
          blocksOf(Buffer.alloc(512 * blocks)),
        )
        expect((await rebuilt(archive)).equals(archive)).toBe(true)
      }),
      { numRuns: runs(40) },
    )
  })

  it('but without a folder around everything, and without links', THOROUGH, async () => {
    const around = tarOf(
      { 'schema.json': schema, 'attachments/a/x': 'x' },
      { topFolder: 'export/' },
    )
    expect(Object.keys((await unpack(await rebuilt(around))).files)).toEqual([
      'schema.json',
      'attachments/a/x',
    ])
    const link = member({ name: 'attachments/a/y', type: '2', linkname: '/etc/passwd' })
    const parts = [member({ name: 'schema.json' }, schema)]
    expect((await rebuilt(tar([...parts, link]))).equals(record(parts))).toBe(true)
  })
})

describe('what was changed', () => {
  const archive = record(asHost())
  const namesIn = (bytes: Buffer) => unpack(bytes).then(({ times }) => Object.keys(times))
  const names = async (sql: string) => namesIn(await rebuilt(archive, sql))

  it('keeps its position and its header except size, mode and time', async () => {
    const found = await rebuilt(
      archive,
      `UPDATE issues SET title = 'Another'; UPDATE files SET mode = 420, modified_at = '2020-01-02T03:04:05Z' WHERE path LIKE '%.pack'`,
    )
    const changed = asHost()
    changed[8] = member({ name: `./${pack}`, mtime: Date.UTC(2020, 0, 2, 3, 4, 5) / 1000 }, 'PACK')
    changed[9] = member({ name: './issues_000001.json' }, [issue(1, 'Another')])
    expect(found.equals(record(changed))).toBe(true)
  })

  it('comes after the rest where it is new, with directories and with the owner of the others', async () => {
    const sql = `INSERT INTO users (url) VALUES ('x://new');
      INSERT INTO files SELECT 99, archive, 'attachments/b/HEAD', 'attachment', NULL, size, sha256, mode, modified_at, stored
      FROM files WHERE path LIKE '%/HEAD';
      INSERT INTO file_chunks SELECT 99, position, chunk FROM file_chunks WHERE file <> 99 LIMIT 1`
    expect((await names(sql)).slice(-4)).toEqual([
      'users_000002.json',
      'attachments/',
      'attachments/b/',
      'attachments/b/HEAD',
    ])
  })

  it(
    'takes along directories that nothing is left in, and those that were empty in them',
    THOROUGH,
    async () => {
      expect(await names('DELETE FROM files')).toEqual([
        'issues_000001.json',
        'schema.json',
        'users_000001.json',
      ])
      const emptied = await names(`DELETE FROM files WHERE path LIKE '%.pack'`)
      expect(emptied).not.toContain(`${git}/objects/`)
      expect(emptied).toContain(`${git}/branches/`)
    },
  )

  it('is a selection with the files in their order', THOROUGH, async () => {
    const repository = { type: 'repository', url: 'https://host.example/ada/tools' }
    const { database } = await loaded(
      record([
        ...asHost(),
        member({ name: './repositories_000001.json' }, [repository]),
        directory('./attachments/'),
      ]),
    )
    const found = await namesIn(await built(database, { kinds: ['repositories'] }))
    const folders = ['', '/branches'].map((name) => `${git}${name}/`)
    expect(found).toEqual([
      'schema.json',
      'repositories_000001.json',
      'repositories/',
      'repositories/ada/',
      ...folders,
      `${git}/HEAD`,
      `${git}/objects/`,
      `${git}/objects/pack/`,
      pack,
      'attachments/',
    ])
    const bare = await built(database, { kinds: ['repositories'], files: false })
    expect(await namesIn(bare)).toEqual(['schema.json', 'repositories_000001.json', 'attachments/'])
  })

  it(
    'is written with headers of our own where a database has none that are fit',
    THOROUGH,
    async () => {
      const evil = member({ name: '../../evil', type: '2', linkname: '/etc/passwd' })
      const { database } = await loaded(archive)
      const template = rowsOf(database, 'SELECT bytes FROM tar_headers')[1]?.[0] as Buffer
      const prefixed = Buffer.alloc(500)
      template.copy(prefixed)
      prefixed.write('ustar\x0000', 257)
      prefixed.write('../../..', 345)
      for (const bytes of [evil, prefixed, Buffer.from('x')]) {
        database.exec('UPDATE entries SET whole_header = NULL')
        database.prepare('UPDATE OR IGNORE tar_headers SET bytes = ? WHERE id = 2').run(bytes)
        const found = await namesIn(await built(database))
        expect(found).toEqual(await namesIn(archive))
      }
      const whole = Buffer.concat([evil, asHost()[5] as Buffer])
      for (const bytes of [
        deflateRawSync(whole),
        deflateRawSync(Buffer.alloc(2 ** 20)),
        Buffer.from('x'),
      ]) {
        database.prepare('UPDATE entries SET whole_header = ?, mode = ?').run(bytes, 0o644)
        expect(await namesIn(await built(database))).toEqual(await namesIn(archive))
      }
    },
  )
})

test('what readArchive reads with its headers, writeArchive writes again', async () => {
  const archive = FORMS['the host, with long names'] as Buffer
  const form = {}
  const entries = []
  for await (const entry of readArchive(inPiecesOf(archive), { headers: true, form })) {
    entries.push({ ...entry, content: inPiecesOf(await collect(entry.content)) })
  }
  const options = { gzip: false, directories: 'given', form } as const
  expect((await collect(writeArchive(entries, options))).equals(archive)).toBe(true)
})
