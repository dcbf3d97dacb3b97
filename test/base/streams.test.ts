import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asBuffer, type Bytes, collect, inPieces, peek } from '../../src/base/streams.ts'
import { failingAfter, fedEveryWay, inPiecesOf, watched } from '../support/pieces.ts'

const text = 'a'.repeat(500) + 'b'.repeat(500)

describe('collect', () => {
  test('gives all bytes, however they come', async () => {
    expect(String(await fedEveryWay(text, collect))).toBe(text)
  })

  test('gives an empty Buffer of nothing', async () => {
    expect(await collect(inPiecesOf(''))).toEqual(Buffer.alloc(0))
  })
})

describe('asBuffer', () => {
  test('shares the memory of the array', () => {
    const bytes = new Uint8Array([1, 2, 3, 4])
    const buffer = asBuffer(bytes.subarray(1, 3))
    bytes[1] = 9
    expect([...buffer]).toEqual([9, 3])
  })

  test('gives a Buffer as it is', () => {
    const buffer = Buffer.from('x')
    expect(asBuffer(buffer)).toBe(buffer)
  })
})

/** Copies of the pieces, as each takes the place of the one before. */
async function piecesOf(bytes: Bytes, size: number): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for await (const piece of inPieces(bytes, Buffer.alloc(size))) pieces.push(Buffer.from(piece))
  return pieces
}

describe('inPieces', () => {
  test('cuts bytes into pieces of one size and a shorter last one', async () => {
    const pieces = await fedEveryWay(text, (bytes) => piecesOf(bytes, 300))
    expect(pieces.map(({ length }) => length)).toEqual([300, 300, 300, 100])
    expect(Buffer.concat(pieces).toString()).toBe(text)
  })

  test('gives no empty last piece', async () => {
    const pieces = await fedEveryWay(text, (bytes) => piecesOf(bytes, 500))
    expect(pieces.map(String)).toEqual(['a'.repeat(500), 'b'.repeat(500)])
  })

  test('gives nothing of nothing', async () => {
    expect(await piecesOf(inPiecesOf(''), 5)).toEqual([])
  })

  test('changes no byte, whatever the sizes', async () => {
    const size = fc.integer({ min: 1, max: 60 })
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), size, size, async (bytes, from, to) => {
        const pieces = await piecesOf(inPiecesOf(bytes, from), to)
        expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes))
        expect(pieces.slice(0, -1).every(({ length }) => length === to)).toBe(true)
      }),
    )
  })
})

describe('peek', () => {
  test('gives the first bytes, and all of them afterwards', async () => {
    const [head, bytes] = await fedEveryWay(text, async (source) => {
      const peeked = await peek(source, 400)
      return [String(peeked.head), String(await collect(peeked.bytes))]
    })
    expect(head).toBe(text.slice(0, 400))
    expect(bytes).toBe(text)
  })

  test('gives fewer where there are no more', async () => {
    const peeked = await fedEveryWay('abc', async (source) => (await peek(source, 400)).head)
    expect(String(peeked)).toBe('abc')
  })

  test('takes no more of the source than it needs', async () => {
    const source = watched(inPiecesOf(text, 100))
    await peek(source.bytes, 250)
    expect(source.asked).toBe(3)
  })

  test('lets go of a source that nobody reads on', async () => {
    const source = watched(inPiecesOf(text, 100))
    const { close } = await peek(source.bytes, 250)
    await close()
    expect(source.closed).toBe(true)
  })

  test('lets go of the source when the reader stops early', async () => {
    const source = watched(inPiecesOf(text, 100))
    const { bytes } = await peek(source.bytes, 250)
    for await (const _ of bytes) break
    expect(source.closed).toBe(true)
  })

  test('hands on what the source throws later', async () => {
    const error = new Error('unplugged')
    const { bytes } = await peek(failingAfter(text, error), 10)
    await expect(collect(bytes)).rejects.toBe(error)
  })
})
