import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { looksInsteadLike } from '../../src/rules/media-type.ts'
import { png } from '../support/uploads.ts'

const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex')
const ZIP = Buffer.from('504b030414000600', 'hex')
const HTML = Buffer.from('\ufeff\r\n <!DOCTYPE html><script>alert(1)</script>')
const SVG = Buffer.from('<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="…" onload="alert(1)"/>')
const text = Buffer.from('Some text.')

test.each([
  ['image/png', png()],
  ['Image/PNG; charset=binary', png()],
  ['image/jpg', JPEG],
  ['application/gzip', gzipSync('')],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ZIP],
  ['text/plain', text],
  ['text/plain', HTML],
  ['text/html', text],
  ['image/svg+xml', SVG],
  ['image/svg+xml', text],
  ['application/octet-stream', JPEG],
  ['application/x-of-somebody', deflateRawSync('x')],
  ['', png()],
])('what is declared as %j may be that', (declared, head) => {
  expect(looksInsteadLike(declared, head)).toBeUndefined()
})

test.each([
  ['image/png', JPEG, 'image/jpeg'],
  ['image/png', HTML, 'text/html'],
  ['image/png', SVG, 'image/svg+xml'],
  ['image/png', text, 'something else'],
  ['image/png', Buffer.alloc(0), 'something else'],
  ['application/pdf', ZIP, 'application/zip'],
  ['text/plain', gzipSync('log'), 'application/gzip'],
  ['image/svg+xml', png(), 'image/png'],
])('what is declared as %s is seen through', (declared, head, found) => {
  expect(looksInsteadLike(declared, head)).toBe(found)
})
