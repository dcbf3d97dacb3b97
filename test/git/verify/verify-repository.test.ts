import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import {
  GIT_FAULTS,
  type GitFault,
  type GitFaultCode,
  verifyRepository,
} from '../../../src/git/verify/verify-repository.ts'
import type { Files } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { type GitWorld, gitWorld } from '../../support/git-world.ts'
import { loaded } from '../../support/load.ts'
import { THOROUGH } from '../../support/thorough.ts'

let world: GitWorld
/** A whole repository as files of an archive. */
let whole: Record<string, Buffer>
let pack: string
let index: string

beforeAll(() => {
  world = gitWorld()
  const directory = world.directoryOf('ada/kettle')
  whole = Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name).slice(directory.length + 1))
      .map((path) => [path, readFileSync(join(directory, path))]),
  )
  const named = (end: string) => Object.keys(whole).find((path) => path.endsWith(end)) as string
  pack = named('.pack')
  index = named('.idx')
})

afterAll(() => world.close())

const faultsIn = (database: Database, name = 'ada/kettle', options = {}) =>
  listOf(verifyRepository(database, name, options))

/** Files of the repository that differ; undefined removes one. */
type Changed = Record<string, string | Buffer | undefined>

/** A copy of the repository after some of its files were changed or removed. */
function copyOf(changed: Changed, name = 'ada/kettle'): Files {
  const files: Files = {}
  for (const [path, content] of Object.entries({ ...whole, ...changed })) {
    if (content !== undefined) files[`repositories/${name}.git/${path}`] = content
  }
  return files
}

const faultsOf = async (changed: Changed = {}, options = {}) =>
  faultsIn((await loaded(copyOf(changed))).database, 'ada/kettle', options)

const codesOf = async (changed: Changed) => (await faultsOf(changed)).map(({ code }) => code)

/** The faults of several copies, which are loaded together. */
async function faultsOfEach(changes: readonly Changed[]): Promise<GitFault[][]> {
  const names = changes.map((_, i) => `ada/copy-${i}`)
  const copies = changes.map((changed, i) => copyOf(changed, names[i]))
  const { database } = await loaded(Object.assign({}, ...copies))
  const found: GitFault[][] = []
  for (const name of names) found.push(await faultsIn(database, name))
  return found
}

const codesOfEach = async (changes: readonly Changed[]): Promise<GitFaultCode[][]> =>
  (await faultsOfEach(changes)).map((faults) => faults.map(({ code }) => code))

/** A way to damage a file, and what it leaves. */
type Damage = readonly [has: string, spoil: (whole: Buffer) => Buffer]

/** Whatever is done to the file at `path` is a fault with this code. All copies are loaded for the first test. */
function testDamages(
  what: string,
  pathOf: () => string,
  code: GitFaultCode,
  rows: readonly Damage[],
) {
  // Half of them need a half of the copies.
  testEach(what, pathOf, code, rows.slice(0, 4), {})
  testEach(what, pathOf, code, rows.slice(4), THOROUGH)
}

function testEach(
  what: string,
  pathOf: () => string,
  code: GitFaultCode,
  rows: readonly Damage[],
  suite: object,
) {
  let codes: Promise<GitFaultCode[][]> | undefined
  test.each(rows.map(([has], row) => [has, row] as const))(
    `${what} with %s`,
    suite,
    async (_, row) => {
      const path = pathOf()
      codes ??= codesOfEach(rows.map(([, spoil]) => ({ [path]: spoil(whole[path] as Buffer) })))
      expect(note((await codes)[row] ?? [])).toContain(code)
    },
  )
}

const sha1Of = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest()

/** A copy with one byte changed, counted from the end if negative. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const place = at < 0 ? copy.length + at : at
  copy[place] = (copy[place] as number) ^ 1
  return copy
}

/** A pack or index with the checksum of what it is now. */
const signed = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, -20), sha1Of(bytes.subarray(0, -20))])

const looseOf = (bytes: Buffer): [path: string, content: Buffer] => {
  const oid = sha1Of(bytes).toString('hex')
  return [`objects/${oid.slice(0, 2)}/${oid.slice(2)}`, deflateSync(bytes)]
}

const shown = new Set<GitFaultCode>()
const note = (codes: readonly GitFaultCode[]) => {
  for (const code of codes) shown.add(code)
  return codes
}

test('A complete repository has no faults, and every reachable object is verified', async () => {
  let objects = 0
  let bytes = 0
  const progress = (more: { bytes?: number; objects?: number }) => {
    objects += more.objects ?? 0
    bytes += more.bytes ?? 0
  }
  expect(await faultsOf({}, { progress, contents: true })).toEqual([])
  expect(bytes).toBe(whole[pack]?.length)
  expect(objects).toBeGreaterThan(20)
})

test('An empty repository has no faults', async () => {
  const { database } = await loaded({
    'repositories/ada/kettle.git/HEAD': 'ref: refs/heads/main\n',
  })
  expect(await faultsIn(database)).toEqual([])
})

describe('G4: reports', () => {
  testDamages('a pack', () => pack, 'pack-damaged', [
    ['a changed byte in the middle', (it: Buffer) => flipped(it, it.length >> 1)],
    ['a changed checksum', (it: Buffer) => flipped(it, -1)],
    ['a missing end', (it: Buffer) => it.subarray(0, -50)],
    ['more at the end', (it: Buffer) => Buffer.concat([it, Buffer.alloc(9)])],
    ['another number of objects', (it: Buffer) => signed(flipped(it, 11))],
    ['another version', (it: Buffer) => signed(flipped(it, 6))],
    ['another file altogether', () => Buffer.from('<html>not found</html>')],
    ['nothing', () => Buffer.alloc(0)],
    ['a changed object under a right checksum', (it: Buffer) => signed(flipped(it, 40))],
  ])

  testDamages('an index', () => index, 'index-damaged', [
    ['a changed name', (it: Buffer) => signed(flipped(it, 1032))],
    ['names out of order', (it: Buffer) => signed(swapped(it, 1032, 1052, 20))],
    ['a changed table', (it: Buffer) => signed(flipped(it, 8 + 4 * 200 + 3))],
    ['a changed checksum', (it: Buffer) => flipped(it, -1)],
    ['the checksum of another pack', (it: Buffer) => signed(flipped(it, -40))],
    ['a missing end', (it: Buffer) => it.subarray(0, -28)],
    ['a number of objects beyond its end', (it: Buffer) => signed(flipped(it, 8 + 4 * 255))],
    ['a version that is none', (it: Buffer) => signed(flipped(it, 7))],
    ['another file altogether', () => Buffer.from('<html>not found</html>')],
    ['nothing', () => Buffer.alloc(0)],
  ])

  test('an index with wrong offsets', async () => {
    const bytes = whole[index] as Buffer
    const offsets = 1032 + 24 * bytes.readUInt32BE(1028)
    const faults = await faultsOf({ [index]: signed(swapped(bytes, offsets, offsets + 4, 4)) })
    expect(faults).toContainEqual(
      expect.objectContaining({
        code: 'pack-damaged',
        message: expect.stringMatching(
          /^the object at byte \d+ does not match the checksum in the index$/,
        ),
      }),
    )
    expect(note(faults.map(({ code }) => code))).toContain('object-damaged')
  })

  test('a pack without its index, and an index without its pack', async () => {
    for (const codes of await codesOfEach([{ [index]: undefined }, { [pack]: undefined }])) {
      expect(note(codes)).toContain('pack-lost')
    }
  })

  test('an object that is missing, and what references it', async () => {
    const loose = Object.keys(whole).filter((path) => /^objects\/..\/.{38}$/.test(path))
    expect(loose.length).toBeGreaterThan(2)
    const each = await faultsOfEach(loose.map((path) => ({ [path]: undefined })))
    for (const [i, faults] of each.entries()) {
      const oid = loose[i]?.slice(8).replace('/', '')
      expect(faults).toContainEqual(
        expect.objectContaining({ code: 'object-missing', oid, entry: null }),
      )
      note(faults.map(({ code }) => code))
    }
  })

  test('a ref that leads nowhere', async () => {
    const oid = 'a'.repeat(40)
    expect(await faultsOf({ 'refs/heads/nowhere': `${oid}\n` })).toEqual([
      {
        ...{ repository: 'ada/kettle', code: 'object-missing', entry: null, oid },
        message: 'the object that refs/heads/nowhere references is missing',
      },
    ])
  })

  test('an object in a file of its own that is another one, or none', async () => {
    const [path = ''] = Object.keys(whole).filter((name) => /^objects\/..\/.{38}$/.test(name))
    const [, other] = looseOf(Buffer.from('blob 1\0x'))
    const contents = [other, Buffer.from('no object'), Buffer.alloc(0)]
    for (const codes of await codesOfEach(contents.map((content) => ({ [path]: content })))) {
      expect(note(codes)).toContain('object-damaged')
    }
  })

  test('an object of another type than its reference requires', async () => {
    const [blobPath, blob] = looseOf(Buffer.from('blob 1\0x'))
    const oid = blobPath.slice(8).replace('/', '')
    const body = `tree ${oid}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nx`
    const [path, commit] = looseOf(Buffer.from(`commit ${body.length}\0${body}`))
    const ref = `${path.slice(8).replace('/', '')}\n`
    const faults = await faultsOf({ [blobPath]: blob, [path]: commit, 'refs/heads/odd': ref })
    expect(note(faults.map(({ code }) => code))).toEqual(['object-type'])
  })

  test('an object that inflates to far more than it says, without inflating it', async () => {
    const [path = ''] = Object.keys(whole).filter((name) => /^objects\/..\/.{38}$/.test(name))
    const bomb = deflateSync(Buffer.concat([Buffer.from('blob 10\0'), Buffer.alloc(2 ** 24)]))
    const boast = deflateSync(Buffer.from('blob 999999999999\0'))
    for (const codes of await codesOfEach([{ [path]: bomb }, { [path]: boast }])) {
      expect(codes).toContain('object-damaged')
    }
  })
})

test('G2: reports alternates', async () => {
  expect(note(await codesOf({ 'objects/info/alternates': '/elsewhere\n' }))).toEqual([
    'objects-elsewhere',
  ])
})

test('G5: reports refs that Git does not accept', async () => {
  const changed = { 'refs/heads/a~b': `${'a'.repeat(40)}\n`, 'refs/heads/b': 'ref: refs/heads/b\n' }
  expect(note(await codesOf(changed))).toEqual(['ref-invalid', 'ref-unresolved'])
})

test('G4: SHA-256 and a reftable are refused', async () => {
  for (const files of [
    { 'refs/heads/main': 'c'.repeat(64) },
    { 'reftable/tables.list': '0x1.ref\n' },
  ]) {
    await expect(faultsOf(files)).rejects.toMatchObject({ code: 'git-unsupported' })
  }
})

test('Every fault has been shown', () => {
  expect([...shown].sort()).toEqual(Object.keys(GIT_FAULTS).sort())
})

function swapped(bytes: Buffer, one: number, other: number, length: number): Buffer {
  const copy = Buffer.from(bytes)
  bytes.copy(copy, one, other, other + length)
  bytes.copy(copy, other, one, one + length)
  return copy
}
