import { createHash, randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gzip } from '../../../src/archive/gzip/gzip.ts'
import { collect } from '../../../src/base/streams.ts'
import { failingAfter, fedEveryWay, inPiecesOf, watched } from '../../support/pieces.ts'
import { THOROUGH } from '../../support/thorough.ts'

const BLOCK = 512 * 1024

/** Words without end, the same ones each time, which compress as prose does. */
function proseOf(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let state = 1
  for (let at = 0; at < size; ) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    at += bytes.write(`${(state >>> 16) % 5000} `, at, 'latin1')
  }
  return bytes
}

const compressed = (bytes: Uint8Array, piece?: number, level = 6): Promise<Buffer> =>
  collect(gzip(inPiecesOf(bytes, piece), { level }))

/** How many members gzip data has, told by what gunzip leaves of it. */
function isOneMember(data: Buffer): boolean {
  // gunzipSync would read a second one, too, so that its start must not be there.
  return !data.subarray(10).includes(data.subarray(0, 10))
}

describe('gzip', () => {
  it('is undone by gunzip, whatever the length', async () => {
    const prose = proseOf(3 * BLOCK)
    for (const size of [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 7]) {
      const input = prose.subarray(0, size)
      expect(gunzipSync(await compressed(input, undefined, 1)).equals(input)).toBe(true)
    }
  })

  it('is undone by gunzip, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (input) => {
        expect(gunzipSync(await compressed(input))).toEqual(Buffer.from(input))
      }),
    )
  })

  it('makes the same bytes however the input is cut', THOROUGH, async () => {
    const small = proseOf(50_000)
    await fedEveryWay(small, async (bytes) => (await collect(gzip(bytes))).toString('hex'))
    const large = proseOf(2 * BLOCK + 4321)
    const whole = await compressed(large, undefined, 1)
    for (const piece of [321, BLOCK - 1, BLOCK + 1]) {
      expect((await compressed(large, piece, 1)).equals(whole)).toBe(true)
    }
  })

  it('makes the same bytes with any number of threads', THOROUGH, async () => {
    const prose = proseOf(5 * BLOCK + 4321)
    const whole = await compressed(prose)
    for (const threads of [1, 2, 7]) {
      const data = await collect(gzip(inPiecesOf(prose), { level: 6, threads }))
      expect(data.equals(whole), `${threads} threads`).toBe(true)
    }
  })

  it('writes one member, without name or time', async () => {
    const data = await compressed(proseOf(2 * BLOCK), undefined, 1)
    expect([...data.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
    expect(isOneMember(data)).toBe(true)
  })

  // Other processors may have a zlib of another make.
  it.runIf(process.arch === 'x64')('makes the same bytes on every version of Node.js', async () => {
    const data = await compressed(proseOf(2 * BLOCK + 4321))
    expect(createHash('sha256').update(data).digest('hex')).toBe(
      '4b54bd11d4b3ed1e4e20173400a2873b78ca471559d71c2273f54f00c72afd33',
    )
  })

  it('knows in each block what was in the one before', async () => {
    const block = Buffer.concat([proseOf(BLOCK - 20_000), Buffer.alloc(20_000)])
    for (let i = 0; i < 20_000; i++) block[BLOCK - 20_000 + i] = (i * i * 31 + (i >> 3)) & 255
    const again = Buffer.concat([block, block.subarray(-20_000)])
    const alone = (await compressed(block)).length
    expect((await compressed(again)).length).toBeLessThan(alone + 500)
  })

  it('stores what is compressed already, and compresses what comes before and after it', async () => {
    const prose = proseOf(BLOCK)
    const image = randomBytes(BLOCK)
    const [alone, all] = await Promise.all([
      compressed(prose),
      compressed(Buffer.concat([prose, image, prose])),
    ])
    expect(all.includes(image.subarray(0, 10_000))).toBe(true)
    expect(all.length).toBeLessThan(BLOCK + 2 * alone.length + 1000)
    expect(gunzipSync(all).equals(Buffer.concat([prose, image, prose]))).toBe(true)
  })

  it('compresses a block of which a part is compressed already', async () => {
    const mixed = Buffer.concat([randomBytes(BLOCK / 2), proseOf(BLOCK / 2)])
    expect((await compressed(mixed)).length).toBeLessThan(0.8 * BLOCK)
  })

  it('compresses harder on a higher level', async () => {
    const prose = proseOf(BLOCK)
    const [fast, best] = await Promise.all([
      compressed(prose, BLOCK, 1),
      compressed(prose, BLOCK, 9),
    ])
    expect(best.length).toBeLessThan(fast.length)
  })

  it('passes on what its input throws', async () => {
    const fault = new Error('broken')
    await expect(collect(gzip(failingAfter(proseOf(BLOCK + 1), fault)))).rejects.toBe(fault)
  })

  it('closes its input when its reader stops', async () => {
    const source = watched(inPiecesOf(Buffer.alloc(40 * BLOCK), BLOCK))
    for await (const _ of gzip(source.bytes)) break
    expect(source.closed).toBe(true)
    expect(source.asked).toBeLessThan(40)
  })
})
