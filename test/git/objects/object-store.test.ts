import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../src/base/errors.ts'
import { compareTrees } from '../../../src/git/diff/compare-trees.ts'
import { createPathComparer } from '../../../src/git/history/path-finder.ts'
import { describeReached, walkObjects } from '../../../src/git/history/walk-objects.ts'
import type { ObjectLimits } from '../../../src/git/objects/object-store.ts'
import { walkTree } from '../../../src/git/objects/walk-tree.ts'
import { openRepository, type Repository } from '../../../src/git/open-repository.ts'
import {
  commitOf,
  looseOf,
  oidOf,
  type PackedObject,
  packOf,
  repositoryOf,
  treeOf,
} from '../../support/build-pack.ts'
import type { Files } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { loaded } from '../../support/load.ts'
import { repositorySet } from '../../support/repository-set.ts'
import { THOROUGH } from '../../support/thorough.ts'

const repositories = repositorySet()

/** Adds a repository with these files, to be opened in a test. */
function put(files: Files): (limits?: ObjectLimits) => Repository {
  const name = repositories.put(files)
  return (limits) => openRepository(repositories.database(), name, limits)
}

const failure = (code: ErrorCode, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })
const damaged = (message: RegExp) => failure('git-object-damaged', message)

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const C = 'c'.repeat(40)
const text = 'the kettle boils\n'
const oid = oidOf('blob', text)

/** A delta: sizes of the base and of what is made, and how. */
const delta = (base: number, made: number, ...ops: number[]) =>
  Buffer.from([...varint(base), ...varint(made), ...ops])

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))]

/** The delta that copies so many bytes from the start. */
const first = (count: number, base = text.length) => delta(base, count, 0x90, count)

/** A pack with one blob, or what is said to be that. */
const blob = (more: Partial<PackedObject> = {}): Files =>
  packOf([{ type: 'blob', content: text, oid, ...more }])

describe('Objects are read', () => {
  const again = `${text} again`
  const packed = blob()['objects/pack/pack-it.pack'] as Buffer
  const deltas = put(
    packOf([
      { type: 'named-delta', content: first(1), base: oid, oid: oidOf('blob', 't') },
      { type: 'blob', content: text },
      {
        type: 'offset-delta',
        content: delta(text.length, again.length, 0x90, text.length, 6, ...Buffer.from(' again')),
        base: packed.length - 12 - 20,
        oid: oidOf('blob', again),
      },
    ]),
  )
  test('from a pack, whole and as deltas by offset and by id, in any order', () => {
    for (const content of [text, 't', again]) {
      const blob = { oid: oidOf('blob', content), type: 'blob', content: Buffer.from(content) }
      expect(deltas().objects.read(blob.oid)).toEqual(blob)
    }
  })

  const apart = put({
    ...packOf(
      [{ type: 'named-delta', content: first(1), base: oid, oid: oidOf('blob', 't') }],
      '1',
    ),
    ...packOf([{ type: 'blob', content: text }], '2'),
    ...packOf(
      [
        {
          type: 'named-delta',
          content: first(3, 5),
          base: oidOf('blob', 'loose'),
          oid: oidOf('blob', 'loo'),
        },
      ],
      '3',
    ),
    ...looseOf('blob', 'loose'),
  })
  test('as deltas on objects of other packs and on those in files of their own', () => {
    expect(apart().objects.read(oidOf('blob', 't')).content.toString()).toBe('t')
    expect(apart().objects.read(oidOf('blob', 'loo')).content.toString()).toBe('loo')
  })

  // More than two chunks of the database.
  const long = Buffer.from(Uint32Array.from({ length: 600_000 }, (_, i) => i * i * 31).buffer)
  const stored = put(
    packOf([{ type: 'blob', content: long, packed: deflateSync(long, { level: 0 }) }]),
  )
  test('across chunks of the database', () => {
    expect(stored().objects.read(oidOf('blob', long)).content.equals(long)).toBe(true)
  })

  const empty = put({})
  test('even where the tree without entries is not stored', () => {
    const oid = oidOf('tree', '')
    expect(empty().objects.has(oid)).toBe(true)
    expect(empty().objects.read(oid)).toEqual({ oid, type: 'tree', content: Buffer.alloc(0) })
  })

  const two = put({ ...blob(), ...looseOf('blob', `${text}.`) })
  test('up to a size', () => {
    const large = failure('git-too-large', /^an object has 1[78] bytes; the limit is 16/)
    const { objects } = two({ maxObject: 16 })
    expect(() => objects.read(oid)).toThrow(large)
    expect(() => objects.read(oidOf('blob', `${text}.`))).toThrow(large)
    expect(two({ maxObject: 17 }).objects.read(oid).content.toString()).toBe(text)
  })

  const most = 32 * 2 ** 20
  const tree = { type: 'tree', content: '', size: most + 1 } as const
  const wider = Buffer.from([0, ...varint(most + 1), 1, 0])
  const large = put({
    ...packOf([
      { ...tree, oid: A },
      { type: 'tree', content: '' },
      { type: 'named-delta', content: wider, base: oidOf('tree', ''), oid: B },
      { ...tree, type: 'blob', oid: C },
    ]),
    [`objects/dd/${'d'.repeat(38)}`]: deflateSync(`commit ${most + 1}\0`),
    [`objects/ee/${'e'.repeat(38)}`]: deflateSync(`tag ${most + 1}\0`),
  })
  test.each([
    [32, 'a tree', A],
    [32, 'a tree that is stored as a difference', B],
    [8, 'a commit', 'd'.repeat(40)],
    [8, 'a tag', 'e'.repeat(40)],
  ])('up to %i MiB, if that is %s: it is refused before it is unpacked', (mib, _, oid) => {
    const { objects } = large({ maxObject: Number.POSITIVE_INFINITY })
    const message = `^a \\w+ has 33554433 bytes; the limit is ${mib * 2 ** 20}`
    const refused = failure('git-too-large', new RegExp(message))
    expect(() => objects.read(oid)).toThrow(refused)
    expect(() => objects.stream(oid)).toThrow(refused)
    expect(() => objects.read(C)).toThrow(damaged(/unpacks to 0 bytes instead of 33554433/))
  })

  const likely = put({
    ...packOf([{ type: 'blob', content: 'x', oid: `abcd${'1'.repeat(36)}` }]),
    [`objects/ab/cd${'2'.repeat(36)}`]: 'y',
    [`objects/ab/ce${'2'.repeat(36)}`]: 'z',
  })
  test('by the beginning of an id, unless several begin so', () => {
    expect(likely().resolve('abcd1')).toBe(`abcd${'1'.repeat(36)}`)
    expect(likely().resolve('abce')).toBe(`abce${'2'.repeat(36)}`)
    expect(() => likely().resolve('abcd')).toThrow('several objects match')
  })
})

/** The same files, one of them changed. */
const changed = (files: Files, path: RegExp, change: (bytes: Buffer) => Buffer): Files =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      path.test(name) ? change(Buffer.from(content as Buffer)) : content,
    ]),
  )

const written =
  (at: number, ...values: number[]) =>
  (bytes: Buffer) => {
    bytes.set(values, at)
    return bytes
  }

const cut = (end: number) => (bytes: Buffer) => bytes.subarray(0, end)

describe('G4: what is damaged is said to be', () => {
  const PACK = /pack$/
  const INDEX = /idx$/
  const BROKEN: [string, Files, RegExp][] = [
    ['bytes changed in a pack', changed(blob(), PACK, written(20, 255, 255)), /byte 14 is damaged/],
    ['a pack that ends early', changed(blob(), PACK, cut(20)), /byte 14 is .* unexpected end/],
    ['a pack that is empty', changed(blob(), PACK, cut(0)), /byte 12 is .* the pack ends here/],
    ['content of another object', blob({ content: 'something else\n' }), /does not match its id/],
    ['more than is announced', blob({ size: 5 }), /it unpacks to more than 5 bytes/],
    ['less than is announced', blob({ size: 500 }), /it unpacks to 17 bytes instead of 500/],
    ['a type that is none', changed(blob(), PACK, written(12, 0x50)), /unknown object type 5/],
    [
      'a base before the pack',
      blob({ type: 'offset-delta', base: 13 }),
      /its delta base is outside the pack/,
    ],
    [
      'a base at itself',
      blob({ type: 'offset-delta', base: 0 }),
      /its delta base is outside the pack/,
    ],
    ['a base that is missing', blob({ type: 'named-delta', base: A }), /base a{40} is missing/],
    ['a base that it is itself', blob({ type: 'named-delta', base: oid }), /more than 4095 deltas/],
    ['an index of nothing', changed(blob(), INDEX, cut(0)), /expected the index of a pack/],
    [
      'an index that ends early',
      changed(blob(), INDEX, cut(1050)),
      /size is not that of an index of 1 /,
    ],
    ['an index of version 3', changed(blob(), INDEX, written(7, 3)), /version 1 or 2/],
    ['an index out of order', changed(blob(), INDEX, written(8, 9)), /out of order/],
    [
      'an index that points out of the pack',
      changed(blob(), INDEX, written(1056, 0, 0, 99, 99)),
      /the pack ends here/,
    ],
    [
      'an index that points nowhere',
      changed(blob(), INDEX, written(1056, 255, 255, 255, 255)),
      /the index ends early/,
    ],
    [
      'a file that is no object',
      { [`objects/${oid.replace(/^../, '$&/')}`]: 'x' },
      /header check|end of file|not a Git object/,
    ],
    ['a file of another object', looseOf('blob', 'something', oid), /does not match its id/],
    ['a file of no known type', looseOf('blub', text, oid), /not a Git object/],
  ]
  const repositories = BROKEN.map(([what, files, message]) => ({ what, message, open: put(files) }))
  test.each(repositories)('$what', ({ open, message }) => {
    expect(() => open().objects.read(oid)).toThrow(damaged(message))
  })

  const DELTAS: [string, Buffer, RegExp][] = [
    ['for a base of another size', first(1, 3), /is for 3 bytes, its base has 17/],
    ['that copies beyond its base', delta(17, 9, 0x91, 10, 9), /copies from outside its base/],
    ['that makes more than it says', delta(17, 3, 0x90, 4), /copies from outside its base/],
    ['that makes less than it says', delta(17, 3, 0x90, 2), /makes 2 bytes of 3/],
    ['with more when all is made', delta(17, 3, 0x90, 3, 1, 65), /copies from outside its base/],
    ['that inserts beyond its end', delta(17, 9, 9, 1), /copies from outside its base/],
    ['that ends in a number', Buffer.from([17, 0x80]), /ends early/],
    ['with an operation that is none', delta(17, 1, 0), /copies from outside its base/],
  ]
  const onDeltas = DELTAS.map(([what, content, message]) => {
    const objects: PackedObject[] = [{ type: 'named-delta', content, base: oid, oid: A }]
    return { what, message, open: put(packOf([{ type: 'blob', content: text }, ...objects])) }
  })
  test.each(onDeltas)('a delta $what', ({ open, message }) => {
    expect(() => open().objects.read(A)).toThrow(damaged(message))
  })

  const circle = put({
    ...packOf([{ type: 'named-delta', content: first(1), base: B, oid: A }], '1'),
    ...packOf([{ type: 'named-delta', content: first(1), base: A, oid: B }], '2'),
  })
  test('a circle of deltas through two packs', () => {
    expect(() => circle().objects.read(A)).toThrow(damaged(/its delta bases form a cycle/))
  })

  const zeros = Buffer.alloc(16 * 2 ** 20)
  const bombs = put({
    ...blob({ packed: deflateSync(zeros, { level: 9 }), size: 100 }),
    [`objects/aa/${'a'.repeat(38)}`]: deflateSync(
      Buffer.concat([Buffer.from('blob 100\0'), zeros]),
    ),
  })
  test('a few bytes that unpack to gigabytes, without unpacking them', () => {
    const { objects } = bombs()
    const before = process.memoryUsage().arrayBuffers
    expect(() => objects.read(oid)).toThrow(damaged(/more than 100 bytes/))
    expect(() => objects.read(A)).toThrow(damaged(/more than 109 bytes/))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 2 ** 20)
  })

  const huge = put(
    packOf([
      { type: 'blob', content: text },
      { type: 'named-delta', content: delta(17, 2 ** 33, 0x90, 1), base: oid, oid: A },
    ]),
  )
  test('a delta that announces gigabytes', () => {
    expect(() => huge().objects.read(A)).toThrow(failure('git-too-large', /8589934592 bytes/))
  })

  const lost = put({ 'objects/pack/pack-it.pack': blob()['objects/pack/pack-it.pack'] as Buffer })
  test('an object that is missing, and one whose pack has no index', () => {
    const missing = failure('git-object-missing', /^there is no object [0-9a-f]{40}$/)
    expect(() => lost().objects.read(oid)).toThrow(missing)
    expect(() => lost().objects.read(A)).toThrow(missing)
    expect(lost().objects.has(oid)).toBe(false)
  })

  const NO_TREE = 'author Ada <> 0 +0000\n\nNo tree\n'
  const BAD_PARENT = commitOf(oidOf('tree', '')).replace('\nauthor', '\nparent x\nauthor')
  const CUT_TREE = treeOf(['100644', 'a', A]).subarray(0, 20)
  const OF_CUT_TREE = commitOf(oidOf('tree', CUT_TREE))
  const OF_BLOB = commitOf(oid)
  const commits = [NO_TREE, BAD_PARENT, OF_CUT_TREE, OF_BLOB]
  const spoiled = put({
    ...packOf([
      ...commits.map((content) => ({ type: 'commit', content }) as const),
      { type: 'tree', content: CUT_TREE },
      { type: 'blob', content: text },
    ]),
  })
  test('commits and trees that are none', async () => {
    const logged = (content: string) => spoiled().log(oidOf('commit', content)).next()
    const walked = (content: string) => spoiled().walk(oidOf('commit', content)).next()
    await expect(logged(NO_TREE)).rejects.toThrow(damaged(/names no tree/))
    await expect(logged(BAD_PARENT)).rejects.toThrow(damaged(/a parent has no id/))
    await expect(walked(OF_CUT_TREE)).rejects.toThrow(damaged(/no valid entry at byte 0/))
    await expect(walked(OF_BLOB)).rejects.toThrow(damaged(/to be a tree, found a blob/))
  })

  const sha256 = put({ 'refs/heads/main': `${'a'.repeat(64)}\n` })
  const reftable = put({ 'reftable/tables.list': 'x.ref\n', HEAD: 'ref: refs/heads/.invalid\n' })
  test('repositories with ids of 64 digits, and with refs in tables', () => {
    expect(() => sha256()).toThrow(failure('git-unsupported', /SHA-1/))
    expect(() => reftable()).toThrow(failure('git-unsupported', /reftable/))
  })

  const evil = treeOf(['100644', 'gone', A], ['40000', 'folder', oid], ['160000', 'elsewhere', C])
  const head = commitOf(oidOf('tree', evil), 'It\n', B)
  const torn = put({
    ...looseOf('commit', head),
    ...looseOf('tree', evil),
    ...looseOf('blob', text),
    [`objects/cc/${'c'.repeat(38)}`]: 'rubbish',
  })
  test('what is missing, damaged or of another type on the way from refs', async () => {
    const refs = [
      { name: 'refs/heads/main', oid: oidOf('commit', head) },
      { name: 'refs/heads/bad', oid: C },
      { name: 'HEAD', oid: null },
    ]
    const found = await listOf(walkObjects(torn().objects, refs))
    const commit = oidOf('commit', head)
    const what = found.map(({ oid, broken, ...reached }) => [broken, oid, describeReached(reached)])
    expect(what.sort()).toEqual([
      ['damaged', C, 'the object that refs/heads/bad names'],
      ['missing', A, expect.stringContaining(`at ${commit}:`)],
      ['missing', B, `the commit that ${commit} names`],
      ['type', oid, expect.stringContaining(`at ${commit}:`)],
    ])
  })
})

describe('G1, G2: nothing of a repository is obeyed', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'git-elsewhere-'))
  const [[path = '', content] = []] = Object.entries(looseOf('blob', text))
  mkdirSync(join(elsewhere, dirname(path)), { recursive: true })
  writeFileSync(join(elsewhere, path), content as Buffer)
  afterAll(() => rmSync(elsewhere, { recursive: true }))

  const own = commitOf(oidOf('tree', ''))
  const evil = put({
    ...looseOf('commit', own),
    'refs/heads/main': `${oidOf('commit', own)}\n`,
    'objects/info/alternates': `${elsewhere}/objects\n`,
    commondir: `${elsewhere}\n`,
    gitdir: `${elsewhere}\n`,
    config: `[core]\n\tbare = nonsense\n\trepositoryformatversion = 99\n[include]\n\tpath = ${elsewhere}\n`,
    'hooks/post-checkout': '#!/bin/sh\nexit 1\n',
  })
  test('no settings, and no alternates', async () => {
    expect(await evil().log().next()).toMatchObject({ value: { message: 'A commit\n' } })
    expect(() => evil().objects.read(oid)).toThrow(failure('git-object-missing', /there is no/))
  })
})

describe('G7: there may be nothing to read', () => {
  const page = commitOf(oidOf('tree', ''), 'A page\n')
  const name = repositories.put(
    {
      HEAD: 'ref: refs/heads/master\n',
      'refs/heads/master': `${oidOf('commit', page)}\n`,
      ...looseOf('commit', page),
    },
    'ada/only.wiki',
  )
  test('except for a wiki whose repository is missing', async () => {
    const wiki = openRepository(repositories.database(), name)
    expect(await wiki.log().next()).toMatchObject({ value: { message: 'A page\n' } })
    expect(() => openRepository(repositories.database(), 'ada/only')).toThrow('no Git data')
  })

  const empty = put({})
  test('in an empty repository, and at a HEAD without commits', async () => {
    const unborn = failure('git-revision-not-found', /refs\/heads\/main has no commits yet/)
    await expect(empty().log().next()).rejects.toThrow(unborn)
    await expect(empty().walk().next()).rejects.toThrow(unborn)
    await expect(empty().readFile('HEAD', 'README.md')).rejects.toThrow(unborn)
    expect(await empty().refs().next()).toMatchObject({ value: { name: 'HEAD', oid: null } })
  })

  test('of a repository that does not exist', () => {
    const missing = failure('repository-not-found', /ada\/nowhere/)
    expect(() => openRepository(repositories.database(), 'ada/nowhere')).toThrow(missing)
  })
})

test('Trees as deep or as large as their author likes end with an error', async () => {
  const { objects } = deep()
  expect(() => [...walkTree(objects, deepest)]).toThrow(failure('git-too-large', /1024 levels/))
  expect(() => [...compareTrees(objects, undefined, deepest)]).toThrow(
    failure('git-too-large', /1024 levels/),
  )
  const walk = walkTree(objects, widest)
  for (let i = 0; i < 1000; i++) expect(walk.next().done).toBe(false)
  const walked = walkObjects(objects, [{ name: 'x', oid: widest }])
  expect(await listOf(walked)).toEqual([])
  expect(createPathComparer(objects, [['a', 'a', 'a', 'b']])(widest, undefined)).toBe(false)
})

test('Trees that are large and lie in each other are refused', THOROUGH, async () => {
  const thickest = nestedInLarge(3)
  const { database } = await loaded(repositoryOf('ada/thick', packOf(thickest.trees)))
  const { objects } = openRepository(database, 'ada/thick')
  const refused = failure('git-too-large', /trees above it have more than 67108864 bytes/)
  expect(() => [...walkTree(objects, thickest.top)]).toThrow(refused)
  expect(() => [...compareTrees(objects, undefined, thickest.top)]).toThrow(refused)
})

/** A tree in a tree, and so on, each of 22 MiB. */
function nestedInLarge(levels: number): { trees: PackedObject[]; top: string } {
  const filling = Array.from({ length: 22 }, (_, i) =>
    treeOf(['100644', String(i).padEnd(2 ** 20, 'x'), A]),
  )
  let top = oidOf('tree', '')
  const trees = Array.from({ length: levels }, (): PackedObject => {
    const content = Buffer.concat([treeOf(['40000', 'a', top]), ...filling])
    top = oidOf('tree', content)
    return { type: 'tree', content, packed: deflateSync(content, { level: 1 }) }
  })
  return { trees, top }
}

/** A tree of trees of trees, each named `a` and, if wide, once more `b`. */
function nested(levels: number, wide: boolean): { trees: PackedObject[]; top: string } {
  let top = oidOf('tree', '')
  const trees = Array.from({ length: levels }, (): PackedObject => {
    const one = ['40000', 'a', top] as const
    const content = wide ? treeOf(one, ['40000', 'b', top]) : treeOf(one)
    top = oidOf('tree', content)
    return { type: 'tree', content }
  })
  return { trees, top }
}

const narrow = nested(2_000, false)
const wide = nested(64, true)
const deepest = narrow.top
const widest = wide.top
const deep = put(packOf([...narrow.trees, ...wide.trees]))
