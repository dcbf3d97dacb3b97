import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { cloneRepository } from '../../src/git/clone/clone-repository.ts'
import type { ObjectLimits } from '../../src/git/objects/object-store.ts'
import { openRepository } from '../../src/git/open-repository.ts'
import { verifyRepository } from '../../src/git/verify/verify-repository.ts'
import {
  commitOf,
  looseOf,
  oidOf,
  type PackedObject,
  packOf,
  treeOf,
} from '../support/build-pack.ts'
import type { Files } from '../support/build-tar.ts'
import { listOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { repositorySet } from '../support/repository-set.ts'
import { run } from '../support/run-command.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const MIB = 2 ** 20

const { put, database, path } = repositorySet()

const objectsOf = (name: string, limits?: ObjectLimits) =>
  openRepository(database(), name, limits).objects

// More than is read at once, and than a chunk of the database.
const large = Buffer.from(Uint32Array.from({ length: 280_000 }, (_, i) => i * i * 31).buffer)
const oid = oidOf('blob', large)

/** A pack with the large blob, or what is said to be that. */
const packed = (more: Partial<PackedObject> = {}) =>
  packOf([{ type: 'blob', content: large, packed: stored, oid, ...more }])
const stored = deflateSync(large, { level: 0 })

/** The files of a repository whose branch main has these files. */
function commitWith(...entries: (readonly [mode: string, name: string, oid: string])[]): Files {
  const tree = treeOf(...entries)
  const commit = commitOf(oidOf('tree', tree))
  return {
    ...looseOf('tree', tree),
    ...looseOf('commit', commit),
    'refs/heads/main': `${oidOf('commit', commit)}\n`,
  }
}

describe('A large object', () => {
  const inPack = put(packed())
  const alone = put(looseOf('blob', large))
  test.each([
    ['in a pack', inPack],
    ['in a file of its own', alone],
  ])('%s comes in pieces', async (_, name) => {
    const { content, ...told } = objectsOf(name).stream(oid)
    const pieces = await listOf(content as AsyncIterable<Buffer>)
    expect(told).toEqual({ oid, type: 'blob', size: large.length })
    expect(Buffer.concat(pieces).equals(large)).toBe(true)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(MIB / 4)
  })

  test('is not larger than the limit', () => {
    for (const name of [inPack, alone]) {
      const { stream } = objectsOf(name, { maxObject: large.length - 1 })
      expect(() => stream(oid)).toThrow(expect.objectContaining({ code: 'git-too-large' }))
    }
  })

  // Too large to be kept for others that are made of it, and the delta that copies its first MiB.
  const base = Buffer.alloc(9 * MIB, 'The kettle boils. ')
  const start = base.subarray(0, MIB)
  const sizes = [0x80, 0x80, 0xc0, 0x04, 0x80, 0x80, 0x40] // 9 MiB and 1 MiB
  const delta = Buffer.from([...sizes, 0xc0, 0x10])
  const different = put(
    packOf([
      { type: 'blob', content: base },
      { type: 'named-delta', content: delta, base: oidOf('blob', base), oid: oidOf('blob', start) },
    ]),
  )
  test('that is stored as a difference comes in pieces, and its size before them', async () => {
    const { content, ...told } = objectsOf(different).stream(oidOf('blob', start))
    expect(told).toMatchObject({ type: 'blob', size: start.length })
    const pieces = await listOf(content as AsyncIterable<Buffer>)
    expect(pieces.length).toBe(4)
    expect(Buffer.concat(pieces).equals(start)).toBe(true)
  })

  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))]
  /** Copies the beginning of its base four times: a few bytes that ask for much more. */
  const fourTimes = (length: number, from: number) =>
    Buffer.from([
      ...varint(from),
      ...varint(4 * length),
      ...Array.from({ length: 4 }, () => [0xc0, length / 2 ** 16]).flat(),
    ])
  const seed = Buffer.alloc(4 * MIB, 'A seed. ')
  const bombOid = oidOf('blob', Buffer.alloc(32 * MIB, 'A seed. '))
  const between = 'a'.repeat(40)
  const bomb = put(
    packOf([
      { type: 'blob', content: seed },
      ...[
        { content: fourTimes(4 * MIB, 4 * MIB), base: oidOf('blob', seed), oid: between },
        { content: fourTimes(8 * MIB, 16 * MIB), base: between, oid: bombOid },
      ].map((delta): PackedObject => ({ type: 'named-delta', ...delta })),
    ]),
  )
  const temporary = () => readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`))
  test(
    'that is made of large ones goes by way of temporary files, which it takes away',
    THOROUGH,
    async () => {
      const { stream } = objectsOf(bomb)
      // Other tests of this process may still have theirs.
      const others = new Set(temporary())
      const own = () => temporary().filter((name) => !others.has(name))
      let [length, files] = [0, 0]
      for await (const piece of stream(bombOid).content as AsyncIterable<Buffer>) {
        length += piece.length
        files ||= own().length
      }
      expect(files).toBeGreaterThan(0)
      // The last piece only comes if all of it is what the id says.
      expect(length).toBe(32 * MIB)
      expect(own()).toEqual([])
      for await (const _ of stream(bombOid).content as AsyncIterable<Buffer>) break
      expect(own()).toEqual([])
    },
  )

  const zeros = Buffer.alloc(32 * MIB)
  const giant = put(packOf([{ type: 'blob', content: zeros, packed: deflateSync(zeros) }]))
  test('takes no more memory than a few chunks', THOROUGH, async () => {
    const { content } = objectsOf(giant).stream(oidOf('blob', zeros))
    const before = process.memoryUsage().arrayBuffers
    for await (const piece of content) {
      expect(piece.length).toBeLessThanOrEqual(MIB / 4)
      break
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB)
  })

  test('is read whole by the library, or piece by piece', async () => {
    const repository = openRepository(database(), whole)
    expect((await repository.readFile('main', 'large')).equals(large)).toBe(true)
    const pieces = await listOf(repository.streamFile('main', 'large'))
    expect(pieces.length).toBeGreaterThan(4)
    expect(Buffer.concat(pieces).equals(large)).toBe(true)
    await expect(repository.streamFile('main', 'small').next()).rejects.toMatchObject({
      code: 'git-path-not-found',
    })
  })

  const whole = put({ ...packed(), ...commitWith(['100644', 'large', oid]) })
  test('is written to a work tree, as the file it is', async () => {
    const directory = join(await folderOf(), 'work')
    await cloneRepository(database(), whole, directory, { worktree: true })
    expect(readFileSync(join(directory, 'large')).equals(large)).toBe(true)
  })

  const tag = `object ${oid}\ntype blob\ntag v1\n\nA large file\n`
  const tagged = put({
    ...packed(),
    ...looseOf('tag', tag),
    'refs/tags/v1': `${oidOf('tag', tag)}\n`,
    'refs/tags/itself': `${oid}\n`,
  })
  test('is shown with its tag, and is no commit', async () => {
    const { stdout } = await run(['repo', 'show', path(), tagged, 'v1'])
    expect(stdout).toBe(`tag v1\n\n    A large file\n\n${large}`)
    const { resolve } = openRepository(database(), tagged)
    for (const name of ['v1', 'itself']) {
      expect(resolve(`${name}^{}`)).toBe(oid)
      expect(() => resolve(name, 'commit')).toThrow('it is not a commit')
    }
  })

  test('is printed and shown', THOROUGH, async () => {
    for (const command of ['cat', 'show']) {
      const { stdout } = await run(['repo', command, path(), whole, 'main:large'])
      expect(stdout).toBe(large.toString())
    }
  })
})

test('A small object comes at once', () => {
  const { content } = objectsOf(small).stream(oidOf('blob', 'small'))
  expect(content).toEqual([Buffer.from('small')])
})
const small = put(looseOf('blob', 'small'))

describe('G4: a large object that is damaged never comes whole:', () => {
  const other = Buffer.concat([large.subarray(0, -1), Buffer.from('x')])
  const flipped = Buffer.from(stored)
  flipped.writeUInt8(flipped.readUInt8(MIB) ^ 1, MIB)
  const object = Buffer.concat([Buffer.from(`blob ${large.length}\0`), large])
  const alone = (change: (bytes: Buffer) => Buffer) => ({
    [`objects/${oid.replace(/^../, '$&/')}`]: change(deflateSync(object, { level: 0 })),
  })
  const BROKEN: [string, Files, RegExp][] = [
    ['content of another one', packed({ packed: deflateSync(other) }), /does not match its id/],
    ['more than it says', packed({ size: MIB + 1 }), /unpacks to more than 1048577 bytes/],
    ['less than it says', packed({ size: 9 * MIB }), /unpacks to 1120000 bytes instead of 9437184/],
    ['changed bytes', packed({ packed: flipped }), /incorrect data check/],
    ['no end', packed({ packed: stored.subarray(0, -9) }), /damaged: /],
    ['another one alone', looseOf('blob', other, oid), /does not match its id/],
    ['no end alone', alone((bytes) => bytes.subarray(0, -9)), /unexpected end of file/],
  ]
  const repositories = BROKEN.map(([what, files, message]) => ({
    what,
    message,
    name: put({ ...files, ...commitWith(['100644', 'large', oid]) }),
  }))

  everyDay(1)(repositories)('$what', async ({ name, message }) => {
    const { content, size } = objectsOf(name).stream(oid)
    let bytes = 0
    const reading = async () => {
      for await (const piece of content) bytes += piece.length
    }
    await expect(reading()).rejects.toMatchObject({
      code: 'git-object-damaged',
      message: expect.stringMatching(message),
    })
    expect(bytes).toBeLessThan(Math.min(size, large.length))
  })

  everyDay(1)(repositories)('$what, and is a fault', async ({ name }) => {
    const faults = await listOf(verifyRepository(database(), name))
    const code = expect.stringMatching(/^git-(?:pack|index|object)-damaged$/)
    expect(faults).toContainEqual(expect.objectContaining({ code, oid }))
  })

  const { name } = repositories[0] as { name: string }
  test('which leaves no work tree', THOROUGH, async () => {
    const folder = await folderOf()
    const cloning = cloneRepository(database(), name, join(folder, 'work'), { worktree: true })
    await expect(cloning).rejects.toMatchObject({ code: 'git-object-damaged' })
    expect(readdirSync(folder)).toEqual([])
  })

  everyDay(1)(['cat', 'show'])('which repo %s says after what it printed', async (command) => {
    const { code, stdout, stderr } = await run(['repo', command, path(), name, 'main:large'])
    expect(code).toBe(3)
    expect(stdout.length).toBeLessThan(large.toString().length)
    expect(stderr).toMatch(/the content of [0-9a-f]{40} does not match its id/)
  })
})

describe('G6: in a work tree', () => {
  const name = put({
    ...packed(),
    ...commitWith(['100644', '.gitmodules', oid], ['120000', 'link', oid]),
  })
  test('a link is not as long as a large object, and a large .gitmodules is not parsed', async () => {
    const directory = join(await folderOf(), 'work')
    const { notes } = await cloneRepository(database(), name, directory, { worktree: true })
    expect(notes).toEqual([
      '.gitmodules is too large to be checked: its submodules may run programs',
      'link was left out: the link is too long',
    ])
    expect(existsSync(join(directory, 'link'))).toBe(false)
    expect(readFileSync(join(directory, '.gitmodules')).equals(large)).toBe(true)
  })
})
