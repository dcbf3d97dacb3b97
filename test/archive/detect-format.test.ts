import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { detectFormat, dialectOf, isTarHeader, isZero } from '../../src/archive/detect-format.ts'
import { header, pax } from '../support/build-tar.ts'

describe('detectFormat', () => {
  test.each([
    ['gzip', gzipSync('x')],
    ['tar', header({ name: 'x' })],
    ['tar', header({ name: 'x', dialect: 'v7' })],
    ['tar', Buffer.alloc(512)],
    ['empty', Buffer.alloc(0)],
  ])('tells %s', (format, head) => {
    expect(detectFormat(head)).toBe(format)
  })

  test('knows a web page even behind blank lines', () => {
    const foreign = 'a web page, perhaps an error message'
    expect(detectFormat(Buffer.from('\r\n\r\n  <!DOCTYPE HTML>'))).toEqual({
      foreign,
      code: 'not-an-archive',
    })
  })
})

describe('isTarHeader', () => {
  test('believes a right checksum', () => {
    expect(isTarHeader(header({ name: 'x' }))).toBe(true)
  })

  test('believes no other checksum, and none at all', () => {
    expect(isTarHeader(header({ name: 'x', checksum: 7 }))).toBe(false)
    expect(isTarHeader(header({ name: 'x', checksum: '       ' }))).toBe(false)
  })

  test('needs a whole block', () => {
    expect(isTarHeader(header({ name: 'x' }).subarray(0, 511))).toBe(false)
  })
})

describe('dialectOf', () => {
  test.each([
    ['gnu', header({ dialect: 'gnu' })],
    ['ustar', header({ dialect: 'ustar' })],
    ['v7', header({ dialect: 'v7' })],
    ['pax', pax({ path: 'x' })],
    ['pax', pax({ path: 'x' }, 'g')],
  ])('tells %s', (dialect, block) => {
    expect(dialectOf(block)).toBe(dialect)
  })
})

describe('isZero', () => {
  test('recognizes zeros', () => {
    expect(isZero(Buffer.alloc(3))).toBe(true)
    expect(isZero(Buffer.alloc(0))).toBe(true)
    expect(isZero(Buffer.from([0, 0, 1]))).toBe(false)
  })
})
