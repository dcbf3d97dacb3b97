import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { beforeEach, describe, expect, test } from 'vitest'
import { lockFile } from '../../src/files/lock-file.ts'
import { ownProcess } from '../../src/files/partial-file.ts'
import { inFolder } from '../support/run-command.ts'
import { outputOf } from '../support/run-program.ts'

const LOCK = 'it.lock'
/** A process that has ended. */
const GONE = ownProcess().replace(/\d+$/, outputOf('sh', ['-c', 'printf $$']).toString())
const ELSEWHERE = '00000000-1'

const lock = (more: { wait?: boolean; signal?: AbortSignal } = {}) =>
  lockFile(LOCK, {
    wait: false,
    ...more,
    busy: (holder) => Object.assign(new Error(holder), { name: 'ArchiveError' }) as never,
  })
const holds = (owner: string) =>
  writeFileSync(LOCK, JSON.stringify({ owner, host: 'far', token: 'x' }))
const touchedBefore = (minutes: number) => {
  const then = new Date(Date.now() - minutes * 60_000)
  utimesSync(LOCK, then, then)
}

beforeEach(() => void inFolder())

describe('A lock', () => {
  test('has one holder, and is gone when that releases it', async () => {
    const release = await lock()
    await expect(lock()).rejects.toThrow(`process ${process.pid} on ${hostname()}`)
    release()
    expect(readdirSync('.')).toEqual([])
    ;(await lock())()
  })

  test('has one holder, however many want it at once', async () => {
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => lock()))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(readdirSync('.')).toEqual([LOCK])
  })

  test('is waited for, if asked to', async () => {
    const release = await lock()
    const second = lock({ wait: true })
    release()
    ;(await second)()
    expect(readdirSync('.')).toEqual([])
  })

  test('is waited for until an interrupt', async () => {
    await lock()
    const signal = AbortSignal.abort()
    await expect(lock({ wait: true, signal })).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('of a process that is gone is taken over at once', async () => {
    holds(GONE)
    const release = await lock()
    expect(readFileSync(LOCK, 'utf8')).toContain(ownProcess())
    release()
  })

  test('of a process that runs is kept, however long it was not touched', async () => {
    holds(ownProcess())
    touchedBefore(60)
    await expect(lock()).rejects.toThrow(`process ${process.pid} on far`)
  })

  test('of another machine is taken over when nobody has touched it for ten minutes', async () => {
    holds(ELSEWHERE)
    touchedBefore(9)
    await expect(lock()).rejects.toThrow('process 1 on far')
    touchedBefore(11)
    ;(await lock())()
  })

  test('that no process of ours wrote counts as one of another machine', async () => {
    writeFileSync(LOCK, 'mine')
    await expect(lock()).rejects.toThrow('another process')
    touchedBefore(11)
    ;(await lock())()
  })

  test('that was taken over meanwhile is not released by its former holder', async () => {
    const release = await lock()
    rmSync(LOCK)
    holds(ELSEWHERE)
    release()
    expect(readdirSync('.')).toEqual([LOCK])
  })

  test('output-refused: is refused in a folder that is not there', async () => {
    const busy = () => new Error() as never
    await expect(lockFile('no/it.lock', { wait: false, busy })).rejects.toMatchObject({
      code: 'output-refused',
    })
  })
})
