import { describe, expect, test } from 'vitest'
import { inWindows } from '../../src/transform/windows.ts'
import { listOf } from '../support/entries.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

/** Three windows. Some characters are pairs. */
const LONG = Array.from({ length: 200_000 }, (_, i) => `${i} of many 😀`).join('\n')

describe('A long text', () => {
  test('is looked at as a whole, in parts with what surrounds them', async () => {
    const windows = await listOf(
      inWindows(inPieces(LONG, 100_003), ({ text, from, until, offset }) => {
        expect(LONG.slice(offset, offset + text.length)).toBe(text)
        return { end: until, result: text.slice(from, until) }
      }),
    )
    expect(windows.length).toBeGreaterThan(2)
    expect(windows.join('')).toBe(LONG)
    for (const part of windows) expect(part).toBe(Buffer.from(part).toString())
  })

  test('has its next part where the previous one ended', async () => {
    const ends = await listOf(
      inWindows(inPieces(LONG, 100_003), ({ from, until, offset, text }) => {
        const end = until === text.length ? until : until + 20
        return { end, result: [offset + from, offset + end] as const }
      }),
    )
    expect(ends.at(-1)?.[1]).toBe(LONG.length)
    for (const [i, [start]] of ends.entries()) expect(start).toBe(i === 0 ? 0 : ends[i - 1]?.[1])
  })
})
