import { randomBytes } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inflateWithReused, MOST_REUSED } from '../../../src/git/objects/reused-inflater.ts'

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc.nat({ max: MOST_REUSED }).map((length) => new Uint8Array(length).fill(length)),
)

test('a stream with the smallest window comes first, and others are inflated', () => {
  const text = randomBytes(2_000).toString('hex')
  for (const windowBits of [9, 15]) {
    expect(inflateWithReused(deflateSync(text, { windowBits })).toString()).toBe(text)
  }
})

test('one stream after the other is inflated, whatever follows it', () => {
  const settings = fc.record({
    level: fc.integer({ min: 0, max: 9 }),
    windowBits: fc.integer({ min: 9, max: 15 }),
  })
  const streams = fc.array(fc.tuple(contents, settings, contents))
  fc.assert(
    fc.property(streams, (all) => {
      const inflated = all.map(([content, setting, after]) =>
        inflateWithReused(Buffer.concat([deflateSync(content, setting), after])),
      )
      expect(inflated).toEqual(all.map(([content]) => Buffer.from(content)))
    }),
  )
})

const packed = deflateSync('a kettle')
const wrong = Buffer.from(packed)
wrong[packed.length - 1] = (packed.at(-1) as number) ^ 1

test.each([
  ['data that are not of zlib', Buffer.from('kettle')],
  ['a stream without its end', packed.subarray(0, -1)],
  ['a wrong checksum', wrong],
  ['no data', Buffer.alloc(0)],
  ['more than 64 KiB', deflateSync(Buffer.alloc(MOST_REUSED + 1))],
])('%s: the error is that of zlib, and the next stream is inflated', (_, data) => {
  const caught = (run: () => unknown) => {
    try {
      return run()
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return { code, message }
    }
  }
  const usual = caught(() => inflateSync(data, { maxOutputLength: MOST_REUSED }))
  expect(usual).toHaveProperty('code')
  expect(caught(() => inflateWithReused(data))).toEqual(usual)
  expect(inflateWithReused(packed).toString()).toBe('a kettle')
})
