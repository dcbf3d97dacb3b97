import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { zipOf } from '../../samples/make/bitbucket-issues.ts'
import { readZip } from '../../src/archive/read-zip.ts'
import type { Problem } from '../../src/base/errors.ts'
import type { Limits } from '../../src/base/limits.ts'
import { collect } from '../../src/base/streams.ts'
import { folderOf } from '../support/folder.ts'
import { THOROUGH } from '../support/thorough.ts'

/** What a zip of these bytes holds. */
async function read(bytes: Uint8Array, limits: Partial<Limits> = {}) {
  const path = join(await folderOf(), 'it.zip')
  writeFileSync(path, bytes)
  const problems: Problem[] = []
  const contents: Record<string, string> = {}
  const report = (problem: Problem) => problems.push(problem)
  for await (const entry of readZip(path, { limits, report })) {
    contents[entry.path] = (await collect(entry.content)).toString()
  }
  return { contents, problems }
}

/** Replaces bytes wherever they are: names stand in a zip twice. */
const replaced = (zip: Buffer, from: string, to: string): Buffer =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')

/** A zip that is compressed, or not. */
async function compressedZip(
  files: Record<string, string | Buffer>,
  compress = true,
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), path, { compress })
  }
  zip.end()
  return collect(zip.outputStream as Readable)
}

const ZIP = await zipOf({ 'db-1.0.json': '{}', 'a/b.txt': 'tea', 'c.txt': 'milk' })

test('Members are read in the order of the directory, with their paths normalized', async () => {
  const { contents } = await read(replaced(ZIP, 'a/b.txt', './b.txt'))
  expect(contents).toEqual({ 'db-1.0.json': '{}', 'b.txt': 'tea', 'c.txt': 'milk' })
})

test.each(['../.txt', '/b/.txt', 'C:/.txt'])('path-hostile: %s is refused', async (name) => {
  await expect(read(replaced(ZIP, 'a/b.txt', name))).rejects.toMatchObject({ code: 'path-hostile' })
})

test('zip-damaged: a content with another checksum, and a directory that lies', async () => {
  await expect(read(replaced(ZIP, 'milk', 'silk'))).rejects.toMatchObject({
    code: 'zip-damaged',
    place: { entry: 'c.txt' },
  })
  const lying = Buffer.from(ZIP)
  // The size of the last member as the directory has it.
  const at = lying.lastIndexOf('PK\x01\x02')
  lying.writeUInt32LE(2 ** 30, at + 20)
  lying.writeUInt32LE(2 ** 30, at + 24)
  await expect(read(lying)).rejects.toMatchObject({ code: 'zip-damaged' })
})

test('zip-damaged: members that share their bytes', async () => {
  const lines = ZIP.subarray(ZIP.indexOf('PK\x01\x02'), ZIP.indexOf('PK\x05\x06'))
  const end = Buffer.from(ZIP.subarray(ZIP.indexOf('PK\x05\x06')))
  const times = 20
  end.writeUInt16LE(3 * times, 8)
  end.writeUInt16LE(3 * times, 10)
  end.writeUInt32LE(lines.length * times, 12)
  const bomb = Buffer.concat([
    ZIP.subarray(0, ZIP.indexOf('PK\x01\x02')),
    ...Array.from({ length: times }, () => lines),
    end,
  ])
  await expect(read(bomb)).rejects.toMatchObject({
    code: 'zip-damaged',
    message: 'its members overlap, or it ends too early',
  })
})

test('entry-type: a symbolic link is skipped', async () => {
  const linked = Buffer.from(ZIP)
  linked.writeUInt16LE(0o120777, linked.lastIndexOf('PK\x01\x02') + 40)
  const { contents, problems } = await read(linked)
  expect(Object.keys(contents)).toEqual(['db-1.0.json', 'a/b.txt'])
  expect(problems).toMatchObject([{ code: 'entry-type', place: { entry: 'c.txt' } }])
})

test('archive-unsupported: an encrypted member', async () => {
  const encrypted = Buffer.from(ZIP)
  const at = encrypted.lastIndexOf('PK\x01\x02')
  encrypted.writeUInt16LE(encrypted.readUInt16LE(at + 8) | 1, at + 8)
  // What is encrypted has twelve bytes more.
  encrypted.writeUInt32LE(encrypted.readUInt32LE(at + 20) + 12, at + 20)
  await expect(read(encrypted)).rejects.toMatchObject({ code: 'archive-unsupported' })
})

test.each([
  ['limit-entries', { entries: 2 }],
  ['limit-path', { path: 8 }],
  ['limit-parts', { parts: 1 }],
  ['limit-extracted', { extracted: 5 }],
])('%s', async (code, limits) => {
  await expect(read(ZIP, limits)).rejects.toMatchObject({ code })
})

test('Small members and large ones, compressed or not, are the same', async () => {
  const contents = { small: 'tea '.repeat(1000), large: 'tea '.repeat(200_000), empty: '' }
  for (const compress of [true, false]) {
    expect((await read(await compressedZip(contents, compress))).contents).toEqual(contents)
  }
})

test.each(['small', 'large'])(
  'zip-damaged: a %s member of another size than said',
  async (size) => {
    const zip = await compressedZip({ it: 'tea '.repeat(size === 'small' ? 1000 : 200_000) })
    const at = zip.lastIndexOf('PK\x01\x02') + 24
    for (const difference of [-1, 1]) {
      const lying = Buffer.from(zip)
      lying.writeUInt32LE(zip.readUInt32LE(at) + difference, at)
      await expect(read(lying)).rejects.toMatchObject({ code: 'zip-damaged' })
    }
  },
)

test('limit-expansion: a member of nothing but zeros', THOROUGH, async () => {
  const bomb = await compressedZip({ zeros: Buffer.alloc(65 * 2 ** 20) })
  await expect(read(bomb)).rejects.toMatchObject({ code: 'limit-expansion' })
})

test('More members than 16 bits count are read', THOROUGH, async () => {
  const { contents } = await read(await zipOfMany(66_000))
  expect(Object.keys(contents).length).toBe(66_000)
})

/** A zip with that many files such as `00007`, whose directory counts them in 64 bits. */
async function zipOfMany(count: number): Promise<Buffer> {
  const one = await zipOf({ '00000': 'x' })
  const directory = one.indexOf('PK\x01\x02')
  const end = one.indexOf('PK\x05\x06')
  const named = (part: Buffer, i: number) => {
    const copy = Buffer.from(part)
    copy.write(String(i).padStart(5, '0'), part.indexOf('00000'))
    return copy
  }
  const members: Buffer[] = []
  const lines: Buffer[] = []
  for (let i = 0; i < count; i++) {
    members.push(named(one.subarray(0, directory), i))
    const line = named(one.subarray(directory, end), i)
    line.writeUInt32LE(i * directory, 42)
    lines.push(line)
  }
  const [start, size] = [count * directory, count * (end - directory)]
  const large = Buffer.alloc(56)
  large.write('PK\x06\x06')
  large.writeBigUInt64LE(44n, 4)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07')
  locator.writeBigUInt64LE(BigInt(start + size), 8)
  locator.writeUInt32LE(1, 16)
  const small = Buffer.from(one.subarray(end))
  small.fill(0xff, 8, 20)
  return Buffer.concat([...members, ...lines, large, locator, small])
}
