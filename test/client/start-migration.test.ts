import { beforeEach, describe, expect, it } from 'vitest'
import { startMigration } from '../../src/client/start-migration.ts'
import {
  type Host,
  migration,
  openHost,
  type Reply,
  send,
  started,
  TOKEN,
} from '../support/scripted-host.ts'

const START = 'POST /user/migrations'
const NAMES = ['ada/kettle', 'ada/teapot']

let host: Host

beforeEach(async () => {
  host = await openHost()
})

const start = (names: string[] = NAMES, more: object = {}) =>
  startMigration(names, { ...host.client(), ...more })
const posts = () => host.asked.filter(({ method }) => method === 'POST')

/** A server that starts the migration and loses the answer. */
const losing =
  (answer: (response: Parameters<Extract<Reply, (...given: never[]) => void>>[1]) => void): Reply =>
  (_request, response) => {
    host.migrations.unshift(started(host, JSON.parse(host.asked.at(-1)?.body ?? '')))
    answer(response)
  }

describe('startMigration', () => {
  it('asks for the export with the options of the interface', async () => {
    const found = await start(NAMES, { lockRepositories: true, excludeGitData: true })
    expect(found).toMatchObject({ id: 2, repositories: NAMES, lock_repositories: true })
    const [{ body, headers } = { body: '', headers: {} }] = posts()
    expect(JSON.parse(body)).toEqual({
      repositories: NAMES,
      lock_repositories: true,
      exclude_attachments: false,
      exclude_git_data: true,
    })
    expect(headers).toMatchObject({
      authorization: `token ${TOKEN}`,
      accept: 'application/vnd.github.wyandotte-preview+json, application/vnd.github+json',
      'user-agent': expect.stringMatching(/^migration-archive\/\d/),
    })
  })

  it.each([
    ['5xx', (response) => send(response, { status: 502 })],
    ['a connection that breaks', (response) => response.destroy()],
  ] as [string, Parameters<typeof losing>[0]][])(
    'finds the migration again whose answer was lost by %s',
    async (_, answer) => {
      host.script(START, losing(answer))
      expect(await start()).toMatchObject({ id: 2, repositories: NAMES })
      expect(posts()).toHaveLength(1)
    },
  )

  it('finds one that was asked for by a bare name', async () => {
    host.script(START, (_request, response) => {
      host.migrations.unshift(started(host, { repositories: ['ada/kettle'] }))
      response.destroy()
    })
    expect((await start(['kettle'])).id).toBe(2)
  })

  it('takes none that is older, or of other repositories or options', async () => {
    host.migrations = [migration(7)]
    host.script(START, (_request, response) => {
      host.migrations.unshift(migration(8, { lock_repositories: true }))
      host.migrations.unshift(migration(9, { repositories: [{ full_name: 'ada/kettle' }] }))
      response.destroy()
    })
    expect((await start()).id).toBe(10)
    expect(posts()).toHaveLength(2)
  })

  it('tries three times at most', async () => {
    host.script(START, ...Array.from({ length: 4 }, () => ({ status: 500 })))
    await expect(start()).rejects.toMatchObject({ code: 'server-failed' })
    expect(posts()).toHaveLength(3)
  })

  it('repeats what the server refuses, and does not try again', async () => {
    const errors = [{ resource: 'Migration', field: 'repositories', code: 'missing', value: 'a/b' }]
    host.script(START, { status: 422, body: { message: 'Validation Failed', errors } })
    await expect(start()).rejects.toMatchObject({
      code: 'request-refused',
      message: 'the server refuses this: 422 Validation Failed; repositories missing a/b',
    })
    expect(posts()).toHaveLength(1)
  })

  it('refuses an empty list before it asks', async () => {
    await expect(start([])).rejects.toMatchObject({ code: 'option-invalid' })
    expect(host.asked).toEqual([])
  })

  it('uses the migrations of an organization', async () => {
    host.script('GET /orgs/forge/migrations', { status: 200, body: [] })
    host.script('POST /orgs/forge/migrations', { status: 201, body: migration(1) })
    expect((await start(NAMES, { organization: 'forge' })).id).toBe(1)
  })
})
