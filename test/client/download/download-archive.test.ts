import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DownloadOptions } from '../../../src/client/download/download-archive.ts'
import {
  downloadArchive,
  getArchiveAddress,
} from '../../../src/client/download/download-archive.ts'
import { tarOf } from '../../support/build-tar.ts'
import { inFolder, start } from '../../support/run-command.ts'
import {
  cutAfter,
  GUID,
  type Host,
  migration,
  openHost,
  type Reply,
  SIGNATURE,
  send,
  sendArchive,
  TOKEN,
} from '../../support/scripted-host.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

/** A fifth of the archive where connections break. */
const STEP = 2 ** 18
/** A quarter of the archive. */
const PART = 2 ** 16
const STORE = 'GET /store/archive'

let archive: Buffer
let sha256: string
let host: Host

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const download = (more: Partial<DownloadOptions> = {}) =>
  downloadArchive(1, 'it.tar.gz', { ...host.client(), ...more })
const code = (more: Partial<DownloadOptions> = {}) =>
  download(more).then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

/** Has the host of each test of a file, or of a group, an archive of about so many bytes. */
function useArchive(size: number) {
  let made: Buffer
  beforeAll(() => {
    const files = { 'schema.json': { version: '1.0.1' }, 'attachments/a/b': randomBytes(size) }
    made = gzipSync(tarOf(files), { level: 0 })
  })
  beforeEach(async () => {
    archive = made
    sha256 = hash(archive)
    host = await openHost(archive)
  })
}

useArchive(4 * PART)
beforeEach(() => void inFolder())

/** What is on disk beside the archive. */
const leftovers = () => ['it.tar.gz.part', 'it.tar.gz.part.json'].filter(existsSync)
const part = () => readFileSync('it.tar.gz.part')

/** What a process leaves that was killed after so many bytes. */
function leavePart(bytes: Buffer, facts: object = {}) {
  writeFileSync('it.tar.gz.part', bytes)
  const { etag } = host
  const known = { server: host.url, id: 1, guid: GUID, etag, size: archive.length, ...facts }
  writeFileSync('it.tar.gz.part.json', JSON.stringify(known))
}

const ranges = () => host.asked.map(({ headers }) => headers.range).filter(Boolean)

describe('downloadArchive', () => {
  it('gives the archive its name when all of it is there and sound', async () => {
    const progress: number[] = []
    const done = await download({ progress: ({ bytes }) => progress.push(bytes) })
    const bytes = archive.length
    expect(done).toEqual({ file: 'it.tar.gz', guid: GUID, bytes, sha256, fetched: bytes })
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
    expect(leftovers()).toEqual([])
    expect(progress.at(-1)).toBe(bytes)
  })

  it('names the archive by its guid', async () => {
    const { file } = await downloadArchive(1, undefined, host.client())
    expect(file).toBe(`${GUID}.tar.gz`)
    expect(existsSync(file)).toBe(true)
  })

  everyDay(1)([
    ['starts elsewhere', (length: number) => `bytes 5-${length - 1}/${length}`, undefined],
    ['has another total', (length: number) => `bytes ${PART}-${length}/${length + 1}`, undefined],
    ['is only a piece', (length: number) => `bytes ${PART}-${PART + 9}/${length}`, undefined],
    ['has another ETag', (length: number) => `bytes ${PART}-${length - 1}/${length}`, '"x"'],
    ['has no place', () => 'bytes', undefined],
  ])('does not append a 206 that %s', async (_, place, etag = host.etag) => {
    leavePart(archive.subarray(0, PART))
    host.script(STORE, (_request, response) => {
      response.writeHead(206, { 'Content-Range': place(archive.length), ETag: etag })
      response.end('nonsense')
    })
    await download()
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it('begins again if a server answers 200 where it was asked for the rest', async () => {
    leavePart(archive.subarray(0, PART))
    host.script(STORE, (_request, response) => {
      response.writeHead(200, { ETag: host.etag, 'Content-Length': archive.length })
      response.end(archive)
    })
    await download()
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  everyDay(1)([
    ['another migration', { id: 2 }],
    ['another guid', { guid: 'another' }],
    ['another server', { server: 'https://else.example' }],
    ['a weak ETag', { etag: 'W/"x"' }],
    ['a smaller archive', { size: 5 }],
  ])('throws away the part of %s', async (_, facts) => {
    leavePart(archive.subarray(0, PART), facts)
    await download()
    expect(ranges()).toEqual([])
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it('throws away a part that was damaged on disk', async () => {
    const damaged = Buffer.from(archive.subarray(0, 3 * PART))
    damaged.fill(0, PART, PART + 100)
    leavePart(damaged)
    const notices: string[] = []
    await download({ notice: (text) => notices.push(text) })
    expect(notices).toEqual([expect.stringMatching(/part is damaged.*downloading all of it again/)])
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it('finishes a part that is whole, without a byte', async () => {
    leavePart(archive)
    expect((await download()).fetched).toBe(0)
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it('asks for a new address when the old one has expired', async () => {
    const expired = { status: 403, body: { message: 'Request has expired' } }
    host.script(STORE, cutAfter(PART), expired, { status: 400 }, { status: 404 })
    await download()
    const addresses = host.asked.filter(({ path }) => path.endsWith('/archive'))
    expect(addresses.length).toBeGreaterThanOrEqual(4)
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it('gives up after five addresses that are refused', async () => {
    host.script(STORE, ...Array.from({ length: 9 }, () => ({ status: 403 })))
    await expect(download()).rejects.toMatchObject({ code: 'server-failed' })
    expect(host.asked.filter(({ path }) => path.startsWith('/store'))).toHaveLength(6)
  })

  it('goes on after a stall', THOROUGH, async () => {
    host.script(STORE, (_request, response) => {
      response.writeHead(200, { ETag: host.etag, 'Content-Length': archive.length })
      response.write(archive.subarray(0, PART))
    })
    const { fetched } = await download({ stallAfter: 200 })
    expect(fetched).toBe(archive.length)
  })

  it(
    'gives up on a store that sends a byte at a time when the time is over, and keeps its part',
    THOROUGH,
    async () => {
      host.script(STORE, ...Array.from({ length: 50 }, () => cutAfter(1)))
      await expect(download({ timeout: 5_000 })).rejects.toMatchObject({
        code: 'migration-timeout',
      })
      expect(host.waited.reduce((sum, each) => sum + each, 0)).toBe(5_000)
      expect(leftovers()).toHaveLength(2)
    },
  )

  it('waits as long as a busy store wants', async () => {
    host.script(STORE, { status: 503, headers: { 'Retry-After': '7' } })
    await download()
    expect(host.waited).toEqual([7000])
  })

  it('refuses an archive that is damaged in the middle, and keeps its part', async () => {
    const damaged = Buffer.from(archive)
    damaged.fill(0, 2 * PART, 2 * PART + 100)
    host.archive = damaged
    await expect(download()).rejects.toMatchObject({
      code: 'download-damaged',
      place: { archive: 'it.tar.gz.part' },
    })
    expect(existsSync('it.tar.gz')).toBe(false)
    expect(leftovers()).toHaveLength(2)
  })

  everyDay(1)([
    ['gzip', 'server-failed'],
    ['identity', 'done'],
  ])('takes no archive that is compressed once more: %s, %s', async (encoding, expected) => {
    host.script(STORE, (_request, response) => {
      const body = encoding === 'gzip' ? gzipSync(archive) : archive
      response.writeHead(200, { 'Content-Encoding': encoding, 'Content-Length': body.length })
      response.end(body)
    })
    expect(await code()).toBe(expected)
  })

  everyDay(2)([
    ['ends too early', () => archive.subarray(0, -20)],
    ['is a web page', () => Buffer.from('<html>Sign in</html>')],
    ['holds nothing of a migration', () => gzipSync(tarOf({ 'a.txt': 'a' }))],
    ['leads outside', () => gzipSync(tarOf({ 'schema.json': {}, '../a': 'a' }))],
  ])('refuses an archive that %s', async (_, bytes) => {
    host.archive = bytes()
    expect(await code()).toBe('download-damaged')
    expect(existsSync('it.tar.gz')).toBe(false)
  })

  it('takes any bytes if they are not to be verified', async () => {
    host.archive = Buffer.from('<html>')
    host.etag = '"page"'
    const { sha256 } = await download({ verify: false })
    expect(sha256).toBe(hash(Buffer.from('<html>')))
  })

  it('sends credentials to the server, and none to another origin', async () => {
    const store = await openHost(archive)
    host.script('GET /user/migrations/1/archive', {
      status: 302,
      headers: { Location: `${store.url}/store/archive?signature=${SIGNATURE}` },
    })
    await download()
    expect(store.asked).toHaveLength(1)
    expect(JSON.stringify(store.asked)).not.toContain(TOKEN)
    expect(host.asked.every(({ headers }) => headers.authorization === `token ${TOKEN}`)).toBe(true)
  })

  it.each([
    ['that never end', (at: string) => at, 'server-failed'],
    ['to plain HTTP elsewhere', () => 'http://store.example/x', 'server-insecure'],
    ['to a file', () => 'file:///etc/passwd', 'server-failed'],
    ['with a password', () => 'https://ada:secret@store.example/x', 'server-failed'],
  ])('follows no redirects %s', async (_, target, expected) => {
    const redirect = { status: 302, headers: { Location: target('/store/archive') } }
    host.script(STORE, ...Array.from({ length: 9 }, () => redirect))
    expect(await code()).toBe(expected)
    expect(host.asked.filter(({ path }) => path.startsWith('/store')).length).toBeLessThan(7)
  })

  it('waits until the migration is exported, if asked to', async () => {
    host.migrations = [migration(1, { state: 'pending' })]
    expect(await code()).toBe('archive-not-ready')
    const states: string[] = []
    await download({
      wait: true,
      onState({ state }) {
        states.push(state)
        host.migrations = [migration(1)]
      },
    })
    expect(states).toEqual(['pending', 'exported'])
  })

  it.each([
    ['archive-gone', 'has been deleted', 'GET /user/migrations/1/archive', { status: 404 }],
    ['migration-not-found', 'never was', 'GET /user/migrations/1', { status: 404 }],
    [
      'migration-failed',
      'failed',
      'GET /user/migrations/1',
      { body: migration(1, { state: 'failed' }), status: 200 },
    ],
  ])('says %s of one that %s', async (expected, _, what, reply) => {
    host.script(what, reply)
    expect(await code()).toBe(expected)
    expect(leftovers().filter((name) => name.endsWith('.json'))).toEqual([])
  })

  it('keeps a file that is there, unless it is forced', async () => {
    writeFileSync('it.tar.gz', 'mine')
    expect(await code()).toBe('output-exists')
    expect(host.asked).toEqual([])
    await download({ force: true })
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it('has one writer: the second one is told which process has the part', async () => {
    let release = () => {}
    host.script(STORE, (_request, response, { etag }) => {
      response.writeHead(200, { ETag: etag, 'Content-Length': archive.length })
      response.write(archive.subarray(0, PART))
      release = () => response.end(archive.subarray(PART))
    })
    const first = download()
    const isAsked = () => host.asked.some(({ path }) => path.startsWith('/store/'))
    await vi.waitUntil(isAsked, { interval: 1 })
    const second = download()
    await expect(second).rejects.toMatchObject({
      code: 'download-busy',
      message: expect.stringMatching(`^process ${process.pid} on \\S+ is downloading it$`),
      place: { archive: 'it.tar.gz.part' },
    })
    release()
    expect((await first).fetched).toBe(archive.length)
    expect(readdirSync('.')).toEqual(['it.tar.gz'])
  })

  it('writes no secret beside the archive', async () => {
    host.script(STORE, cutAfter(PART), ...Array.from({ length: 6 }, () => cutAfter(0)))
    await code()
    const notes = readFileSync('it.tar.gz.part.json', 'utf8')
    expect(notes).not.toMatch(`${TOKEN}|${SIGNATURE}|store`)
    expect(JSON.parse(notes)).toMatchObject({ server: host.url, id: 1, guid: GUID })
  })
})

describe('downloadArchive, where a connection brings only a part,', () => {
  useArchive(5 * STEP)

  it('resumes where the connection broke, at every step, and fetches no byte twice', async () => {
    host.script(STORE, ...Array.from({ length: 5 }, () => cutAfter(STEP)))
    const { fetched } = await download()
    expect(fetched).toBe(archive.length)
    const starts = ranges().map((range) => Number(/\d+/.exec(range ?? '')?.[0]))
    expect(starts).toHaveLength(5)
    // A connection that breaks loses the bytes that are on their way.
    for (const [i, start] of starts.entries()) {
      expect(start).toBeGreaterThan(starts[i - 1] ?? 0)
      expect(start).toBeLessThanOrEqual((i + 1) * STEP)
    }
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it(
    'keeps what it has when a run ends, and reads it through in the next one',
    THOROUGH,
    async () => {
      host.script(STORE, cutAfter(2 * STEP), ...Array.from({ length: 6 }, () => cutAfter(0)))
      expect(await code()).toBe('server-unreachable')
      expect(leftovers()).toHaveLength(2)
      const { length } = part()
      expect(length).toBeGreaterThan(0)
      expect(archive.subarray(0, length).equals(part())).toBe(true)
      const steps = new Set<string>()
      const { fetched } = await download({ progress: ({ step }) => steps.add(step) })
      expect(fetched).toBe(archive.length - length)
      expect([...steps]).toEqual(['reading', 'downloading'])
      expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
    },
  )

  it('begins again if the ETag has changed', async () => {
    host.script(STORE, cutAfter(STEP), (request, response) => {
      host.etag = '"another"'
      if (typeof sendArchive === 'function') sendArchive(request, response, host)
    })
    expect((await download()).fetched).toBeGreaterThan(archive.length)
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })

  it('gives up on an archive that changes all the time', THOROUGH, async () => {
    const change =
      (n: number): Reply =>
      (request, response) => {
        host.etag = `"${n}"`
        const cut = cutAfter(STEP)
        if (typeof cut === 'function') cut(request, response, host)
      }
    host.script(STORE, ...[1, 2, 3, 4, 5, 6, 7].map(change))
    expect(await code()).toBe('download-changed')
  })

  it('stops when it is interrupted, and keeps its part', async () => {
    const stop = new AbortController()
    const progress = ({ bytes }: { bytes: number }) => {
      if (bytes > STEP) stop.abort()
    }
    expect(await code({ signal: stop.signal, progress })).toBe('interrupted')
    expect(part().length).toBeGreaterThan(STEP)
    expect(archive.subarray(0, part().length).equals(part())).toBe(true)
  })

  it('goes on after a process that was killed with SIGKILL', THOROUGH, async () => {
    host.script(STORE, (_request, response) => {
      response.writeHead(200, { ETag: host.etag, 'Content-Length': archive.length })
      response.write(archive.subarray(0, 3 * STEP))
    })
    const words = ['migration', 'download', '1', '-o', 'it.tar.gz', '--server', host.url]
    const { child, ended } = start(words, { env: { MARC_TOKEN: TOKEN } })
    const isOnDisk = () => existsSync('it.tar.gz.part') && part().length >= 2 * STEP
    await vi.waitUntil(isOnDisk, { timeout: 20_000, interval: 20 })
    child.kill('SIGKILL')
    await ended
    const { length } = part()
    expect(archive.subarray(0, length).equals(part())).toBe(true)
    expect((await download()).fetched).toBe(archive.length - length)
    expect(hash(readFileSync('it.tar.gz'))).toBe(sha256)
  })
})

it('getArchiveAddress gives the signed address', async () => {
  expect(await getArchiveAddress(1, host.client())).toBe(
    `${host.url}/store/archive?signature=${SIGNATURE}`,
  )
  host.script('GET /user/migrations/1/archive', send404)
  await expect(getArchiveAddress(1, host.client())).rejects.toMatchObject({ code: 'archive-gone' })
})

const send404 = (_request: unknown, response: Parameters<typeof send>[0]) =>
  send(response, { status: 404 })
