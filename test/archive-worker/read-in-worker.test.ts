import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openArchive } from '../../src/archive/open-archive.ts'
import { type ReadArchive, readInWorker } from '../../src/archive-worker/read-in-worker.ts'
import { ArchiveError, type Problem } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { END, type Files, member, tarGzOf, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { noise } from '../support/noise.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const SAMPLES = join(import.meta.dirname, '../../samples')

async function fileOf(bytes: Uint8Array): Promise<string> {
  return join(await folderOf({ 'export.tar.gz': bytes }), 'export.tar.gz')
}

const NOTHING = { path: '', limits: undefined, hash: true, headers: true }

/** All that can be known of an archive by reading it: entries, form, hash, problems and what stopped it. */
async function findings(open: (report: (problem: Problem) => void) => Promise<ReadArchive>) {
  const problems: Problem[] = []
  const entries: unknown[] = []
  const archive = await open((problem) => void problems.push(problem))
  try {
    for await (const { content, passing = content, crc32: _, ...entry } of archive.entries) {
      const seen = { ...entry, sha256: '' }
      entries.push(seen)
      const digest = createHash('sha256')
      if (entries.length % 2) for await (const piece of passing) digest.update(piece)
      else digest.update(await collect(content))
      seen.sha256 = digest.digest('hex')
    }
    const { form } = archive
    return { entries, problems, form, sha256: archive.sha256(), read: archive.bytesRead() }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    const { code, message, place } = error
    return { entries, problems, stopped: { code, message, place } }
  }
}

const ahead = (path: string, limits = {}) =>
  findings(async (report) => readInWorker({ ...NOTHING, path, limits }, { report }))

const atOnce = (path: string, limits = {}) =>
  findings((report) => openArchive(path, { hash: true, headers: true, limits, report }))

/** Entries of few bytes and of many, more and larger ones than a batch has room for, with content that does not compress. */
const mixed: Files = {
  ...Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`attachments/${i}/a.txt`, `${i}`])),
  ...Object.fromEntries(
    [300_000, 520_000, 524_288, 524_289, 1_100_000].map((size, i) => [
      `attachments/${i}/large.bin`,
      noise(size),
    ]),
  ),
  ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`attachments/${i}/b.txt`, `${i}`])),
}

const whole = tarGzOf(mixed)

describe('readInWorker', () => {
  // How problems and errors are handed over is shown by the flooding thread, and by the missing file.
  everyDay(1)<[string, () => Buffer | string, object?]>([
    ['entries of few bytes and of many', () => whole],
    ['a damaged sample', () => join(SAMPLES, 'broken.tar.gz')],
    ['an archive that was cut', () => whole.subarray(0, whole.length / 2)],
    ['a hostile path', () => tarOf({ 'a.txt': 'a', '../b.txt': 'b' })],
    ['more entries than are allowed', () => whole, { entries: 400 }],
    [
      'links, which are reported',
      () => Buffer.concat([member({ name: 'a', type: '2' }), member({ name: 'b' }, 'b'), END]),
    ],
    [
      'content in hundreds of pieces',
      () => {
        const tar = tarOf({ 'attachments/1/a.bin': 'abcdefghi '.repeat(2000) })
        const pieces = Array.from({ length: tar.length / 64 }, (_, i) =>
          gzipSync(tar.subarray(64 * i, 64 * i + 64)),
        )
        return Buffer.concat(pieces)
      },
    ],
  ])('gives the same result for %s as reading in this thread', async (_what, bytes, limits) => {
    const source = bytes()
    const path = typeof source === 'string' ? source : await fileOf(source)
    const found = await ahead(path, limits)
    expect(found).toEqual(await atOnce(path, limits))
  })

  test('reports a missing file', THOROUGH, async () => {
    const path = join(await folderOf(), 'nowhere.tar.gz')
    expect(await ahead(path)).toMatchObject({ stopped: { code: 'archive-not-found' } })
  })

  test('skips unread content', THOROUGH, async () => {
    const archive = readInWorker({ ...NOTHING, path: await fileOf(whole) }, {})
    const paths: string[] = []
    for await (const { path, content } of archive.entries) {
      paths.push(path)
      if (paths.length % 3 === 0) for await (const _ of content) break
    }
    expect(paths).toEqual(Object.keys(mixed))
    expect(archive.sha256()).toBe(createHash('sha256').update(whole).digest('hex'))
  })

  test('hands over a small file in one piece', THOROUGH, async () => {
    const files = { 'a.bin': noise(200_000), 'b.bin': noise(400_000), 'c.json': [{ a: 1 }] }
    const pieces: number[] = []
    const { entries } = readInWorker({ ...NOTHING, path: await fileOf(tarOf(files)) }, {})
    for await (const { content } of entries) {
      for await (const piece of content) pieces.push(piece.length)
    }
    expect(pieces).toEqual([200_000, 400_000, JSON.stringify([{ a: 1 }], null, 2).length])
  })

  everyDay(1)([true, false])('sums up record files if the sums are wanted: %s', async (hash) => {
    const files = {
      'issues_000001.json': [{ url: 'x'.repeat(1_500_000) }],
      'users_000001.json': [],
      'attachments/1/a.bin': 'a',
    }
    const path = await fileOf(tarOf(files))
    const sums: [path: string, early: unknown, late: unknown, own: number][] = []
    for await (const entry of readInWorker({ ...NOTHING, path, hash }, {}).entries) {
      const early = entry.crc32?.()
      const own = crc32(await collect(entry.content))
      sums.push([entry.path, early, entry.crc32?.(), own])
    }
    expect(sums).toEqual(
      sums.map(([path, , , own]) => {
        return [path, undefined, hash && path.endsWith('.json') ? own : undefined, own]
      }),
    )
  })

  test('ends immediately when the signal fires', THOROUGH, async () => {
    const path = await fileOf(whole)
    const stop = new AbortController()
    const { entries } = readInWorker({ ...NOTHING, path }, { signal: stop.signal })
    await entries.next()
    stop.abort(new Error('enough'))
    const rest = async () => {
      for await (const { content } of entries) await collect(content)
    }
    await expect(rest()).rejects.toMatchObject({
      code: 'interrupted',
      cause: stop.signal.reason,
    })
  })
})
