import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ArchiveForm } from '../../../src/archive/entry.ts'
import { decompress } from '../../../src/archive/gzip/decompress.ts'
import { type Bytes, collect } from '../../../src/base/streams.ts'
import { type Dialect, tarOf } from '../../support/build-tar.ts'
import { failingAfter, fedEveryWay, inPiecesOf, watched } from '../../support/pieces.ts'
import { everyDay } from '../../support/thorough.ts'

const tar = tarOf({ 'schema.json': '{}' })

const read = (bytes: Bytes) => collect(decompress(bytes))

describe('decompress', () => {
  test('gives the tar in gzip', async () => {
    expect(await fedEveryWay(gzipSync(tar), read)).toEqual(tar)
  })

  test('T14: gives a plain tar as it is', async () => {
    expect(await fedEveryWay(tar, read)).toEqual(tar)
  })

  everyDay(4)<[string, string | Buffer, string?]>([
    ['is empty', ''],
    [
      'is a web page, perhaps an error message',
      '<!DOCTYPE html>\n<html><body>Not Found</body></html>',
    ],
    ['is a web page, perhaps an error message', '\n <HTML>'],
    ['is an XML document, perhaps an error message', '<?xml version="1.0"?><Error>Expired</Error>'],
    ['is an XML document, perhaps an error message', '<Error><Code>AccessDenied</Code></Error>'],
    ['is JSON', '{"message":"Not Found"}', 'archive-is-json'],
    ['is a zip archive', Buffer.from('PK\x03\x04 and so on'), 'archive-unsupported'],
    ['is compressed with zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0]), 'archive-unsupported'],
    [
      'is compressed with xz',
      Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
      'archive-unsupported',
    ],
    ['is compressed with bzip2', 'BZh91AY', 'archive-unsupported'],
    ['is a SQLite database', 'SQLite format 3\0', 'archive-is-database'],
    ['is neither gzip nor tar', 'hello'],
    ['is neither gzip nor tar', Buffer.from([0x1f])],
    ['is neither gzip nor tar', tar.subarray(0, 511)],
    ['is compressed twice', gzipSync(gzipSync(tar)), 'archive-unsupported'],
    ['is a web page, perhaps an error message', gzipSync('<html>')],
    ['is JSON', gzipSync('[{"type":"issue"}]'), 'archive-is-json'],
    ['is empty', gzipSync('')],
  ])(
    'T14: says of a file that is no archive that it %s',
    async (found, bytes, code = 'not-an-archive') => {
      await expect(fedEveryWay(bytes, read)).rejects.toMatchObject({
        code,
        message: `expected a tar.gz, but this ${found}`,
      })
    },
  )

  test.each<Dialect>(['v7', 'gnu', 'ustar', 'pax'])(
    'notes a tar in the %s form',
    async (dialect) => {
      const form: ArchiveForm = {}
      await collect(decompress(inPiecesOf(tarOf({ 'schema.json': '{}' }, { dialect })), { form }))
      expect(form).toEqual({ container: 'tar', dialect })
    },
  )

  test('notes that a tar is compressed', async () => {
    const form: ArchiveForm = {}
    await collect(decompress(inPiecesOf(gzipSync(tar)), { form }))
    expect(form.container).toBe('gzip')
  })

  test.each<[string, string | Buffer, string?]>([
    ['an archive', gzipSync(tar)],
    ['a plain tar', tar],
  ])('closes the source of %s when the reader stops early', async (_, bytes) => {
    const source = watched(inPiecesOf(bytes, 100))
    for await (const _ of decompress(source.bytes)) break
    expect(source.closed).toBe(true)
  })

  test('closes a source that is not an archive', async () => {
    const source = watched(inPiecesOf('<html>'.repeat(1000), 100))
    await expect(collect(decompress(source.bytes))).rejects.toThrow('a web page')
    expect(source.closed).toBe(true)
  })

  test('stops when the signal fires', async () => {
    const controller = new AbortController()
    const chunks = decompress(inPiecesOf(tar, 512), { signal: controller.signal })
    await chunks.next()
    controller.abort()
    await expect(chunks.next()).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('hands on what the source throws, be it before or after the first block', async () => {
    const error = new DOMException('stop', 'AbortError')
    for (const length of [0, 10, 1000]) {
      await expect(read(failingAfter(tar.subarray(0, length), error))).rejects.toBe(error)
      await expect(read(failingAfter(gzipSync(tar).subarray(0, length / 10), error))).rejects.toBe(
        error,
      )
    }
  })
})
