/**
 * Runs `marc` in a test, either within this process, which takes milliseconds, or as a process of its own for
 * what needs one: exit codes, pipes, signals.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest'
import { type ExitCode, exitsOf } from '../../src/cli/command/exit-codes.ts'
import { commandNamed, isCommandName } from '../../src/cli/commands.ts'
import { main } from '../../src/cli/main.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
export const BINARY = join(ROOT, 'src/bin.ts')

/** Has processes keep what Node.js makes of the sources, which halves the time that `marc` takes to start. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/migration-archive'),
}

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  /** Text or bytes on standard input; without any, it is a terminal that nobody types at. */
  stdin?: string | Uint8Array
  /** What somebody types at the terminal. */
  typed?: string
  /** Which streams are terminals. */
  tty?: boolean | 'stdout' | 'stderr'
  columns?: number
  env?: Record<string, string>
  signal?: AbortSignal
  /** Interrupts the command when it has printed something, as one that lasts always is. */
  interrupt?: boolean
}

/** A temporary folder that goes with the test; becomes the working folder and holds the cache and `files`. */
export function inFolder(files: Record<string, string | Uint8Array> = {}): string {
  const { folder, leave } = enterFolder(files)
  onTestFinished(leave)
  return folder
}

/**
 * The same for all tests of a file, or of a group: those that only ask need the archive read into the cache but once.
 * A test of what is written still calls `inFolder`.
 */
export function shareFolder(files: Record<string, string | Uint8Array>): void {
  let leave = () => {}
  beforeAll(() => {
    leave = enterFolder(files).leave
  })
  afterAll(() => leave())
}

function enterFolder(files: Record<string, string | Uint8Array>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'marc-test-')))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const before = process.cwd()
  process.chdir(folder)
  const leave = () => {
    process.chdir(before)
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, leave }
}

/**
 * The same for tests that write: what one of them makes goes with it, but `files` and what `prepare` makes stay, and what
 * was read of them stays in the cache. A test that changes one of them still calls `inFolder`.
 */
export function shareInput(
  files: Record<string, string | Uint8Array>,
  prepare: () => unknown = () => {},
): void {
  let folder = ''
  let given: string[] = []
  shareFolder(files)
  beforeAll(async () => {
    await prepare()
    folder = process.cwd()
    given = ['.cache', ...readdirSync(folder)]
  })
  afterEach(() => {
    const made = readdirSync(folder).filter((name) => !given.includes(name))
    for (const name of made) rmSync(join(folder, name), { recursive: true })
  })
}

/** The same with `samples/`, as the examples of the commands expect it. */
export function besideSamples(): string {
  const folder = inFolder()
  symlinkSync(join(ROOT, 'samples'), join(folder, 'samples'))
  return folder
}

/** The same for all tests of a file: what one of them makes goes with it, but the samples stay in the cache. */
export function shareSamples(): void {
  shareInput({}, () => symlinkSync(join(ROOT, 'samples'), 'samples'))
}

/** Runs a command line within this process, in the folder that `inFolder` made. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { stdin, typed, tty = false, columns = 80 } = options
  const terminal = (name: string) =>
    tty === true || tty === name ? { isTTY: true, columns } : { isTTY: false }
  // A command that lasts is interrupted when it has printed something.
  const interrupt = new AbortController()
  const lasts = options.interrupt ?? (!options.signal && (await commandOf(argv))?.lasts === true)
  const stdout = collector([], () => lasts && interrupt.abort())
  const stderr = collector()
  // Keys come one by one.
  const input = stdin === undefined ? [...(typed ?? '')] : [stdin]
  const code = await main(argv, {
    stdin: Object.assign(Readable.from(input.map((piece) => Buffer.from(piece as string))), {
      isTTY: stdin === undefined,
    }),
    stdout: Object.assign(stdout.stream, terminal('stdout')),
    stderr: Object.assign(stderr.stream, terminal('stderr')),
    env: environment(options.env),
    openBrowser: async () => true,
    signal: options.signal ?? (lasts ? interrupt.signal : undefined),
  })
  await expectListed(argv, code)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** The help of a command lists every code that any test gets from it. */
async function expectListed(argv: readonly string[], code: ExitCode): Promise<void> {
  const command = await commandOf(argv)
  if (command) expect(exitsOf(command), `exit codes of marc ${argv[0]}`).toContain(code)
}

async function commandOf([first = '', second = '']: readonly string[]) {
  const name = isCommandName(first) ? first : `${first} ${second}`
  return isCommandName(name) ? commandNamed(name) : undefined
}

/** Starts `marc` as a process in the folder that `inFolder` made. */
export function start(
  argv: readonly string[],
  { env, node = [] }: { env?: Record<string, string>; node?: readonly string[] } = {},
): { child: ChildProcessWithoutNullStreams; ended: Promise<Outcome> } {
  const child = spawn(process.execPath, [...node, BINARY, ...argv], { env: environment(env) })
  const ended = outcomeOf(child)
  return { child, ended }
}

/** Runs `marc` as a process to its end, with nothing on standard input. */
export function runBinary(...given: Parameters<typeof start>): Promise<Outcome> {
  const { child, ended } = start(...given)
  child.stdin.end()
  return ended
}

/** Runs a line of shell in which `marc` is a command. */
export function runShell(line: string, env?: Record<string, string>): Promise<Outcome> {
  const shown = `marc() { '${process.execPath}' '${BINARY}' "$@"; }\n${line}`
  const child = spawn('bash', ['-c', shown], { env: environment(env) })
  child.stdin.end()
  return outcomeOf(child)
}

export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const pieces = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout.on('data', (piece: Buffer) => pieces.stdout.push(piece))
  child.stderr.on('data', (piece: Buffer) => pieces.stderr.push(piece))
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', fail).on('close', done)
  })
  const text = (name: keyof typeof pieces) => Buffer.concat(pieces[name]).toString()
  return { code, stdout: text('stdout'), stderr: text('stderr') }
}

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: join(process.cwd(), '.home'),
  XDG_CACHE_HOME: join(process.cwd(), '.cache'),
  ...COMPILE_CACHE,
  ...more,
})

/** A stream that keeps what is written to it. */
export function collector(pieces: Buffer[] = [], onPiece: () => unknown = () => {}) {
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      onPiece()
      done()
    },
  })
  return { stream, text: () => Buffer.concat(pieces).toString() }
}
