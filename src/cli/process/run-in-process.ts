import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { ArchiveError } from '../../base/errors.ts'
import { removeEmptyDataset, tidyDataset } from '../../exporters/dataset/tidy-dataset.ts'
import { missingFolders } from '../../files/make-folder.ts'
import { removeStale } from '../../files/partial-file.ts'
import { cacheFolder } from '../../files/private-folder.ts'
import { call } from '../../work/call.ts'
import type { ProcessLimits } from '../../work/process-limits.ts'
import type { Run } from '../../work/run.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'

/** The program that runs a command line: `command-program.ts`. */
export type RunCommand = Run<readonly string[], ExitCode>

/**
 * Runs a command line in a child process, because SQLite cannot be interrupted in this one, with `input` on its standard input.
 * Returns its exit code. Throws `query-timeout` or `limit-memory` at a limit.
 */
export const runInTime = (
  argv: readonly string[],
  { input, ...limits }: { input: string } & ProcessLimits,
  { stdout, stderr, env, signal }: Io,
): Promise<ExitCode> =>
  call<RunCommand>('command', argv, {
    in: 'process',
    ...limits,
    signal,
    env,
    label: 'the statement',
    streams: { input, stdout: asNode(stdout), stderr: asNode(stderr) },
  })

/** Milliseconds in which an interrupted process must have cleaned up. */
const PATIENCE = 500

/**
 * Runs a command line in a child process with the streams of this one, so that this one can obey a signal: it passes it on,
 * and kills the child if it has not ended soon, with its partial files.
 *
 * @param argv the command line
 * @param options its options: partial files are beside the paths among them
 * @returns the exit code
 * @throws `interrupted`
 */
export async function runApart(
  argv: readonly string[],
  options: Options,
  { signal, env }: Pick<Io, 'signal' | 'env'>,
  run = call,
): Promise<ExitCode> {
  const { stdout, stderr } = process
  const paths = wordsOf(options).map((word) => resolve(word))
  const missing = new Map(paths.map((path) => [path, missingFolders(path)]))
  try {
    return await run<RunCommand>('command', argv, {
      in: 'process',
      signal,
      env,
      grace: PATIENCE,
      streams: { stdout, stderr },
    })
  } catch (error) {
    if (!(error instanceof ArchiveError && error.code === 'interrupted')) throw error
    for (const path of paths) {
      for (const folder of [path, dirname(path)]) removeStale(folder, { anyName: true })
      await tidyDataset(path).catch(() => {})
      removeEmptyDataset(path, missing.get(path) ?? [])
    }
    for (const folder of [resolve('.'), tmpdir(), cacheFolder(env)]) {
      removeStale(folder, { anyName: true })
    }
    throw error
  }
}

type Options = Readonly<Record<string, unknown>>

const wordsOf = (options: Options): string[] =>
  Object.values(options)
    .flat()
    .filter((word): word is string => typeof word === 'string' && word !== '')

/** The stream without `SafeText`: the other process has already escaped its output. */
const asNode = (stream: Io['stdout']) => stream as unknown as Writable
