/**
 * Kills `marc` with SIGKILL at a random moment and looks at what it leaves: what was there before or what should be
 * there after, nothing else under its name; and after the command has run once more, exactly what it should be.
 */

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openWorld } from '../fuzz/layers.ts'
import { BINARY, COMPILE_CACHE } from '../support/run-command.ts'
import type { Operation } from './operations.ts'

/** An operation, run to its end once, so that it is known what it does and how long that takes. */
export interface Rehearsed {
  operation: Operation
  /** A folder as the operation finds it. */
  folder: string
  before: unknown
  after: unknown
  /** Names in the folder when it is done. */
  names: string[]
  /** Milliseconds. */
  duration: number
  /** Variables of the environment of the command. */
  env: Record<string, string>
}

export interface Kill {
  /** Milliseconds after its start. */
  at: number
  /** Whether it was still running. */
  killed: boolean
  /** What was found under the name of its output. */
  found: 'before' | 'after' | 'in between'
  /** What it left beside it. */
  left: string[]
}

/** Runs an operation undisturbed. `root` is a folder for all that it makes. */
export async function rehearse(
  operation: Operation,
  root: string,
  archives: { base: string; more: string },
): Promise<Rehearsed> {
  const folder = mkdtempSync(join(root, 'before-'))
  cpSync(archives.base, join(folder, 'base.tar.gz'))
  cpSync(archives.more, join(folder, 'more.tar.gz'))
  const unpacked = await openWorld(archives.base)
  for (const [path, content] of Object.entries(unpacked.files)) {
    mkdirSync(dirname(join(folder, 'folder', path)), { recursive: true })
    writeFileSync(join(folder, 'folder', path), content)
  }
  mkdirSync(join(folder, '.temporary'))
  for (const argv of operation.before) await runToEnd(argv, folder)
  await operation.harm?.(folder)
  const whole = copyOf(folder, root)
  const env = (await operation.environment?.()) ?? {}
  const start = performance.now()
  await runToEnd(operation.command, whole, operation, env)
  const duration = performance.now() - start
  const before = operation.read(join(folder, operation.output))
  const after = operation.read(join(whole, operation.output))
  if (isDeepStrictEqual(before, after)) throw new Error(`${operation.name} changes nothing`)
  return { operation, folder, before, after, names: namesIn(whole), duration, env }
}

/** Kills an operation so many milliseconds after its start, and runs it once more. Throws on whatever is amiss. */
export async function killAt(rehearsed: Rehearsed, at: number, root: string): Promise<Kill> {
  const { operation, before, after, env } = rehearsed
  const folder = copyOf(rehearsed.folder, root)
  const output = join(folder, operation.output)
  const { child, ended } = start(operation.command, folder, operation, env)
  const timer = setTimeout(() => child.kill('SIGKILL'), at)
  const killed = (await ended) === null
  clearTimeout(timer)
  const left = namesIn(folder).filter((name) => !rehearsed.names.includes(name))
  const seen = operation.read(output)
  const found = isDeepStrictEqual(seen, before)
    ? 'before'
    : isDeepStrictEqual(seen, after)
      ? 'after'
      : 'in between'
  if (found === 'in between' && !(operation.growing && isPartOf(seen, after))) {
    throw new Error(`${operation.name}, killed after ${at} ms: it left neither old nor new`)
  }
  const again = found === 'before' ? operation.command : (operation.again ?? operation.command)
  await runToEnd(again, folder, operation, env)
  if (!isDeepStrictEqual(operation.read(output), after)) {
    throw new Error(`${operation.name}, killed after ${at} ms and run again: it is not the same`)
  }
  const stale = namesIn(folder).filter((name) => !rehearsed.names.includes(name))
  if (stale.length > 0) throw new Error(`${operation.name}: ${stale.join(', ')} is left for ever`)
  rmSync(folder, { recursive: true })
  return { at, killed, found, left }
}

/** A moment in an operation, by a number from 0 to 1: in its first third it does nothing but start. */
export const momentIn = ({ duration }: Rehearsed, fraction: number): number =>
  duration * (0.3 + 0.75 * fraction)

export function makeRoot(): string {
  return mkdtempSync(join(tmpdir(), 'marc-crash-'))
}

/** Whether every file but those with names of what is not whole is as it should be. */
function isPartOf(seen: unknown, after: unknown): boolean {
  const whole = after as Record<string, string>
  return Object.entries((seen ?? {}) as Record<string, string>).every(
    ([name, hash]) => name.endsWith('.partial') || whole[name] === hash,
  )
}

function copyOf(folder: string, root: string): string {
  const copy = mkdtempSync(join(root, 'run-'))
  cpSync(folder, copy, { recursive: true })
  mkdirSync(join(copy, '.home'), { recursive: true })
  mkdirSync(join(copy, '.temporary'), { recursive: true })
  return copy
}

/**
 * The cache names a database by the path and age of its archive, which are others in each folder, and a claim names one at random.
 */
const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replace(/[0-9a-f]{16}-[0-9a-f]{16}-|\.[0-9a-f]{8}(?=\.db$)/, ''))
    .sort()

function start(
  argv: readonly string[],
  folder: string,
  { program = BINARY }: Pick<Operation, 'program'>,
  own: Record<string, string>,
) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, '.home'),
    TMPDIR: join(folder, '.temporary'),
    ...COMPILE_CACHE,
    ...own,
  }
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder, env, stdio: 'pipe' })
  child.stdin.end()
  child.stdout.resume()
  const said: Buffer[] = []
  child.stderr.on('data', (piece: Buffer) => said.push(piece))
  const ended = new Promise<number | null>((done, fail) => {
    child.on('error', fail).on('close', done)
  })
  return { child, ended, said: () => Buffer.concat(said).toString() }
}

async function runToEnd(
  argv: readonly string[],
  folder: string,
  operation: Pick<Operation, 'program'> = {},
  env: Record<string, string> = {},
): Promise<void> {
  const { ended, said } = start(argv, folder, operation, env)
  const code = await ended
  if (code !== 0) throw new Error(`marc ${argv.join(' ')} ended with ${code}: ${said()}`)
}
