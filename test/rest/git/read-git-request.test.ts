import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { collect } from '../../../src/base/streams.ts'
import { readGitRequest } from '../../../src/rest/git/read-git-request.ts'
import { inPiecesOf } from '../../support/pieces.ts'

const text = 'have '.repeat(1_000)
const read = (body: Uint8Array, encoding: string | null, most?: number) =>
  collect(readGitRequest(inPiecesOf(Buffer.from(body)), encoding, most))

test('The request of a Git client may be compressed', async () => {
  for (const encoding of ['gzip', 'x-gzip', ' GZIP ']) {
    expect((await read(gzipSync(text), encoding)).toString()).toBe(text)
  }
  expect((await read(Buffer.from(text), null)).toString()).toBe(text)
})

test('Its inflated length is limited', async () => {
  for (const [body, encoding] of [
    [gzipSync(text), 'gzip'],
    [Buffer.from(text), null],
  ] as const) {
    await expect(read(body, encoding, 4_999)).rejects.toMatchObject({ status: 413 })
    await expect(read(body, encoding, 5_000)).resolves.toHaveLength(5_000)
  }
})

test('Another encoding, and bytes that are not compressed, are refused', async () => {
  await expect(read(Buffer.from(text), 'br')).rejects.toMatchObject({ status: 415 })
  await expect(read(Buffer.from(text), 'gzip')).rejects.toMatchObject({ status: 400 })
  const cut = gzipSync(text).subarray(0, -9)
  await expect(read(cut, 'gzip')).rejects.toMatchObject({ status: 400 })
})
