import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BLOCK, tarHeader, tarPadding, templateOf } from '../../../src/archive/tar/tar-header.ts'

const member = {
  name: 'users_000001.json',
  size: 12,
  mode: 0o644,
  modifiedAt: new Date('2024-05-01T12:00:00Z'),
}

/** A field of a header, up to its end. */
const fieldOf = (block: Buffer, at: number, width: number) =>
  block.toString('latin1', at, at + width).replace(/\0.*$/s, '')

const sumOf = (block: Buffer) =>
  block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)

describe('A header', () => {
  test('has the name, numbers in octal digits, and a checksum over all of it', () => {
    const block = tarHeader(member)
    expect(block.length).toBe(BLOCK)
    expect(fieldOf(block, 0, 100)).toBe('users_000001.json')
    expect(fieldOf(block, 100, 8)).toBe('0000644')
    expect(Number.parseInt(fieldOf(block, 124, 12), 8)).toBe(12)
    expect(Number.parseInt(fieldOf(block, 136, 12), 8)).toBe(Date.UTC(2024, 4, 1, 12) / 1000)
    expect(Number.parseInt(fieldOf(block, 148, 8), 8)).toBe(sumOf(block))
    expect(fieldOf(block, 156, 1)).toBe('0')
  })

  test('of a directory has its type', () => {
    expect(fieldOf(tarHeader({ ...member, name: 'attachments/', size: 0 }), 156, 1)).toBe('5')
  })

  test('of a file above 8 GiB has its size as a binary number', () => {
    const size = 2 ** 33 + 5
    const block = tarHeader({ ...member, size })
    expect(block[124]).toBe(0x80)
    expect(Number(block.readBigUInt64BE(128))).toBe(size)
  })

  test('cannot hold a time before 1970: it has the first one that it can', () => {
    const block = tarHeader({ ...member, modifiedAt: new Date(-1) })
    expect(Number.parseInt(fieldOf(block, 136, 12), 8)).toBe(0)
  })

  test('comes after one with the whole name if that has more than 100 bytes', () => {
    const name = `attachments/${'ä'.repeat(50)}`
    const blocks = tarHeader({ ...member, name })
    expect(blocks.length).toBe(3 * BLOCK)
    expect(fieldOf(blocks, 0, 100)).toBe('././@LongLink')
    expect(fieldOf(blocks, 156, 1)).toBe('L')
    expect(Number.parseInt(fieldOf(blocks, 124, 12), 8)).toBe(Buffer.byteLength(name) + 1)
    expect(blocks.toString('utf8', BLOCK, BLOCK + Buffer.byteLength(name) + 1)).toBe(`${name}\0`)
    const last = blocks.subarray(2 * BLOCK)
    expect(last.subarray(0, 100).equals(Buffer.from(name).subarray(0, 100))).toBe(true)
  })
})

test('The template of a header makes the same header again, whatever its numbers', () => {
  const anyMember = fc.record({
    name: fc.stringMatching(/^[a-z/]{1,100}$/),
    size: fc.nat(2 ** 40),
    mode: fc.nat(0o777),
    modifiedAt: fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
  })
  fc.assert(
    fc.property(anyMember, (given) => {
      const block = tarHeader(given)
      expect(tarHeader(given, templateOf(block)).equals(block)).toBe(true)
    }),
  )
})

test('Two members of an archive share a template, though not their names and numbers', () => {
  const other = { ...member, name: 'issues_000002.json', size: 99, mode: 0o755 }
  expect(templateOf(tarHeader(other))).toBe(templateOf(tarHeader(member)))
})

test.each([
  [0, 0],
  [1, 511],
  [511, 1],
  [512, 0],
  [513, 511],
])('%i bytes are followed by a padding of %i', (size, padding) => {
  expect(tarPadding(size).length).toBe(padding)
})
