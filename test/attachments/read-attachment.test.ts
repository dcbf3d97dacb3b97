import { describe, expect, test } from 'vitest'
import { readAttachment } from '../../src/attachments/read-attachment.ts'
import { collect } from '../../src/base/streams.ts'
import { loaded, recordFile } from '../support/load.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'
import { archiveOf, attachment, png } from '../support/uploads.ts'

const large = Buffer.alloc(2.5 * 2 ** 20, 'attachment ')
const path = 'attachments/1/a.png'

/** The code of the error that reading ends with. */
const failure = (content: AsyncIterable<Uint8Array>) =>
  collect(content).then(
    () => 'none',
    ({ code }) => code,
  )

describe('readAttachment', () => {
  test('gives the content by address and by path, piece by piece', async () => {
    const { database } = await loaded(archiveOf({ 1: [large] }))
    for (const named of [attachment('1').url, path]) {
      const content = await collect(readAttachment(database, named))
      expect(content.equals(large), named).toBe(true)
    }
    const sizes: number[] = []
    for await (const piece of readAttachment(database, path)) sizes.push(piece.length)
    expect(sizes).toEqual([2 ** 20, 2 ** 20, 2 ** 19])
  })

  test('gives nothing of an empty file', THOROUGH, async () => {
    const { database } = await loaded(archiveOf({ 1: [''] }))
    expect(await collect(readAttachment(database, path))).toHaveLength(0)
  })

  test('A3: says which is missing', async () => {
    const { database } = await loaded(recordFile('attachments', attachment('1')))
    for (const named of [attachment('1').url, path, 'nowhere']) {
      expect(() => readAttachment(database, named)).toThrow(
        expect.objectContaining({ code: 'entry-not-found', place: { entry: named } }),
      )
    }
  })

  test('says that contents were not loaded', async () => {
    const { database } = await loaded(archiveOf({ 1: [png()] }), { files: false })
    expect(await failure(readAttachment(database, path))).toBe('content-missing')
  })

  everyDay(1)([
    ["UPDATE chunks SET bytes = x'00'", 'other content'],
    ['DELETE FROM file_chunks WHERE position = 1', 'less content'],
    ['UPDATE files SET size = 1', 'another size'],
  ])('A3: fails after %s, which makes it %s', async (sql) => {
    const { database } = await loaded(archiveOf({ 1: [large] }))
    database.exec(sql)
    expect(await failure(readAttachment(database, path))).toBe('database-damaged')
  })
})
