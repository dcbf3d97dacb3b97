import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { serveArchive } from '../../../src/serve/serve-archive.ts'
import { folderOf } from '../../support/folder.ts'
import {
  comment,
  event,
  HOST,
  ISSUE,
  issue,
  KETTLE,
  repository,
  user,
} from '../../support/rest-world.ts'
import { shareDatabases, shareServer } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

const tea = `${HOST}/ada/tea`
const other = 'https://other.example/ada'
const first = {
  users: [user('ada', { name: 'First' })],
  repositories: [repository(KETTLE)],
  issues: [issue(ISSUE)],
  issue_comments: [comment(ISSUE, 1)],
  issue_events: [event(ISSUE, 7, 'closed')],
}
const second = {
  users: [
    user('ada', { name: 'Second' }),
    user('bob', { name: 'Bob' }),
    user('ada', { url: other }),
  ],
  repositories: [repository(KETTLE, { description: 'Shadowed' }), repository(tea)],
  issues: [issue(ISSUE, { title: 'Shadowed' }), issue(`${tea}/issues/1`, { user: `${HOST}/bob` })],
  issue_comments: [comment(ISSUE, 2), comment(`${tea}/issues/1`, 1)],
  issue_events: [event(`${tea}/issues/1`, 7, 'closed')],
}

describe('Several databases', () => {
  const clock = () => new Date('2024-05-06T12:00:00Z')
  const ask = shareServer([first, second], { clock })

  test('are served together; of a repeated repository or person, the first one', async () => {
    expect((await ask('/repos/forge/kettle')).body.description).toBeNull()
    expect((await ask('/repos/forge/kettle/issues/1')).body.title).toBe('It boils')
    expect((await ask('/repos/ada/tea/issues/1')).body).toMatchObject({ user: { login: 'bob' } })
    expect((await ask('/users/ada')).body.name).toBe('First')
    expect((await ask('/users/bob')).body.name).toBe('Bob')
  })

  test('have one feed, each event once', async () => {
    const { body } = await ask<{ id: string; type: string; repo: { name: string } }[]>('/events')
    const comments = body
      .filter(({ type }) => type === 'IssueCommentEvent')
      .map(({ repo }) => repo.name)
    expect(comments.toSorted()).toEqual(['ada/tea', 'forge/kettle'])
    expect(new Set(body.map(({ id }) => id)).size).toBe(body.length)
  })

  test('do not confuse events with one number: the smallest url has it', async () => {
    expect((await ask('/repos/ada/tea/issues/events/7')).body).toMatchObject({ id: 7 })
    expect((await ask('/repos/forge/kettle/issues/events/7')).status).toBe(404)
  })
})

const changing = shareDatabases(first)

test('While its index is made anew a server asks to come again', async () => {
  const [original = ''] = changing.paths
  const path = join(await folderOf(), 'it.db')
  copyFileSync(original, path)
  // The server looks at the database every second.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await serveArchive([path], { state: ':memory:' })
  onTestFinished(() => server.close())
  const ask = async (target: string) => server.fetch(new Request(`http://localhost${target}`))
  const etag = (await ask('/repos/forge/kettle')).headers.get('etag')
  const database = openDatabase(path, { readonly: false })
  database.prepare('UPDATE repositories SET description = ?').run('New')
  database.close()
  vi.advanceTimersByTime(1000)
  const busy = await ask('/repos/forge/kettle')
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '2'])
  await expect
    .poll(async () => (await ask('/_ready')).status, { interval: 5, timeout: 20_000 })
    .toBe(204)
  const after = await ask('/repos/forge/kettle')
  expect(await after.json()).toMatchObject({ description: 'New' })
  expect(after.headers.get('etag')).not.toBe(etag)
})

test(
  'What keeps a server from reading a database is in its answers and in its log',
  THOROUGH,
  async () => {
    const [original = ''] = changing.paths
    const path = join(await folderOf(), 'it.db')
    copyFileSync(original, path)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const told: string[] = []
    const notice = (text: string) => void told.push(text)
    const server = await serveArchive([path], { state: ':memory:', notice })
    onTestFinished(() => server.close())
    const ask = () => server.fetch(new Request('http://localhost/repos/forge/kettle'))
    renameSync(path, `${path}.away`)
    await vi.advanceTimersByTimeAsync(1000)
    const answer = await ask()
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store'])
    const { message } = (await answer.json()) as { message: string }
    expect(message).toBe('Service Unavailable: database-not-found')
    renameSync(`${path}.away`, path)
    await vi.advanceTimersByTimeAsync(1000)
    await expect.poll(async () => (await ask()).status, { interval: 5, timeout: 20_000 }).toBe(200)
    expect(told).toEqual([
      expect.stringMatching(
        `^the databases cannot be read as they are now, trying again: ${path}: .* \\(database-not-found\\)$`,
      ),
      'the databases are read as they are now',
    ])
  },
)

test(
  'While another program writes a database, a server asks clients to retry soon',
  THOROUGH,
  async () => {
    const [original = ''] = changing.paths
    const path = join(await folderOf(), 'it.db')
    copyFileSync(original, path)
    const server = await serveArchive([path], { state: ':memory:' })
    onTestFinished(() => server.close())
    const database = openDatabase(path, { readonly: false })
    onTestFinished(() => void database.close())
    database.exec('BEGIN EXCLUSIVE')
    const started = performance.now()
    const answer = await server.fetch(new Request('http://localhost/repos/forge/kettle'))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(performance.now() - started).toBeLessThan(2000)
    database.exec('ROLLBACK')
    const after = await server.fetch(new Request('http://localhost/repos/forge/kettle'))
    expect(after.status).toBe(200)
  },
)
