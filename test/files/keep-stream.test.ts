import { existsSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { collect, headOf } from '../../src/base/streams.ts'
import { keepStream } from '../../src/files/keep-stream.ts'
import { folderOf } from '../support/folder.ts'
import { failingAfter, inPiecesOf, watched } from '../support/pieces.ts'

const OFF = Number.POSITIVE_INFINITY
const LARGE = Buffer.alloc(3 * 2 ** 20, 'kettle')

afterEach(() => void vi.unstubAllEnvs())

describe('A kept stream', () => {
  test('is read again from its first byte, and further', async () => {
    const kept = keepStream(inPiecesOf(LARGE, 1000), OFF)
    expect((await headOf(kept.read({ keep: true }), 4)).toString()).toBe('kett')
    expect(await headOf(kept.read({ keep: true }), 2 ** 21)).toHaveLength(2 ** 21)
    expect((await collect(kept.read())).equals(LARGE)).toBe(true)
    await kept.close()
  })

  test('becomes a file, which goes when it is closed, and so does its source', async () => {
    const source = watched(inPiecesOf(LARGE, 1000))
    const kept = keepStream(source.bytes, OFF)
    await headOf(kept.read({ keep: true }), 2 ** 21)
    const path = await kept.path()
    expect(readFileSync(path).equals(LARGE)).toBe(true)
    await kept.close()
    expect(existsSync(path)).toBe(false)
    expect(source.closed).toBe(true)
  })

  test('may be empty', async () => {
    const kept = keepStream(inPiecesOf(''), OFF)
    expect(readFileSync(await kept.path())).toHaveLength(0)
    await kept.close()
  })

  test('is in no file as long as little of it is kept', async () => {
    vi.stubEnv('TMPDIR', `${await folderOf()}/nowhere`)
    const kept = keepStream(inPiecesOf(LARGE, 1000), OFF)
    await headOf(kept.read({ keep: true }), 2 ** 19)
    expect((await collect(kept.read())).equals(LARGE)).toBe(true)
    await kept.close()
  })

  test('fails at the same place each time', async () => {
    const kept = keepStream(failingAfter('kettle', new RangeError('broken')), OFF)
    await expect(collect(kept.read({ keep: true }))).rejects.toThrow('broken')
    await expect(collect(kept.read())).rejects.toThrow('broken')
    await expect(kept.path()).rejects.toThrow('broken')
    await kept.close()
  })

  test('is not kept beyond the limit, and can still be read', async () => {
    const kept = keepStream(inPiecesOf(LARGE, 1000), 5000)
    const limit = { allowed: 5000, found: 6000 }
    await expect(kept.path()).rejects.toMatchObject({ code: 'limit-extracted', limit })
    expect((await collect(kept.read())).equals(LARGE)).toBe(true)
    await kept.close()
  })
})
