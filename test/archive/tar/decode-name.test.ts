import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeName } from '../../../src/archive/tar/decode-name.ts'
import { codePoint } from '../../support/code-point.ts'

test('A name in UTF-8 is what it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const bytes = Buffer.from(text)
      const name = bytes.toString('utf8') // a lone surrogate has no UTF-8 form
      expect(decodeName(bytes.toString('latin1'))).toEqual({ name, isUtf8: true })
    }),
  )
})

test('T7: each byte that is not UTF-8 is escaped by itself', () => {
  const name = Buffer.from([0x61, 0xff, 0xc3, 0xa4, 0xc3, 0x62, 0xed, 0xa0, 0x80, 0xf0, 0x9f])
  expect(decodeName(name.toString('latin1'))).toEqual({
    name: 'a%ffä%c3b%ed%a0%80%f0%9f',
    isUtf8: false,
  })
})

test('T7: bytes are UTF-8 if Node.js says so', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const { isUtf8 } = decodeName(Buffer.from(bytes).toString('latin1'))
      const decoded = Buffer.from(Buffer.from(bytes).toString('utf8'))
      expect(isUtf8).toBe(decoded.equals(bytes))
    }),
  )
})
