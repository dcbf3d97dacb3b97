import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { openBuildQueue } from '../../../src/rest/state/build-queue.ts'
import { SILENCE } from '../../../src/rest/state/job-queue.ts'
import { createMigrations, MOST_PENDING } from '../../../src/rest/state/migrations.ts'
import { openStateDatabase } from '../../../src/rest/state/state-database.ts'
import { folderOf } from '../../support/folder.ts'
import { LOCKING, WHOLE } from '../../support/migrations.ts'

const NOW = Date.parse('2024-02-03T04:05:06Z')
const DAY = 86_400_000
const asked = { owner: 'Ada', repositories: ['ada/kettle', 'ada/teapot'], options: LOCKING }
const ADA = { owner: 'ada' }

/** A server's view of a state, its two clocks, and a worker of it. */
function openServer(folder = ':memory:', pace = 0) {
  const time = { now: NOW, machine: NOW }
  const state = openStateDatabase(folder)
  onTestFinished(() => state.close())
  const clocks = { clock: () => new Date(time.now), machineTime: () => time.machine }
  const migrations = createMigrations(state, { ...clocks, archiveLife: 7 * DAY })
  return { time, state, migrations, queue: openBuildQueue(state, { ...clocks, pace }) }
}

const BUILT = { size: 10, sha256: 'ab' }

test('A migration starts as pending, with a guid that follows from its owner, number and time', () => {
  const { migrations } = openServer()
  const started = migrations.start(asked)
  expect(started).toEqual({
    id: 1,
    guid: expect.any(String),
    owner: 'ada',
    organization: undefined,
    state: 'pending',
    options: LOCKING,
    repositories: asked.repositories,
    createdAt: NOW,
    updatedAt: NOW,
    exportedAt: undefined,
    archive: undefined,
    failure: undefined,
  })
  expect(started?.guid).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(openServer().migrations.start(asked)?.guid).toBe(started?.guid)
  expect(openServer().migrations.start({ ...asked, owner: 'bob' })?.guid).not.toBe(started?.guid)
  expect(migrations.findByGuid(started?.guid ?? '')).toEqual(started)
  expect(migrations.locksOf(1)).toEqual(asked.repositories)
})

test('Only its owner finds it: a person, or an organization', () => {
  const { migrations } = openServer()
  for (let i = 0; i < 3; i++) migrations.start(asked)
  migrations.start({ ...asked, organization: 'Forge' })
  migrations.start({ ...asked, owner: 'bob' })
  expect(migrations.list({ owner: 'ADA' }, { offset: 0, limit: 2 }).map(({ id }) => id)).toEqual([
    3, 2,
  ])
  expect(migrations.list(ADA, { offset: 2, limit: 2 }).map(({ id }) => id)).toEqual([1])
  expect(migrations.list({ organization: 'forge' }, { offset: 0, limit: 9 })).toHaveLength(1)
  expect([migrations.count(ADA), migrations.count({ organization: 'FORGE' })]).toEqual([3, 1])
  expect(migrations.find(4, ADA)).toBeUndefined()
  expect(migrations.find(5, ADA)).toBeUndefined()
  expect(migrations.find(9, ADA)).toBeUndefined()
  expect(migrations.find(4, { organization: 'forge' })?.organization).toBe('forge')
})

test('A hundred may be pending', () => {
  const { migrations, queue } = openServer()
  for (let i = 0; i < MOST_PENDING; i++) expect(migrations.start(asked)).toBeDefined()
  expect(migrations.start(asked)).toBeUndefined()
  expect(migrations.start({ ...asked, owner: 'bob' })).toBeDefined()
  queue.take()
  expect(migrations.start(asked)).toBeDefined()
})

describe('A worker', () => {
  it('takes the lowest pending migration when its pace is over, and publishes its archive', () => {
    const { migrations, queue, time } = openServer(':memory:', 1000)
    migrations.start(asked)
    time.machine += 600
    migrations.start(asked)
    expect(queue.take()).toBe(400)
    time.machine += 400
    time.now += 5000
    expect(queue.take()).toMatchObject({
      id: 1,
      options: LOCKING,
      repositories: asked.repositories,
    })
    expect(migrations.find(1, ADA)).toMatchObject({ state: 'exporting', updatedAt: NOW + 5000 })
    expect(queue.take()).toBe(600)
    time.now += 1000
    expect(queue.finish(1, BUILT)).toBe(true)
    expect(migrations.find(1, ADA)).toMatchObject({
      state: 'exported',
      updatedAt: NOW + 6000,
      exportedAt: NOW + 6000,
      archive: BUILT,
    })
    expect(queue.finish(1, BUILT)).toBe(false)
    expect(queue.fail(1, 'late')).toBe(false)
    time.machine += 1000
    queue.take()
    expect(queue.fail(2, 'disk full')).toBe(true)
    expect(migrations.find(2, ADA)).toMatchObject({ state: 'failed', failure: 'disk full' })
    expect(queue.take()).toBeUndefined()
  })

  it('never shows a change before the migration was made, wherever the clock goes', () => {
    const { migrations, queue, time } = openServer()
    migrations.start(asked)
    time.now -= 10 * DAY
    queue.take()
    expect(migrations.find(1, ADA)?.updatedAt).toBe(NOW)
    queue.finish(1, BUILT)
    expect(migrations.find(1, ADA)?.updatedAt).toBe(NOW)
  })

  it('takes over from one that has said nothing for 30 seconds, or has released its job', async () => {
    const folder = join(await folderOf(), 'it.serve')
    const [one, other] = [openServer(folder), openServer(folder)]
    one.migrations.start(asked)
    one.queue.take()
    other.time.machine += SILENCE - 1
    expect(other.queue.takeOver()).toBeUndefined()
    one.time.machine += 2000
    expect(one.queue.beat(1)).toBe(true)
    other.time.machine += 2000
    expect(other.queue.takeOver()).toBeUndefined()
    other.time.machine += SILENCE
    expect(other.queue.takeOver()).toMatchObject({ id: 1 })
    expect(one.queue.beat(1)).toBe(false)
    expect(one.queue.finish(1, BUILT)).toBe(false)
    other.queue.release(1)
    one.time.machine = other.time.machine
    expect(one.queue.takeOver()).toMatchObject({ id: 1 })
    expect(other.queue.takeOver()).toBeUndefined()
    expect(one.migrations.find(1, ADA)?.state).toBe('exporting')
  })

  it('is one of many: each migration is taken once', async () => {
    const folder = join(await folderOf(), 'it.serve')
    const servers = [openServer(folder), openServer(folder), openServer(folder)]
    for (let i = 0; i < 9; i++) servers[0]?.migrations.start({ ...asked, options: WHOLE })
    const taken = Array.from({ length: 12 }, (_, i) => servers[i % 3]?.queue.take())
    expect(taken.map((job) => typeof job === 'object' && job.id)).toEqual([
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      9,
      false,
      false,
      false,
    ])
  })
})

describe('An archive', () => {
  const exported = () => {
    const server = openServer()
    server.migrations.start(asked)
    server.queue.take()
    server.queue.finish(1, BUILT)
    return server
  }

  it('is there for seven days of the clock', () => {
    const { migrations, time, queue } = exported()
    const { guid = '' } = migrations.find(1, ADA) ?? {}
    time.now += 7 * DAY - 1
    expect(migrations.expireArchives()).toEqual([])
    expect(migrations.find(1, ADA)?.archive).toEqual(BUILT)
    time.now += 1
    expect(migrations.find(1, ADA)?.archive).toBeUndefined()
    expect(migrations.deleteArchive(1)).toBe(false)
    expect(queue.isWanted(guid)).toBe(true)
    expect(migrations.expireArchives()).toEqual([guid])
    expect(queue.isWanted(guid)).toBe(false)
    time.now -= DAY
    expect(migrations.find(1, ADA)).toMatchObject({ state: 'exported', archive: undefined })
  })

  it('is deleted once, and the rest of the migration stays', () => {
    const { migrations } = exported()
    expect(migrations.deleteArchive(1)).toBe(true)
    expect(migrations.deleteArchive(1)).toBe(false)
    expect(migrations.find(1, ADA)).toMatchObject({ state: 'exported', archive: undefined })
    migrations.start(asked)
    expect(migrations.deleteArchive(2)).toBe(false)
  })
})

describe('A lock', () => {
  it('is released once, after the export, even if it failed', () => {
    const { migrations, queue } = openServer()
    migrations.start(asked)
    migrations.start(asked)
    expect(migrations.unlock(1, 'ada/kettle')).toBe(false)
    queue.take()
    expect(migrations.unlock(1, 'ada/kettle')).toBe(false)
    queue.fail(1, 'no')
    expect(migrations.unlock(1, 'ada/kettle')).toBe(true)
    expect(migrations.unlock(1, 'ada/kettle')).toBe(false)
    expect(migrations.unlock(1, 'bob/cup')).toBe(false)
    expect(migrations.locksOf(1)).toEqual(['ada/teapot'])
    expect(migrations.locksOf(2)).toEqual(asked.repositories)
  })

  it('is only held where the options say so', () => {
    const { migrations } = openServer()
    migrations.start({ ...asked, options: WHOLE })
    expect(migrations.locksOf(1)).toEqual([])
  })
})
