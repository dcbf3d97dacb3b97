import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { gunzip } from '../../../src/archive/gzip/gunzip.ts'
import type { Problem } from '../../../src/base/errors.ts'
import { type Bytes, collect } from '../../../src/base/streams.ts'
import { untilError } from '../../support/entries.ts'
import { failingAfter, fedEveryWay, inPiecesOf, watched } from '../../support/pieces.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

// Hardly compressible, so that a cut falls into the middle of something.
const text = Array.from({ length: 50 }, (_, i) => ((i * 7919) ** 3).toString(36)).join(' ')
const gz = gzipSync(text)

/** The text in gzip data, and what was reported. */
async function read(bytes: Bytes): Promise<{ text: string; problems: Problem[] }> {
  const problems: Problem[] = []
  const content = await collect(gunzip(bytes, { report: (problem) => void problems.push(problem) }))
  return { text: content.toString(), problems }
}

/** A gzip member with a header of these flags and fields. */
function withFields(flags: number, fields: string): Buffer {
  const head = Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3])
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(text))
  trailer.writeUInt32LE(text.length, 4)
  return Buffer.concat([head, Buffer.from(fields, 'latin1'), deflateRawSync(text), trailer])
}

/** A copy with one byte changed. */
function damagedAt(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = at < 0 ? bytes.length + at : at
  copy[index] = (copy[index] as number) ^ 0xff
  return copy
}

const readFromTruncated = (length: number) => fedEveryWay(gz.subarray(0, length), read)

describe('gunzip', () => {
  test('gives what was compressed', async () => {
    expect(await fedEveryWay(gz, read)).toEqual({ text, problems: [] })
  })

  test('gives nothing of compressed nothing', async () => {
    expect(await fedEveryWay(gzipSync(''), read)).toEqual({ text: '', problems: [] })
  })

  test('skips a name, a comment, an extra field and a checksum in the header', async () => {
    const bytes = withFields(0x1e, '\x03\x00abcarchive.tar\0no comment\0??')
    expect(await fedEveryWay(bytes, read)).toEqual({ text, problems: [] })
  })

  test('reads data that is stored, not compressed', async () => {
    const stored = gzipSync(text, { level: constants.Z_NO_COMPRESSION })
    expect(await fedEveryWay(stored, read)).toEqual({ text, problems: [] })
  })

  test('T14: reads several members as one', async () => {
    const members = Buffer.concat([gz, gzipSync('and '), gzipSync(''), gzipSync('more')])
    expect(await fedEveryWay(members, read)).toEqual({ text: `${text}and more`, problems: [] })
  })

  test('T14: takes zeros at the end for padding', async () => {
    const padded = Buffer.concat([gz, Buffer.alloc(1000)])
    expect(await fedEveryWay(padded, read)).toEqual({ text, problems: [] })
  })

  everyDay(2)([
    ['text', 'garbage, and more of it'],
    ['a single byte', 'x'],
    ['zeros and then text', '\0\0\0\0\0\0\0\0\0\0\0\0garbage'],
    ['a part of a header', '\x1f\x8b\x08'],
    ['what only begins like a header', '\x1f\x8b\xff\xff and then something else'],
  ])('T14: reports %s after the end and reads the bytes before it', async (_, garbage) => {
    const bytes = Buffer.concat([gz, Buffer.from(garbage, 'latin1')])
    const { text: found, problems } = await fedEveryWay(bytes, read)
    expect(found).toBe(text)
    const message = `${garbage.length} bytes follow the compressed data`
    expect(problems).toEqual([{ code: 'gzip-trailing', place: {}, message }])
  })

  test('reports garbage after the last of several members', async () => {
    const bytes = Buffer.concat([gz, gz, Buffer.from('garbage')])
    const { text: found, problems } = await fedEveryWay(bytes, read)
    expect(found).toBe(text + text)
    expect(problems.map(({ code }) => code)).toEqual(['gzip-trailing'])
  })

  everyDay(2)([7, 15, 1, 8, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14])(
    'T14: notices a cut after %i sixteenths',
    async (sixteenths) => {
      const cut = readFromTruncated(Math.floor((gz.length * sixteenths) / 16))
      await expect(cut).rejects.toMatchObject({ code: 'gzip-truncated' })
    },
  )

  test('notices a cut in the header and in the checksum', async () => {
    for (const length of [2, 3, 9, 10, 11, gz.length - 9, gz.length - 8, gz.length - 1]) {
      await expect(readFromTruncated(length)).rejects.toMatchObject({ code: 'gzip-truncated' })
    }
  })

  test('notices a cut in a name, an extra field and a header checksum', async () => {
    const bytes = withFields(0x1e, '\x03\x00abcarchive.tar\0no comment\0??')
    for (let length = 10; length < 42; length++) {
      const cut = read(inPiecesOf(bytes.subarray(0, length)))
      await expect(cut).rejects.toMatchObject({ code: 'gzip-truncated' })
    }
  })

  test('notices a cut in the second member', async () => {
    const bytes = Buffer.concat([gz, gz]).subarray(0, -5)
    await expect(fedEveryWay(bytes, read)).rejects.toMatchObject({ code: 'gzip-truncated' })
  })

  test('says after how many bytes the archive ends', async () => {
    await expect(readFromTruncated(99)).rejects.toThrow(
      'the archive ends too early, after 99 bytes',
    )
  })

  test('returns the bytes before the cut', async () => {
    const half = gz.subarray(0, gz.length / 2)
    const found = await fedEveryWay(half, async (bytes) => {
      const { items } = await untilError(gunzip(bytes))
      return Buffer.concat(items).toString()
    })
    expect(text.startsWith(found)).toBe(true)
    expect(found.length).toBeGreaterThan(text.length / 4)
  })

  everyDay(1)([
    ['a bad checksum', damagedAt(gz, -8)],
    ['a bad length', damagedAt(gz, -1)],
    ['a byte changed in the data', damagedAt(gz, gz.length >> 1)],
    ['an unknown method', damagedAt(gz, 2)],
    ['unknown flags', damagedAt(gz, 3)],
    ['a bad checksum in the second member', Buffer.concat([gz, damagedAt(gz, -8)])],
  ])('T14: refuses %s', async (_, bytes) => {
    await expect(fedEveryWay(bytes, read)).rejects.toMatchObject({ code: 'gzip-damaged' })
  })

  test('T15: refuses what expands beyond the limit', THOROUGH, async () => {
    const bomb = Buffer.concat(Array(9).fill(gzipSync(Buffer.alloc(8 * 2 ** 20))))
    const reading = collect(gunzip(inPiecesOf(bomb, 1000), { limits: { expansion: 500 } }))
    await expect(reading).rejects.toMatchObject({ code: 'limit-expansion' })
  })

  test('lets archives below 64 MiB expand as they like', async () => {
    const small = gzipSync(Buffer.alloc(10 * 2 ** 20))
    const content = await collect(gunzip(inPiecesOf(small), { limits: { expansion: 1 } }))
    expect(content.length).toBe(10 * 2 ** 20)
  })

  test('closes the source when the reader stops early', async () => {
    const source = watched(inPiecesOf(gz, 100))
    for await (const _ of gunzip(source.bytes)) break
    expect(source.closed).toBe(true)
  })

  test('reads the source to its end, whatever follows the data', async () => {
    const source = watched(inPiecesOf(Buffer.concat([gz, Buffer.alloc(5000, 'x')]), 1000))
    await collect(gunzip(source.bytes))
    expect(source.asked).toBe(Math.ceil((gz.length + 5000) / 1000))
  })

  test('hands on what the source throws', async () => {
    const error = new Error('unplugged')
    await expect(collect(gunzip(failingAfter(gz.subarray(0, 300), error)))).rejects.toBe(error)
  })
})
