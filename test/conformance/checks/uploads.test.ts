import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkDatabase } from '../../../src/conformance/checks/check-database.ts'
import { loaded } from '../../support/load.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { archiveOf } from '../../support/uploads.ts'

const MIB = 2 ** 20

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const IEND = Buffer.from('0000000049454e44ae426082', 'hex')
const JPEG = Buffer.from('ffd8ffe0', 'hex')
const EOI = Buffer.from('ffd9', 'hex')
const ZIP = Buffer.from('504b0304', 'hex')
const END_OF_ZIP = Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')
const text = (text: string) => Buffer.from(text)
const bytes = (...parts: Buffer[]) => Buffer.concat(parts)

/** The paths of files that were cut off, of archives with these contents. */
async function cutOff(files: Record<string, Buffer>): Promise<(string | null)[]> {
  const uploads = Object.entries(files).map(([id, content]) => [id, [content]] as const)
  const { database } = await loaded(archiveOf(Object.fromEntries(uploads) as never))
  const { findings } = await checkDatabase(database, { only: ['file-truncated'] })
  return findings.flatMap(({ places }) => places.map(({ entry }) => entry)).toSorted()
}

test('Pictures, PDFs and ZIP archives that lack their end are found, by their first bytes', async () => {
  const found = await cutOff({
    png: bytes(PNG, text('pixels'), IEND.subarray(0, -1)),
    jpeg: bytes(JPEG, text('pixels')),
    pdf: text('%PDF-1.7 and then'),
    zip: bytes(ZIP, deflateRawSync('x'), END_OF_ZIP.subarray(0, 3)),
  })
  expect(found).toEqual(['jpeg', 'pdf', 'png', 'zip'].map((id) => `attachments/${id}/a.png`))
})

test(
  'Files with their end are whole, whatever follows it, and so are files of other forms',
  THOROUGH,
  async () => {
    const found = await cutOff({
      png: bytes(PNG, text('pixels'), IEND, text('more')),
      jpeg: bytes(JPEG, text('pixels'), EOI),
      pdf: text('%PDF-1.7 and then\n%%EOF\n'),
      zip: bytes(ZIP, END_OF_ZIP, Buffer.alloc(2 ** 16 - 1, 'a comment ')),
      text: text('a log that was cut o'),
      gif: text('GIF89a'),
      // The chunk ends within the mark.
      border: bytes(PNG, Buffer.alloc(MIB - PNG.length - 8), IEND),
      borders: bytes(PNG, Buffer.alloc(2 * MIB - PNG.length - 11), IEND),
    })
    expect(found).toEqual([])
  },
)
