import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openArchive } from '../../src/archive/open-archive.ts'
import {
  type ReadArchive,
  type ReadEntry,
  readInWorker,
} from '../../src/archive-worker/read-in-worker.ts'
import { ArchiveError, type Problem } from '../../src/errors.ts'
import { canonicalBatches } from '../../src/records/canonical/canonical-batches.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { collect } from '../../src/streams.ts'
import { END, type Files, member, tarGzOf, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { noise } from '../support/noise.ts'

const SAMPLES = join(import.meta.dirname, '../../samples')

async function fileOf(bytes: Uint8Array): Promise<string> {
  return join(await folderOf({ 'export.tar.gz': bytes }), 'export.tar.gz')
}

const NOTHING = { path: '', limits: undefined, hash: true, headers: true, runs: false }

/** All that can be known of an archive by reading it: entries, form, hash, problems and what stopped it. */
async function findings(open: (report: (problem: Problem) => void) => Promise<ReadArchive>) {
  const problems: Problem[] = []
  const entries: unknown[] = []
  const archive = await open((problem) => void problems.push(problem))
  try {
    for await (const { content, passing = content, ...entry } of archive.entries) {
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

/** Entries of few bytes and of many, with content that does not compress. */
function mixed(): Files {
  const small = Array.from({ length: 1100 }, (_, i) => [`attachments/${i}/a.txt`, `${i}`])
  const large = [300_000, 520_000, 2_000_000, 524_288, 2_000_001].map((size, i) => [
    `attachments/${i}/large.bin`,
    noise(size),
  ])
  return Object.fromEntries([...small.slice(0, 700), ...large, ...small.slice(700)])
}

const whole = tarGzOf(mixed())

describe('readInWorker', () => {
  test.each<[string, () => Buffer | string, object?]>([
    ['a damaged sample', () => join(SAMPLES, 'broken.tar.gz')],
    ['entries of few bytes and of many', () => whole],
    ['an archive that was cut', () => whole.subarray(0, whole.length / 2)],
    ['a hostile path', () => tarOf({ 'a.txt': 'a', '../b.txt': 'b' })],
    ['more entries than are allowed', () => whole, { entries: 1000 }],
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

  test('reports a missing file', async () => {
    const path = join(await folderOf(), 'nowhere.tar.gz')
    expect(await ahead(path)).toMatchObject({ stopped: { code: 'archive-not-found' } })
  })

  test('skips unread content', async () => {
    const archive = readInWorker({ ...NOTHING, path: await fileOf(whole) }, {})
    const paths: string[] = []
    for await (const { path, content } of archive.entries) {
      paths.push(path)
      if (paths.length % 3 === 0) for await (const _ of content) break
    }
    expect(paths).toEqual(Object.keys(mixed()))
    expect(archive.sha256()).toBe(createHash('sha256').update(whole).digest('hex'))
  })

  test('hands over the runs of files that are plain, and the bytes of all others', async () => {
    const people = ['a', 'b', 'c'].map((login) => ({
      ...Object.fromEntries(Object.keys(KINDS.issues.columns).map((name) => [name, null])),
      url: `https://forge.example/${login}/r/issues/1`,
    }))
    const issues = people.map(({ ...issue }, i) => {
      if (i !== 1) delete (issue as Record<string, unknown>).reactions
      return { type: 'issue', ...issue }
    })
    const files = {
      'issues_000001.json': issues,
      'issues_000002.json': [...issues, { type: 'issue', more: 1 }],
      'issues_000003.json': JSON.stringify(issues),
      'gadgets_000001.json': issues,
    }
    const order = { ...NOTHING, path: await fileOf(tarOf(files)), runs: true }
    const found: [string, ReadEntry['recordFile'], string][] = []
    for await (const { path, content, recordFile } of readInWorker(order, {}).entries) {
      const runs = recordFile?.runs.map(({ json, ...run }) => ({ ...run, json: Buffer.from(json) }))
      const bytes = (await collect(content)).toString()
      found.push([path, recordFile && runs && { ...recordFile, runs }, bytes])
    }
    const json = Buffer.from(JSON.stringify(issues, null, 2))
    const runs = canonicalBatches(KINDS.issues, json)
    expect(runs).toHaveLength(3)
    expect(found).toEqual([
      ['issues_000001.json', { runs, crc32: crc32(json), form: {} }, ''],
      ['issues_000002.json', undefined, JSON.stringify(files['issues_000002.json'], null, 2)],
      ['issues_000003.json', undefined, JSON.stringify(issues)],
      ['gadgets_000001.json', undefined, json.toString()],
    ])
  })

  test('ends at once when the signal fires', async () => {
    const path = await fileOf(whole)
    const stop = new AbortController()
    const { entries } = readInWorker({ ...NOTHING, path }, { signal: stop.signal })
    await entries.next()
    stop.abort(new Error('enough'))
    const rest = async () => {
      for await (const { content } of entries) await collect(content)
    }
    await expect(rest()).rejects.toThrow('enough')
  })
})
