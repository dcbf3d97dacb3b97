import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asBytes } from '../../../src/base/streams.ts'
import { ByteWindow } from '../../../src/records/json/byte-window.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** A window over a text that comes in pieces of this many bytes. */
function over(text: string | Buffer, size = 3): ByteWindow {
  const bytes = Buffer.from(text as string)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  return new ByteWindow(asBytes(pieces))
}

describe('A window', () => {
  test('grows as far as a reader looks, and forgets what was dropped', async () => {
    const window = over('abcdefgh')
    expect(await window.peek()).toBe('a'.charCodeAt(0))
    expect(await window.more()).toBe(true)
    expect(window.bytes.toString()).toBe('abcdef')
    window.drop(4)
    expect([window.offset, window.bytes.toString()]).toEqual([4, 'ef'])
    expect(await window.more()).toBe(true)
    expect([window.offset, window.bytes.toString()]).toEqual([4, 'efgh'])
    expect(await window.more()).toBe(false)
    window.drop(4)
    expect(await window.peek()).toBeUndefined()
  })

  test('has the bytes of the file at its offset, however it moves', async () => {
    const anyMoves = fc.array(fc.record({ grow: fc.boolean(), drop: fc.nat(6) }), { maxLength: 30 })
    const file = Buffer.from(Array.from({ length: 97 }, (_, i) => i))
    await fc.assert(
      fc.asyncProperty(anyMoves, fc.integer({ min: 1, max: 9 }), async (moves, size) => {
        const window = over(file, size)
        for (const { grow, drop } of moves) {
          if (grow) await window.more()
          window.drop(Math.min(drop, window.bytes.length))
          const expected = file.subarray(window.offset, window.offset + window.bytes.length)
          expect(window.bytes.equals(expected)).toBe(true)
        }
      }),
    )
  })

  test('closes its source', async () => {
    let isClosed = false
    const source = (async function* () {
      try {
        yield Buffer.from('a')
      } finally {
        isClosed = true
      }
    })()
    const window = new ByteWindow(source)
    await window.more()
    await window.close()
    expect(isClosed).toBe(true)
  })
})

test.each([
  ['\ufeff[]', 3, '['],
  ['[]', 0, '['],
  ['\ufe00[]', 0, '\ufe00'],
  ['', 0, undefined],
])('%j begins at byte %i', async (text, offset, first) => {
  const window = over(text, 1)
  await window.skipMark()
  expect(window.offset).toBe(offset)
  expect(await window.peek()).toBe(first === undefined ? undefined : Buffer.from(first)[0])
})

describe('A search', () => {
  const skip = async (text: string, { after = 0, room = 100, size = 3 } = {}) => {
    const window = over(text, size)
    await window.more()
    const skipped = await window.skipTo(/\{"url":/g, after, room)
    return { skipped: skipped.toString(), offset: window.offset, rest: window.bytes.toString() }
  }

  test('stops at the next match, and returns what came before', async () => {
    expect(await skip('damage{"url":1}')).toMatchObject({ skipped: 'damage', offset: 6 })
  })

  test(
    'finds a match that is in several pieces, and one after thousands of bytes',
    THOROUGH,
    async () => {
      for (const size of [1, 2, 1000, 20_000]) {
        const { offset, skipped } = await skip(`${'x'.repeat(9999)}{"url":1}`, { size })
        expect([offset, skipped.length]).toEqual([9999, 100])
      }
    },
  )

  test('leaves out a match that is nearer than was said', async () => {
    const found = await skip('{"url":1}{"url":2}', { after: 1, size: 100 })
    expect(found).toMatchObject({ offset: 9, skipped: '{"url":1}' })
  })

  test('without a match leads to the end of the file', async () => {
    expect(await skip('damage', { room: 4 })).toEqual({ skipped: 'dama', offset: 6, rest: '' })
  })
})
