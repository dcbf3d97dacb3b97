import { beforeEach, describe, expect, it } from 'vitest'
import { type WatchOptions, watchMigration } from '../../src/client/watch-migration.ts'
import { type Host, migration, openHost, type Reply } from '../support/scripted-host.ts'
import { THOROUGH } from '../support/thorough.ts'

const GET = 'GET /user/migrations/1'

let host: Host
let notices: string[]

beforeEach(async () => {
  host = await openHost()
  notices = []
})

const watch = (more: Partial<WatchOptions> = {}) =>
  watchMigration(1, { ...host.client(), notice: (text) => notices.push(text), ...more })
const inState = (state: string, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers,
  body: migration(1, { state }),
})
const times = (count: number, reply: Reply) => Array.from({ length: count }, () => reply)

describe('watchMigration', () => {
  it('polls ever less often until the migration is exported', async () => {
    host.script(GET, inState('pending'), ...times(11, inState('exporting')))
    const states: string[] = []
    const found = await watch({ onState: ({ state }) => states.push(state) })
    expect(found.state).toBe('exported')
    expect(states).toEqual(['pending', 'exporting', 'exported'])
    expect(host.waited.slice(0, 3)).toEqual([2000, 3000, 4500])
    expect(host.waited.at(-1)).toBe(60_000)
  })

  it('spreads its polls by a tenth', async () => {
    const clock = { ...host.client().clock, random: () => 1 } as never
    host.script(GET, inState('pending'))
    await watch({ clock })
    expect(host.waited).toEqual([2200])
  })

  it('polls at an interval that was asked for', async () => {
    host.script(GET, ...times(3, inState('exporting')))
    await watch({ interval: 500 })
    expect(host.waited).toEqual([500, 500, 500])
  })

  it('asks only for what has changed', async () => {
    host.script(GET, inState('pending', { ETag: '"a"' }), { status: 304 }, { status: 304 })
    await watch()
    expect(host.asked.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"a"',
      '"a"',
      '"a"',
    ])
  })

  it.each([
    ['Retry-After', { 'Retry-After': '90' }, 90_000],
    ['X-Poll-Interval', { 'X-Poll-Interval': '75' }, 75_000],
    [
      'X-RateLimit-Reset by the clock of the server',
      {
        'X-RateLimit-Remaining': '0',
        Date: 'Thu, 01 Jan 2015 00:00:00 GMT',
        'X-RateLimit-Reset': String(Date.UTC(2015, 0, 1, 0, 10) / 1000),
      },
      600_000,
    ],
  ])('obeys %s', async (_, headers, wait) => {
    host.script(GET, inState('pending', headers))
    await watch()
    expect(host.waited).toEqual([wait])
  })

  it('waits when there were too many requests', async () => {
    host.script(GET, inState('pending'), { status: 429, headers: { 'Retry-After': '120' } })
    await watch()
    expect(host.waited).toEqual([2000, 120_000])
  })

  it('survives faults of the server and the network, and tells each outage once', async () => {
    const broken: Reply = (_request, response) => void response.destroy()
    host.script(GET, { status: 503 }, { status: 500 }, broken, inState('pending'), broken)
    await watch()
    expect(notices).toEqual([
      'the server failed: status 503; trying again',
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+: .*; trying again$/),
    ])
  })

  it('takes a new connection without a word if nobody used the last one for a while', async () => {
    const closed: Reply = (request) => void request.socket.destroy()
    host.script(GET, inState('pending', { 'Retry-After': '30' }), closed)
    await watch()
    expect([notices, host.waited]).toEqual([[], [30_000]])
  })

  it('does not wait for a server that was never there', async () => {
    await host.close()
    await expect(watch()).rejects.toMatchObject({
      code: 'server-unreachable',
      message: expect.stringMatching(/nothing listens there$/),
    })
    expect(host.waited).toEqual([])
  })

  it.each([
    ['goes back', 'pending', 'migration 1 was first exporting, then pending'],
    ['is unknown', 'paused', 'migration 1: expected a known state, found "paused"'],
  ])('refuses a state that %s', async (_, state, message) => {
    host.script(GET, inState('exporting'), inState(state))
    await expect(watch()).rejects.toMatchObject({ code: 'server-failed', message })
  })

  it('names a migration that failed, and its repositories', async () => {
    host.script(GET, inState('exporting'), inState('failed'))
    await expect(watch()).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(/^migration 1 \([\w-]+\) of ada\/kettle and 1 more failed/),
    })
  })

  it('gives up when the time is over', async () => {
    host.script(GET, ...times(50, inState('exporting')))
    await expect(watch({ timeout: 10_000 })).rejects.toMatchObject({
      code: 'migration-timeout',
      message: 'migration 1 is still exporting after 10 s',
    })
    expect(host.waited.reduce((sum, each) => sum + each, 0)).toBe(10_000)
  })

  it('gives up at once if the server wants more time than there is', async () => {
    host.script(GET, inState('pending', { 'Retry-After': '90' }))
    await expect(watch({ timeout: 10_000 })).rejects.toMatchObject({ code: 'migration-timeout' })
    expect(host.waited).toEqual([])
  })

  it('gives up on an answer that comes byte by byte', THOROUGH, async () => {
    host.script(GET, (_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(drip))
    })
    await expect(watch({ timeout: 10 })).rejects.toMatchObject({
      code: 'migration-timeout',
      message: 'migration 1 is in an unknown state after 0 s',
    })
  })

  it('stops when it is interrupted', async () => {
    const stop = new AbortController()
    host.script(GET, ...times(3, inState('pending')))
    const onState = () => stop.abort()
    await expect(watch({ signal: stop.signal, onState })).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})
