import { expect, test } from 'vitest'
import { assertSize } from '../../../src/archive/tar/assert-size.ts'
import { collect } from '../../../src/base/streams.ts'

const place = { entry: 'attachments/1/x' }
const read = (chunks: unknown[], size: number) =>
  collect(assertSize(chunks as Uint8Array[], size, place))

test('Content of the declared size passes unchanged, in any pieces', async () => {
  expect((await read([Buffer.from('ab'), Buffer.from(''), Buffer.from('c')], 3)).toString()).toBe(
    'abc',
  )
  expect(await read([], 0)).toEqual(Buffer.alloc(0))
})

test.each([
  ['more', [Buffer.from('abcd')], 'expected 3 bytes, found more'],
  ['less', [Buffer.from('ab')], 'expected 3 bytes, found 2'],
  ['none', [], 'expected 3 bytes, found 0'],
])('Content with %s is refused', async (_, chunks, message) => {
  await expect(read(chunks, 3)).rejects.toMatchObject({ code: 'content-size', message, place })
})

test('An endless content is refused at the first chunk too many', async () => {
  let read = 0
  function* endless() {
    for (;;) {
      read++
      yield Buffer.alloc(10)
    }
  }
  await expect(collect(assertSize(endless(), 25, place))).rejects.toMatchObject({
    code: 'content-size',
  })
  expect(read).toBe(3)
})

test('A text is no content', async () => {
  await expect(read(['abc'], 3)).rejects.toMatchObject({ code: 'content-not-bytes', place })
})
