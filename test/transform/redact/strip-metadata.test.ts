import { deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stripMetadata } from '../../../src/transform/redact/strip-metadata.ts'
import { runs } from '../../support/property-runs.ts'

const SECRET = 'Grace Hopper'

const segment = (marker: number, text: string): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length + 2)
  return Buffer.concat([Buffer.from([0xff, marker]), length, Buffer.from(text, 'latin1')])
}
const START = Buffer.from('ffd8', 'hex')
const END = Buffer.from('ffd9', 'hex')
/** A scan, with a byte of FF and a restart in it. */
const SCAN = Buffer.concat([segment(0xda, 'scan'), Buffer.from('12ff0034ffd056', 'hex')])
const jpeg = (...parts: Buffer[]) => Buffer.concat([START, ...parts, END])
const TABLES = segment(0xdb, 'tables')

const pngChunk = (type: string, data: string): Buffer => {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length)
  bytes.write(type + data, 4, 'latin1')
  return bytes
}
const png = (...parts: Buffer[]) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', 'x'.repeat(13)),
    ...parts,
    pngChunk('IDAT', 'picture'),
    pngChunk('IEND', ''),
  ])

const webpChunk = (type: string, data: string): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, Buffer.from(data, 'latin1'), Buffer.alloc(data.length % 2)])
}
const webp = (...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const head = Buffer.from('RIFF....WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

/** A color profile with a white point and a text. */
function profileWith(text: string): string {
  const bytes = Buffer.alloc(128 + 4 + 24 + 20)
  bytes.write('acsp', 36)
  bytes.writeUInt32BE(2, 128)
  bytes.write('wtpt', 132)
  bytes.set([0, 0, 0, 156, 0, 0, 0, 20], 136)
  bytes.write('dscm', 144)
  bytes.set([0, 0, 0, 176, 0, 0, 0, 8 + text.length], 148)
  bytes.write('XYZ \0\0\0\0a white point', 156, 'latin1')
  return `${bytes.toString('latin1')}text\0\0\0\0${text}`
}
const PLAIN_PROFILE = profileWith('\0'.repeat(SECRET.length))
const compressed = (profile: string) =>
  deflateSync(Buffer.from(profile, 'latin1')).toString('latin1')

describe('The texts of a color profile are taken out, and its colors stay:', () => {
  const inSegments = (profile: string, at: number) =>
    jpeg(
      segment(0xe2, `ICC_PROFILE\0\x02\x02${profile.slice(at)}`),
      segment(0xe2, `ICC_PROFILE\0\x01\x02${profile.slice(0, at)}`),
      SCAN,
    )
  test.each<[string, (profile: string) => Buffer]>([
    ['of a JPEG', (profile) => inSegments(profile, 160)],
    ['of a WebP', (profile) => webp(webpChunk('ICCP', profile), webpChunk('VP8 ', 'picture'))],
  ])('%s', (_, picture) => {
    const plain = picture(PLAIN_PROFILE)
    expect(stripMetadata(picture(profileWith(SECRET)))).toEqual(plain)
    expect(stripMetadata(plain)).toEqual(plain)
  })

  test('of a PNG, with its name', () => {
    const plain = stripMetadata(
      png(pngChunk('iCCP', `${SECRET}\0\0${compressed(profileWith(SECRET))}`)),
    )
    const chunk = (plain as Buffer).subarray((plain as Buffer).indexOf('iCCP'))
    const [name] = chunk.toString('latin1').split('\0')
    expect(name).toBe('iCCPICC profile')
    const profile = inflateSync(chunk.subarray(`${name}\0\0`.length))
    expect(profile.toString('latin1')).toBe(PLAIN_PROFILE)
    expect(stripMetadata(plain as Buffer)).toEqual(plain)
  })

  test.each([
    ['no profile', SECRET],
    ['data outside', PLAIN_PROFILE.slice(0, 170)],
    ['more tags than bytes', `${PLAIN_PROFILE.slice(0, 128)}\xff\xff\xff\xff${SECRET}`],
  ])('one with %s is left out', (_, profile) => {
    const pixels = webpChunk('VP8 ', 'picture')
    expect(stripMetadata(webp(webpChunk('ICCP', profile), pixels))).toEqual(webp(pixels))
    expect(stripMetadata(inSegments(profile, 3))).toEqual(jpeg(SCAN))
    const inPng = stripMetadata(png(pngChunk('iCCP', `x\0\0${compressed(profile)}`)))
    expect(inPng).toEqual(png())
  })
})

describe('A JPEG', () => {
  test('keeps what draws it: JFIF, color profile, color transform, tables and all scans', () => {
    const picture = jpeg(
      segment(0xe0, 'JFIF\0x'),
      segment(0xe2, `ICC_PROFILE\0\x01\x02${PLAIN_PROFILE.slice(0, 140)}`),
      segment(0xe2, `ICC_PROFILE\0\x02\x02${PLAIN_PROFILE.slice(140)}`),
      segment(0xee, 'Adobe\0d\0\0\0\0\x01'),
      TABLES,
      SCAN,
      segment(0xc4, 'more tables'),
      SCAN,
    )
    expect(stripMetadata(picture)?.equals(picture)).toBe(true)
  })

  test.each([
    ['a comment', segment(0xfe, SECRET)],
    ['EXIF', segment(0xe1, `Exif\0\0${SECRET}`)],
    ['a small picture beside JFIF', segment(0xe0, `JFXX\0${SECRET}`)],
    ['a list of further pictures', segment(0xe2, `MPF\0${SECRET}`)],
    ['IPTC', segment(0xed, SECRET)],
    ['more than a color transform', segment(0xee, `Adobe${SECRET}`)],
  ])('loses %s, also between two scans', (_, part) => {
    const stripped = stripMetadata(jpeg(part, TABLES, SCAN, part, SCAN))
    expect(stripped?.equals(jpeg(TABLES, SCAN, SCAN))).toBe(true)
  })

  test('ends where the first picture ends: a second one has metadata of its own', () => {
    const first = jpeg(TABLES, SCAN)
    const both = Buffer.concat([first, jpeg(segment(0xe1, SECRET), SCAN), Buffer.from(SECRET)])
    expect(stripMetadata(both)?.equals(first)).toBe(true)
  })
})

describe('A PNG', () => {
  test.each(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'caBX', 'prVt'])('loses %s', (type) => {
    const picture = png(pngChunk('gAMA', 'abcd'), pngChunk('acTL', '12345678'))
    const stripped = stripMetadata(
      png(pngChunk('gAMA', 'abcd'), pngChunk(type, SECRET), pngChunk('acTL', '12345678')),
    )
    expect(stripped?.equals(picture)).toBe(true)
  })

  test('ends where the picture ends', () => {
    expect(stripMetadata(Buffer.concat([png(), Buffer.from(SECRET)]))?.equals(png())).toBe(true)
  })
})

test('A WebP loses EXIF, XMP and unknown chunks, and the flags that announce them', () => {
  const flagged = webpChunk('VP8X', '\x3c\0\0\x0a3456')
  const parts = ['EXIF', 'XMP ', 'note'].map((type) => webpChunk(type, SECRET))
  const stripped = stripMetadata(webp(flagged, webpChunk('VP8L', 'odd'), ...parts))
  expect(
    stripped?.equals(webp(webpChunk('VP8X', '\x30\0\0\x0a3456'), webpChunk('VP8L', 'odd'))),
  ).toBe(true)
})

test('A damaged picture, or none, is not taken for one', () => {
  for (const bytes of [
    Buffer.from('GIF89a'),
    Buffer.alloc(0),
    jpeg(TABLES),
    jpeg(TABLES, SCAN).subarray(0, 8),
    png().subarray(0, 40),
    webp(webpChunk('VP8L', 'longer')).subarray(0, 24),
  ]) {
    expect(stripMetadata(bytes)).toBeUndefined()
  }
})

test('Whatever follows the first bytes, nothing is thrown, and stripping twice is stripping once', () => {
  const heads = fc.constantFrom(START, png().subarray(0, 8), webp())
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom(TABLES, SCAN, END, pngChunk('IDAT', 'x'), pngChunk('IEND', '')),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(heads, parts, (head, rest) => {
      const once = stripMetadata(Buffer.concat([head, ...rest]))
      if (once) expect(stripMetadata(once)?.equals(once)).toBe(true)
    }),
    { numRuns: runs(300) },
  )
})
