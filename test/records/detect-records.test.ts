import { expect, test } from 'vitest'
import { asBytes, collect } from '../../src/base/streams.ts'
import { detectRecords } from '../../src/records/detect-records.ts'

const detected = async (stem: string, text: string, size = 3) => {
  const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  const { isRecords, bytes } = await detectRecords(stem, asBytes(pieces.map((p) => Buffer.from(p))))
  expect((await collect(bytes)).toString()).toBe(text)
  return isRecords
}

test.each(['[]', ' \n\t[{}]', '\ufeff[]', '\ufeff \n[]'])(
  'A file of an unknown kind with %j is a record file',
  async (text) => {
    expect(await detected('gadgets', text)).toBe(true)
  },
)

test.each(['', '{}', 'x[]', '"[]"', '\u0000[]', ' '.repeat(5000)])(
  'A file of an unknown kind with %j is another file with such a name',
  async (text) => {
    expect(await detected('gadgets', text, 1000)).toBe(false)
  },
)

test.each(['', '{}', 'damaged'])('A file of a known kind with %j is damaged', async (text) => {
  expect(await detected('issues', text)).toBe(true)
})

test('J9: kinds named like members of all objects are unknown', async () => {
  expect(await detected('constructor', '{}')).toBe(false)
  expect(await detected('__proto__', '{}')).toBe(false)
})
