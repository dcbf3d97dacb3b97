import { describe, expect, test } from 'vitest'
import { ByteSource } from '../../../src/archive/gzip/byte-source.ts'
import { fedEveryWay, inPiecesOf, watched } from '../../support/pieces.ts'

describe('ByteSource', () => {
  test('returns the requested number of bytes, and fewer at the end', async () => {
    const taken = await fedEveryWay('abcdefgh', async (bytes) => {
      const source = new ByteSource(bytes)
      return [
        await source.take(3),
        await source.take(0),
        await source.take(99),
        await source.take(1),
      ]
    })
    expect(taken.map(String)).toEqual(['abc', '', 'defgh', ''])
  })

  test('gives again what was given back', async () => {
    const source = new ByteSource(inPiecesOf('abcdef', 4))
    const piece = (await source.next()) as Uint8Array
    source.unread(piece.subarray(1))
    expect(String(await source.take(4))).toBe('bcde')
  })

  test('gives nothing after the last piece', async () => {
    const source = new ByteSource(inPiecesOf('abc'))
    await source.next()
    expect(await source.next()).toBeUndefined()
  })

  test('counts the bytes of the source, not those given back', async () => {
    const source = new ByteSource(inPiecesOf('abcdef', 4))
    await source.take(1)
    await source.take(1)
    expect(source.bytesRead).toBe(4)
  })

  test('lets go of the source', async () => {
    const source = watched(inPiecesOf('abcdef', 2))
    const bytes = new ByteSource(source.bytes)
    await bytes.next()
    await bytes.close()
    expect(source.closed).toBe(true)
  })
})
