import { realpathSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import { AdvisedError, UsageError } from '../../src/cli/command/usage-error.ts'
import { createCaller } from '../../src/work/call.ts'
import { folderOf } from '../support/folder.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'
import type * as programs from './programs.ts'

const { call, stream } = createCaller(pathToFileURL(`${import.meta.dirname}/programs.ts`))

const PLACES = ['thread', 'process'] as const

/** Calls a program that ends by an error, and gives that. */
const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('no error'),
    (error) => error,
  )

describe.each(PLACES)('A %s', (place) => {
  const options = { in: place }

  test('gives the result of a program', async () => {
    const value = { bytes: Buffer.from('tea'), at: new Date(0), big: 2n ** 60n, none: undefined }
    expect(await call<typeof programs.echo>('echo', value, options)).toMatchObject({
      at: value.at,
      big: value.big,
    })
  })

  everyDay(1)([
    ['archive', ArchiveError],
    ['advised', AdvisedError],
  ] as const)('throws an error of the class %s with all it knows', async (what, type) => {
    const error = await errorOf(call<typeof programs.fail>('fail', what, options))
    expect(error.constructor).toBe(type)
    expect(error).toMatchObject({
      code: 'limit-rows',
      message: 'too many',
      place: { archive: 'a.db', record: 3 },
      limit: { allowed: 2 },
      cause: { message: 'no such file', code: 'ENOENT' },
    })
    if (what === 'advised') expect(error).toMatchObject({ advice: 'Ask for fewer.' })
  })

  test('throws an error in the command line with its hint', async () => {
    const error = await errorOf(call<typeof programs.fail>('fail', 'usage', options))
    expect(error.constructor).toBe(UsageError)
    expect(error).toMatchObject({ message: 'no such option', advice: 'Ask for help.' })
  })

  test('throws any other error as a bug, with the stack of the program', THOROUGH, async () => {
    const bug = await errorOf(call<typeof programs.fail>('fail', 'bug', options))
    expect(bug).not.toBeInstanceOf(ArchiveError)
    expect(bug.stack).toMatch(/^TypeError: Cannot read .*programs\.ts/s)
    const system = await errorOf(call<typeof programs.fail>('fail', 'system', options))
    expect(system).toMatchObject({ code: 'ENOENT' })
    expect((await errorOf(call<typeof programs.fail>('fail', 'text', options))).message).toBe(
      'text',
    )
    expect((await errorOf(call('nothing', 1 as never, options))).message).toMatch('no program')
  })

  test('tells how far a program is', THOROUGH, async () => {
    const told: string[] = []
    const progress = (value: string) => void told.push(value)
    expect(await call<typeof programs.spin>('spin', 1, { ...options, progress })).toBe('done')
    expect(told).toEqual(['begun'])
  })

  test('is ended when nobody wants the result any more', THOROUGH, async () => {
    const stop = new AbortController()
    const { signal } = stop
    const progress = () => stop.abort()
    const ended = call<typeof programs.spin>('spin', 60_000, { ...options, signal, progress })
    await expect(ended).rejects.toMatchObject({ code: 'interrupted' })
    const late = call<typeof programs.echo>('echo', 1, { ...options, signal })
    await expect(late).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('may be given time to end by itself', THOROUGH, async () => {
    const stop = new AbortController()
    const given = {
      ...options,
      signal: stop.signal,
      grace: 20_000,
      progress: () => stop.abort(),
    }
    expect(await call<typeof programs.wait>('wait', 'cleaned up', given)).toBe('cleaned up')
  })

  test('that does not end in that time is killed', THOROUGH, async () => {
    const stop = new AbortController()
    const given = { ...options, signal: stop.signal, grace: 10, progress: () => stop.abort() }
    await expect(call<typeof programs.spin>('spin', 60_000, given)).rejects.toMatchObject({
      code: 'interrupted',
    })
  })

  test('makes pieces only when they are wanted', THOROUGH, async () => {
    const told: (string | number)[] = []
    const progress = (value: string | number) => void told.push(value)
    const pieces = stream<typeof programs.count>('count', 100, { ...options, progress, ahead: 3 })
    expect(await pieces.next()).toEqual({ done: false, value: 0 })
    await expect.poll(() => told, { interval: 1 }).toEqual([0, 1, 2])
    await setTimeout(10)
    expect(told).toEqual([0, 1, 2])
    const rest: number[] = []
    for await (const piece of pieces) rest.push(piece)
    expect(rest).toEqual(Array.from({ length: 99 }, (_, i) => i + 1))
    expect(told.at(-1)).toBe('ended')
  })

  test('throws what a program throws after some pieces', THOROUGH, async () => {
    const pieces = stream<typeof programs.failLate>('failLate', undefined as never, options)
    expect(await pieces.next()).toEqual({ done: false, value: 1 })
    await expect(pieces.next()).rejects.toMatchObject({ code: 'tar-damaged' })
  })

  test('answers several calls at a time, each by its own', THOROUGH, async () => {
    const answers = [1, 2, 3].map((n) => call<typeof programs.echo>('echo', n, options))
    expect(await Promise.all(answers)).toEqual([1, 2, 3])
  })
})

describe('A process', () => {
  const options = { in: 'process' } as const

  everyDay(1)([
    ['kill', 'the process was ended by SIGKILL'],
    ['exit', 'the process ended with exit code 134: out of memory'],
    ['throw', /^the process ended with exit code 1: .*RangeError: thrown later/s],
  ] as const)('that ends by itself (%s) is a bug that says how', async (how, message) => {
    const error = await errorOf(call<typeof programs.end>('end', how, options))
    expect(error).not.toBeInstanceOf(ArchiveError)
    expect(error.message).toMatch(message)
    expect(await call<typeof programs.echo>('echo', 'and the next one works', options)).toBe(
      'and the next one works',
    )
  })

  test('is killed when it takes too long', THOROUGH, async () => {
    const limited = { ...options, seconds: 0.5 }
    await expect(call<typeof programs.spin>('spin', 60_000, limited)).rejects.toMatchObject({
      code: 'query-timeout',
      message: 'not finished after 0.5 s',
    })
  })

  test.runIf(process.platform === 'linux')('is killed when it needs too much', async () => {
    const limited = { ...options, bytes: 300 * 2 ** 20, label: 'the flood' }
    await expect(
      call<typeof programs.fill>('fill', undefined as never, limited),
    ).rejects.toMatchObject({
      code: 'limit-memory',
      message: `the flood needs more than ${300 * 2 ** 20} bytes`,
    })
  })

  test('runs the same program again, but never two calls at a time', THOROUGH, async () => {
    const ask = () => call<typeof programs.pid>('pid', undefined as never, options)
    const first = await ask()
    const [again, other] = await Promise.all([ask(), ask()])
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    expect(first).not.toBe(process.pid)
  })

  test('runs in the working folder of its caller, also if that has changed', THOROUGH, async () => {
    const ask = () => call<typeof programs.folder>('folder', undefined as never, options)
    const before = process.cwd()
    const other = realpathSync(await folderOf())
    onTestFinished(() => process.chdir(before))
    expect(await ask()).toBe(before)
    process.chdir(other)
    expect(await ask()).toBe(other)
    process.chdir(before)
  })

  test('writes to streams, whose output is there before the result', THOROUGH, async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const streams = { input: '', stdout, stderr }
    expect(await call<typeof programs.write>('write', 'tea', { ...options, streams })).toBe(7)
    stdout.end()
    expect(await text(stdout)).toBe('tea')
  })
})

describe('A thread', () => {
  const options = { in: 'thread' } as const

  test('that ends by itself is a bug with its stack', async () => {
    const error = await errorOf(call<typeof programs.end>('end', 'throw', options))
    expect(error.stack).toMatch(/^RangeError: thrown later/)
  })

  test('shared by calls outlives one that nobody wants', THOROUGH, async () => {
    const shared = { ...options, isShared: true }
    const told: (string | number)[] = []
    const left = new Promise<void>((resolve) => {
      const progress = (value: string | number) => {
        told.push(value)
        if (value === 'left') resolve()
      }
      const pieces = stream<typeof programs.count>('count', 100, { ...shared, progress })
      void pieces.next().then(async () => {
        // The listener stays until the program has ended.
        await call<typeof programs.echo>('echo', 1, shared)
        await pieces.return(undefined)
        resolve()
      })
    })
    const other = stream<typeof programs.count>('count', 5, shared)
    expect(await other.next()).toEqual({ done: false, value: 0 })
    await left
    expect(told).not.toContain('ended')
    const rest: number[] = []
    for await (const piece of other) rest.push(piece)
    expect(rest).toEqual([1, 2, 3, 4])
  })

  test('fills memory again that its caller gives back', THOROUGH, async () => {
    const told: string[] = []
    const progress = (value: string) => void told.push(value)
    const pieces = stream<typeof programs.lend>('lend', 6, { ...options, progress, ahead: 1 })
    const firsts: number[] = []
    for await (const memory of pieces) {
      firsts.push(new Uint8Array(memory)[0] as number)
      pieces.giveBack(memory)
    }
    expect(firsts).toEqual([0, 1, 2, 3, 4, 5])
    expect(told).toEqual(['made', 'reused', 'reused', 'reused', 'reused', 'reused'])
  })
})
