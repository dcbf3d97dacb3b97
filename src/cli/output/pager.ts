import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import type { Io, Output } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'

/** The pager: `MARC_PAGER`, `PAGER` or less; undefined for none. */
export function pagerOf({ env }: Pick<Io, 'env'>): string | undefined {
  if (env.TERM === 'dumb') return undefined
  const named = (env.MARC_PAGER ?? env.PAGER)?.trim()
  if (named !== undefined) return named === 'cat' || named === '' ? undefined : named
  const folders = (env.PATH ?? '').split(':')
  return folders.some((folder) => existsSync(join(folder, 'less'))) ? 'less' : undefined
}

/** Starts a pager, a shell command from the environment, that reads from a pipe. */
export function spawnPager(pager: string, env: Io['env'], less: string): ChildProcess {
  return spawn('/bin/sh', ['-c', pager], {
    env: { ...env, LESS: env.LESS ?? less, LV: env.LV ?? '-c' },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}

/** The streams of a command with a pager between it and the terminal. */
export interface PagedIo {
  io: Io
  /** Waits until the user quits the pager, then prints the messages that were held back. */
  finish(): Promise<void>
}

/** Puts a pager before a terminal; it starts with the first output. Undefined without a terminal or pager. */
export function openPager(io: Io): PagedIo | undefined {
  const pager = pagerOf(io)
  if (!(io.stdout instanceof WriteStream) || pager === undefined) return undefined
  let child: ChildProcess | undefined
  let closed: Promise<unknown> = Promise.resolve()
  let messages = safe``
  // The pager handles interrupts.
  const ignore = () => {}
  const start = (): ChildProcess => {
    process.on('SIGINT', ignore)
    const started = spawnPager(pager, io.env, 'FRX')
    // If the user quits early, writers see EPIPE.
    started.stdin?.on('error', () => {})
    closed = new Promise((done) => started.on('error', done).on('close', done))
    return started
  }
  const paged = new Writable({
    write(piece: Buffer, _encoding, done) {
      child ??= start()
      child.stdin?.write(piece, done)
    },
  })
  paged.on('error', () => {})
  const stdout: Output = Object.defineProperties(paged, {
    isTTY: { value: true },
    columns: { get: () => (io.stdout as WriteStream).columns },
  })
  const stderr: Output = Object.create(io.stderr, {
    write: {
      value: (text: SafeText) => {
        if (child === undefined) return io.stderr.write(text)
        messages = safe`${messages}${text}`
        return true
      },
    },
  })
  return {
    io: { ...io, stdout, stderr },
    async finish() {
      child?.stdin?.end()
      await closed
      if (child) process.off('SIGINT', ignore)
      if (messages !== '') io.stderr.write(messages)
    },
  }
}
