import { addAbortSignal } from 'node:stream'
import type { Limits } from '../archive/limits.ts'
import { type ArchiveSource, openArchive } from '../archive/open-archive.ts'
import type { Io } from './io.ts'
import { isDatabase } from './is-database.ts'
import { showProgress } from './output/progress.ts'
import { UsageError } from './usage-error.ts'

const limit = (describe: string) =>
  ({ type: 'string', value: '<number>', describe, group: 'Limits, each a number or off:' }) as const

/** The options of every command that reads an archive. */
export const READING_OPTIONS = {
  quiet: { type: 'boolean', alias: 'q', describe: 'Show no progress' },
  verbose: { type: 'boolean', describe: 'Show progress as plain lines' },
  'max-path': limit('Bytes of a path [4096]'),
  'max-parts': limit('Parts of a path [1024]'),
  'max-header': limit('Bytes of an extended header [1048576]'),
  'max-entries': limit('Entries of an archive [10000000]'),
  'max-expansion': limit('Bytes out for each compressed byte [1000]'),
  'max-depth': limit('Levels of nesting in a record [512]'),
  'max-record': limit('Bytes of one record [67108864]'),
} as const

type Reading = { quiet?: boolean | undefined; verbose?: boolean | undefined } & {
  [K in `max-${keyof Limits}`]?: string | undefined
}

/** The limits as typed. Throws `UsageError` for what is neither a number nor `off`. */
export function limitsOf(options: Reading): Partial<Limits> {
  const names = ['path', 'parts', 'header', 'entries', 'expansion', 'depth', 'record'] as const
  const limits: Partial<Limits> = {}
  for (const name of names) {
    const limit = limitOf(`max-${name}`, options[`max-${name}`])
    if (limit !== undefined) limits[name] = limit
  }
  return limits
}

/** A limit as typed. Throws `UsageError` for what is neither a number nor `off`. */
export function limitOf(option: string, typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined
  if (typed === 'off') return Number.POSITIVE_INFINITY
  if (/^\d+$/.test(typed)) return Number(typed)
  throw new UsageError(`--${option} takes a number or off, not ${JSON.stringify(typed)}`)
}

/** An archive as it is named on the command line, where `-` is standard input. Throws `UsageError`. */
export async function sourceOf(named: string, { stdin, signal }: Io): Promise<ArchiveSource> {
  if (named === '-') {
    if (stdin.isTTY) throw new UsageError('expected an archive on standard input, found a terminal')
    // Waiting for more must end with the wish for it.
    return { name: 'standard input', bytes: signal ? addAbortSignal(signal, stdin) : stdin }
  }
  if (!(await isDatabase(named))) return named
  const hint = `See what it holds with: marc tables ${named}`
  throw new UsageError('expected an archive, found a database', hint, { archive: named })
}

/** Opens an archive as it is named on the command line. */
export async function openNamed(named: string, reading: Reading, io: Io) {
  const limits = limitsOf(reading)
  const signal = io.signal && { signal: io.signal }
  return { archive: await openArchive(await sourceOf(named, io), { limits, ...signal }), limits }
}

/** Shows how far reading has come on standard error, one bar an archive. */
export function readingProgress(label: string, { quiet, verbose }: Reading, { stderr }: Io) {
  const mode = quiet ? 'none' : verbose ? 'lines' : undefined
  let archive: string | undefined
  let shown: ReturnType<typeof showProgress> | undefined
  return {
    progress(done: { archive: string; bytes: number; total: number | undefined }) {
      if (done.archive !== archive) {
        shown?.finish()
        archive = done.archive
        shown = showProgress(stderr, { label: `${label} ${archive}`, total: done.total, mode })
      }
      shown?.update(done.bytes)
    },
    finish: () => shown?.finish(),
  }
}
