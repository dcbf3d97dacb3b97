import { beforeEach, describe, expect, it } from 'vitest'
import { createToken } from '../../src/client/authorize.ts'
import type { ClientOptions } from '../../src/client/client-options.ts'
import { deleteArchive } from '../../src/client/delete-archive.ts'
import { downloadArchive } from '../../src/client/download/download-archive.ts'
import { getMigration, listMigrations } from '../../src/client/list-migrations.ts'
import { type StartOptions, startMigration } from '../../src/client/start-migration.ts'
import { unlockRepositories } from '../../src/client/unlock-repositories.ts'
import { watchMigration } from '../../src/client/watch-migration.ts'
import { smallArchive } from '../support/archives.ts'
import { inFolder } from '../support/run-command.ts'
import {
  cutAfter,
  type Host,
  migration,
  openHost,
  type Reply,
  send,
  started,
} from '../support/scripted-host.ts'
import { everyDay } from '../support/thorough.ts'

const GET = 'GET /user/migrations/1'
const LIST = 'GET /user/migrations'
const START = 'POST /user/migrations'
const MINUTE = 60_000

let host: Host
let notices: string[]

beforeEach(async () => {
  host = await openHost(smallArchive())
  notices = []
})

const client = (more: Partial<ClientOptions> = {}) =>
  host.client({ notice: (text) => void notices.push(text), ...more })
const get = (more: Partial<ClientOptions> = {}) => getMigration(1, client(more))
const start = (more: Partial<StartOptions> = {}) => startMigration(['ada/kettle'], client(more))
const posts = () => host.asked.filter(({ method }) => method === 'POST')
const times = (count: number, reply: Reply) => Array.from({ length: count }, () => reply)

/** Limits for bursts, as hosts have written them: without a header. */
const burst: Reply = {
  status: 403,
  body: { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' },
}
const broken: Reply = (_request, response) => void response.destroy()
/** Starts the migration, and loses the answer. */
const lost: Reply = (_request, response) => {
  host.migrations.unshift(started(host, JSON.parse(host.asked.at(-1)?.body ?? '')))
  response.destroy()
}

describe('A rate limit is waited for:', () => {
  everyDay(3)<[string, Reply, number]>([
    ['429 with Retry-After', { status: 429, headers: { 'Retry-After': '9' } }, 9000],
    ['429 without', { status: 429 }, MINUTE],
    ['403 with Retry-After', { status: 403, headers: { 'Retry-After': '30' } }, 30_000],
    ['403 of a limit for bursts', burst, MINUTE],
    [
      '403 that names it in its documentation',
      { status: 403, body: { documentation_url: 'https://a.example/#secondary-rate-limits' } },
      MINUTE,
    ],
    [
      '403 with a reset, by the clock of the server',
      {
        status: 403,
        headers: {
          'X-RateLimit-Remaining': '0',
          Date: 'Thu, 01 Jan 2015 00:00:00 GMT',
          'X-RateLimit-Reset': String(Date.UTC(2015, 0, 1, 0, 10) / 1000),
        },
      },
      10 * MINUTE,
    ],
    [
      '429 with Retry-After as a date',
      {
        status: 429,
        headers: {
          'Retry-After': 'Thu, 01 Jan 2015 00:00:20 GMT',
          Date: 'Thu, 01 Jan 2015 00:00:00 GMT',
        },
      },
      20_000,
    ],
  ])('%s', async (_, reply, wait) => {
    host.script(GET, reply)
    expect((await get()).id).toBe(1)
    expect(host.waited).toEqual([wait])
    expect(notices).toEqual([expect.stringMatching(/^too many requests; .+; trying again$/)])
  })

  it('longer each time, and up to an hour', async () => {
    host.script(GET, ...times(20, burst))
    await expect(get()).rejects.toMatchObject({ code: 'rate-limited' })
    expect(host.waited.slice(0, 5)).toEqual([1, 2, 4, 8, 15].map((minutes) => minutes * MINUTE))
    expect(host.waited.reduce((sum, each) => sum + each, 0)).toBe(60 * MINUTE)
    expect(notices).toHaveLength(1)
  })

  it('but not if the server wants more time than there is', async () => {
    host.script(GET, { status: 429, headers: { 'Retry-After': '7200' } })
    const message = 'too many requests; the server takes more in 7200 s'
    await expect(get()).rejects.toMatchObject({ code: 'rate-limited', message })
    expect(host.waited).toEqual([])
  })

  it('by every call, as a list, a start, an unlock or a delete', async () => {
    const names = [LIST, START, 'DELETE /user/migrations/1/archive']
    for (const name of [...names, 'DELETE /user/migrations/1/repos/kettle/lock']) {
      host.script(name, burst)
    }
    for await (const _ of listMigrations(client()));
    await start()
    await unlockRepositories(1, ['kettle'], client())
    await deleteArchive(1, client())
    expect(host.waited).toEqual(times(4, MINUTE as never))
  })

  it('not by a refusal that is about rights', async () => {
    host.script(GET, { status: 403, body: { message: 'Must have admin rights' } })
    await expect(get()).rejects.toMatchObject({ code: 'request-refused' })
  })
})

describe('An outage', () => {
  it('is tried three times, longer apart each time', async () => {
    host.script(GET, { status: 502 }, broken)
    expect((await get()).id).toBe(1)
    expect(host.waited).toEqual([1000, 2000])
    host.script(GET, { status: 502 }, broken, broken)
    await expect(get()).rejects.toMatchObject({ code: 'server-unreachable' })
  })

  it('with Retry-After is over when the server says', async () => {
    host.script(GET, { status: 503, headers: { 'Retry-After': '40' } })
    await get()
    expect(host.waited).toEqual([40_000])
  })

  it('lets a watch go on until its time is over, and names the time that passed', async () => {
    host.script(GET, { status: 200, body: migration(1, { state: 'pending' }) }, ...times(9, broken))
    await expect(watchMigration(1, client({ timeout: 30_000 } as object))).rejects.toMatchObject({
      code: 'migration-timeout',
      message: 'migration 1 is still pending after 30 s',
    })
    expect(host.waited.reduce((sum, each) => sum + each, 0)).toBe(30_000)
  })

  it('is an answer that comes byte by byte and has no end', async () => {
    const dripping: Reply = (_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 2)
      response.once('close', () => clearInterval(drip))
    }
    host.script('POST /authorizations', dripping)
    const token = createToken('ada', 'secret', { server: host.url, stallAfter: 40 })
    await expect(token).rejects.toMatchObject({
      code: 'server-unreachable',
      // On a busy machine the bytes may also stay away.
      message: expect.stringMatching(/the answer was not complete after|nothing came for/),
    })
  })

  it('that lost the answer to a DELETE leaves nothing to delete', async () => {
    const lock = 'DELETE /user/migrations/1/repos/kettle/lock'
    host.script(lock, broken, { status: 404 })
    expect(await unlockRepositories(1, ['kettle'], client())).toMatchObject([{ unlocked: true }])
    host.script('DELETE /user/migrations/1/archive', { status: 502 }, { status: 404 })
    await deleteArchive(1, client())
  })
})

describe('What was made just now', () => {
  it('is asked for again for a minute, because replicas lag', async () => {
    const { id } = await start()
    host.script(`GET /user/migrations/${id}`, ...times(3, { status: 404 }))
    expect((await watchMigration(id, client())).state).toBe('exported')
    expect(host.waited).toEqual([1000, 2000, 4000])
  })

  it('is gone if it is not there after a minute', async () => {
    const { id } = await start()
    host.script(`GET /user/migrations/${id}`, ...times(30, { status: 404 }))
    await expect(watchMigration(id, client())).rejects.toMatchObject({
      code: 'migration-not-found',
    })
    const waited = host.waited.reduce((sum, each) => sum + each, 0)
    expect([waited >= MINUTE, waited <= MINUTE + 8000]).toEqual([true, true])
  })

  it('is the archive as well, of a migration that was seen to be exported', async () => {
    inFolder()
    host.script(GET, { status: 200, body: migration(1, { state: 'exporting' }) })
    host.script('GET /user/migrations/1/archive', { status: 404 }, { status: 404 })
    await downloadArchive(1, 'a.tar.gz', client({ wait: true } as object))
    expect(host.waited).toEqual([2000, 1000, 2000])
  })

  it('is nothing else: another 404 is final', async () => {
    inFolder()
    host.script(GET, { status: 404 })
    await expect(get()).rejects.toMatchObject({ code: 'migration-not-found' })
    host.script('GET /user/migrations/1/archive', { status: 404 })
    const download = downloadArchive(1, 'a.tar.gz', client())
    await expect(download).rejects.toMatchObject({ code: 'archive-gone' })
    expect(host.waited).toEqual([])
  })
})

describe('A start', () => {
  it('is never repeated before the list was asked', async () => {
    host.script(START, lost)
    host.script(LIST, { status: 200, body: [] }, { status: 429, headers: { 'Retry-After': '5' } })
    expect((await start()).id).toBe(2)
    expect(posts()).toHaveLength(1)
    expect(host.waited).toEqual([1000, 5000])
  })

  it('is looked for after a limit, too', async () => {
    host.script(START, (request, response, host) => {
      host.migrations.unshift(started(host, { repositories: ['ada/kettle'] }))
      send(response, burst as never)
      request.resume()
    })
    expect((await start()).id).toBe(2)
    expect(posts()).toHaveLength(1)
  })

  it('that may have happened says so if the server stops answering', async () => {
    host.script(START, lost)
    host.script(LIST, { status: 200, body: [] }, ...times(3, broken))
    await expect(start()).rejects.toMatchObject({
      code: 'server-unreachable',
      message: expect.stringMatching(/; it may have been started nevertheless$/),
    })
    expect(posts()).toHaveLength(1)
  })

  it('waits as long as its own limit', async () => {
    host.script(START, ...times(60, burst))
    await expect(start({ timeout: 5 * MINUTE })).rejects.toMatchObject({
      code: 'migration-timeout',
    })
    expect(host.waited.reduce((sum, each) => sum + each, 0)).toBe(5 * MINUTE)
  })

  it('comes one second after the one before', async () => {
    await start()
    await start()
    await client().clock?.sleep(400)
    await start()
    expect(host.waited).toEqual([1000, 400, 600])
  })
})

it('A download goes on after a limit of the store, however often', async () => {
  inFolder()
  const busy: Reply = { status: 429, headers: { 'Retry-After': '1' } }
  host.script('GET /store/archive', cutAfter(100), ...times(12, busy))
  const { bytes, fetched } = await downloadArchive(1, 'a.tar.gz', client())
  expect([bytes, fetched]).toEqual([host.archive.length, host.archive.length])
})
