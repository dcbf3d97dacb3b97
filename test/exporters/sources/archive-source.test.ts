import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collect } from '../../../src/base/streams.ts'
import { openArchiveSource } from '../../../src/exporters/sources/archive-source.ts'
import { generateArchive } from '../../bench/generate-archive.ts'
import { folderOf } from '../../support/folder.ts'

const archive = await collect(generateArchive({ records: 200, seed: 1 }))

/** How many records of each table come parsed, and how many unparsed. */
async function read(takesScanned: boolean) {
  const path = join(await folderOf({ 'it.tar': archive }), 'it.tar')
  const parsed: Record<string, number> = {}
  const scanned: Record<string, number> = {}
  const source = openArchiveSource(path, 'it')
  try {
    await source.read({
      records(table, _kind, records) {
        parsed[table] = (parsed[table] ?? 0) + records.length
      },
      ...(takesScanned && {
        scanned(table, _entry, { records }) {
          scanned[table] = (scanned[table] ?? 0) + records
        },
      }),
      rows() {},
    })
  } finally {
    source.close()
  }
  return { parsed, scanned }
}

test('Canonical records of an archive come unparsed, except those that name its files', async () => {
  const { parsed, scanned } = await read(true)
  expect(Object.keys(scanned)).toContain('issue_comments')
  expect(Object.keys(parsed)).not.toContain('issue_comments')
  expect(Object.keys(scanned)).not.toContain('attachments')
  expect({ ...parsed, ...scanned }).toEqual((await read(false)).parsed)
})

test('All records come parsed if nobody takes them unparsed', async () => {
  const { parsed, scanned } = await read(false)
  expect(Object.keys(parsed)).toContain('issue_comments')
  expect(scanned).toEqual({})
})

test('A folder has no identity, so that it is always exported again', async () => {
  const source = openArchiveSource(await folderOf({ 'schema.json': '{}' }), 'it')
  try {
    expect(await source.identify()).toBeUndefined()
  } finally {
    source.close()
  }
})
