/**
 * Starts programs by way of a small process that lasts. The process that runs the tests takes 40 ms to start one itself:
 * the page tables of all its memory are copied.
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessage, writeMessage } from './program-runner.ts'

export interface RunProgramOptions {
  /** Default: those of this process. */
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** What the program reads on standard input. */
  input?: string | Uint8Array
}

export interface ProgramResult {
  status: number | null
  signal: string | null
  /** Why it did not start. */
  error?: string
  stdout: Buffer
  stderr: Buffer
}

/** Runs a program to its end. Use `child_process` where a test must go on meanwhile. */
export function runProgram(
  file: string,
  args: readonly string[] = [],
  { cwd = process.cwd(), env = process.env, input = '' }: RunProgramOptions = {},
): ProgramResult {
  const { requests, results } = pipesOf()
  writeMessage(requests, { file, args, cwd, env }, Buffer.from(input))
  const result = readMessage<Omit<ProgramResult, 'stdout' | 'stderr'>>(results)
  if (!result) throw new Error('the process that starts programs has ended')
  const [stdout = Buffer.alloc(0), stderr = Buffer.alloc(0)] = result.parts
  return { ...result.header, stdout, stderr }
}

/** Runs a program that must succeed, and gives what it prints. */
export function outputOf(...given: Parameters<typeof runProgram>): Buffer {
  const { status, signal, error, stdout, stderr } = runProgram(...given)
  if (status === 0) return stdout
  const [file, args = []] = given
  const how = error ?? (signal ? `killed by ${signal}` : `exit code ${status}`)
  throw new Error(`${[file, ...args].join(' ')}: ${how}\n${stderr}`)
}

let pipes: { requests: number; results: number } | undefined

const pipesOf = () => {
  pipes ??= startRunner()
  return pipes
}

function startRunner() {
  const folder = mkdtempSync(join(tmpdir(), 'run-program-'))
  const [asked, answered] = [join(folder, 'asked'), join(folder, 'answered')]
  execFileSync('mkfifo', [asked, answered])
  const program = join(import.meta.dirname, 'program-runner.ts')
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  // It ends with this process, which closes the pipes.
  spawn(process.execPath, [program, asked, answered], { stdio: [...stdio] }).unref()
  // Each of these waits for the other end.
  const started = { requests: openSync(asked, 'w'), results: openSync(answered, 'r') }
  rmSync(folder, { recursive: true })
  return started
}
