import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import type { Bytes } from '../../src/base/streams.ts'
import { untilAborted } from '../../src/base/until-aborted.ts'
import { inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { folderOf } from '../support/folder.ts'

const INTERRUPTED = { name: 'ArchiveError', code: 'interrupted' }

/** Bytes that end in silence, as of a connection that broke, and what stops waiting for them. */
function silent(): { bytes: Bytes; signal: AbortSignal; isClosed: () => boolean } {
  const controller = new AbortController()
  let isClosed = false
  let isFirst = true
  const next = async () => {
    if (!isFirst) {
      setImmediate(() => controller.abort())
      return new Promise<never>(() => {})
    }
    isFirst = false
    return { done: false as const, value: Buffer.from([0x1f, 0x8b]) }
  }
  const close = async () => {
    isClosed = true
    return { done: true as const, value: undefined }
  }
  const bytes = { [Symbol.asyncIterator]: () => ({ next, return: close }) }
  return { bytes, signal: controller.signal, isClosed: () => isClosed }
}

test('A sequence ends when its signal aborts, although its source is silent, which is closed', async () => {
  const { bytes, signal, isClosed } = silent()
  const read: Uint8Array[] = []
  const reading = (async () => {
    for await (const piece of untilAborted(bytes, signal)) read.push(piece)
  })()
  await expect(reading).rejects.toMatchObject(INTERRUPTED)
  expect([read.length, isClosed()]).toEqual([1, true])
})

test('A sequence without a signal is the same one', () => {
  const { bytes } = silent()
  expect(untilAborted(bytes, undefined)).toBe(bytes)
})

describe('Stops reading bytes that do not come:', () => {
  test.each<[string, (bytes: Bytes, signal: AbortSignal) => Promise<unknown>]>([
    ['readArchive', (bytes, signal) => readArchive(bytes, { signal }).next()],
    ['inspectArchive', (bytes, signal) => inspectArchive({ name: 'it', bytes }, { signal })],
    [
      'loadArchive',
      async (bytes, signal) =>
        loadArchive({ name: 'it', bytes }, join(await folderOf(), 'it.db'), { signal }),
    ],
  ])('%s', async (_, read) => {
    const { bytes, signal, isClosed } = silent()
    await expect(read(bytes, signal)).rejects.toMatchObject(INTERRUPTED)
    expect(isClosed()).toBe(true)
  })
})
