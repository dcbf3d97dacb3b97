import { expect, test } from 'vitest'
import { write, writeBytes } from './write.ts'

test('raw separates columns by tabs and rows by line feeds', () => {
  const text = write('raw', {
    columns: ['a', 'b'],
    rows: [
      [1, 'x'],
      [2, '\x1b\n'],
    ],
  })
  expect(text).toBe('1\tx\n2\t\x1b\n\n')
})

test('raw writes a single blob byte for byte', () => {
  const blob = new Uint8Array([0, 10, 255])
  expect(writeBytes('raw', { columns: ['a'], rows: [[blob]] })).toEqual(Buffer.from(blob))
})

test('raw ends a row of several blobs with a line feed', () => {
  const blob = new Uint8Array([255])
  const bytes = writeBytes('raw', { columns: ['a', 'b'], rows: [[blob, blob]] })
  expect(bytes).toEqual(Buffer.from([255, 9, 255, 10]))
})
