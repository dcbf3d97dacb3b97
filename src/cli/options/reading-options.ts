import { basename, resolve } from 'node:path'
import { addAbortSignal } from 'node:stream'
import type { ArchiveSource } from '../../archive/open-archive.ts'
import { DEFAULT_LIMITS, type Limits } from '../../base/limits.ts'
import { isDatabase } from '../../files/is-database.ts'
import type { Io } from '../command/io.ts'
import { shellWord, UsageError } from '../command/usage-error.ts'
import { showProgress } from '../output/progress.ts'
import { parseSize } from './parse-size.ts'
import { PROGRESS_OPTIONS, progressMode } from './shared-options.ts'

/** A summary of each limit. */
export const LIMIT_SUMMARIES = {
  path: 'Bytes in a path',
  parts: 'Components of a path',
  header: 'Bytes in an extended header',
  members: 'Members in the gzip file',
  entries: 'Entries in an archive',
  expansion: 'Decompressed bytes per compressed byte',
  extracted: 'Total bytes of all entries',
  depth: 'Levels of nesting in a record',
  record: 'Bytes in a record',
} as const satisfies Record<keyof Limits, string>

const LIMIT_NAMES = Object.keys(LIMIT_SUMMARIES) as (keyof Limits)[]

/** Limits that are so large that people write them with a unit. */
const SIZES: ReadonlySet<keyof Limits> = new Set(['header', 'extracted', 'record'])

/** The default of a limit, as on a command line. */
export function standardLimit(name: keyof Limits): string {
  const limit = DEFAULT_LIMITS[name]
  if (!Number.isFinite(limit)) return 'off'
  return SIZES.has(name) ? `${limit / 2 ** 20}MiB` : String(limit)
}

const limitOption = (name: keyof Limits) => ({
  type: 'string' as const,
  value: SIZES.has(name) ? '<size>' : '<number>',
  group: 'Limits, each a number, a size such as 64MiB, or off:',
  describe: `${LIMIT_SUMMARIES[name]} [${standardLimit(name)}]`,
})

const LIMIT_OPTIONS = Object.fromEntries(
  LIMIT_NAMES.map((name) => [`max-${name}`, limitOption(name)]),
) as { readonly [K in `max-${keyof Limits}`]: ReturnType<typeof limitOption> }

/** The options of every command that reads an archive. */
export const READING_OPTIONS = {
  ...PROGRESS_OPTIONS,
  ...LIMIT_OPTIONS,
} as const

type Reading = { quiet?: boolean | undefined; verbose?: boolean | undefined } & {
  [K in `max-${keyof Limits}`]?: string | undefined
}

/** Parses the limits. Throws `UsageError` for a value that is neither a number, a size nor `off`. */
export function limitsOf(options: Reading): Partial<Limits> {
  const limits: Partial<Limits> = {}
  for (const name of LIMIT_NAMES) {
    const parse = SIZES.has(name) ? sizeLimitOf : limitOf
    const limit = parse(`max-${name}`, options[`max-${name}`])
    if (limit !== undefined) limits[name] = limit
  }
  return limits
}

/** Parses a limit. Throws `UsageError` for a value that is neither a number nor `off`. */
export function limitOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === 'off') return Number.POSITIVE_INFINITY
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${option} takes a number or off, not ${JSON.stringify(text)}`)
}

/** Parses a limit in bytes. Throws `UsageError` for a value that is neither a size nor `off`. */
export const sizeLimitOf = (option: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseSize(`--${option}`, text)

const STANDARD_INPUT = 'standard input'

/** The name of a source in reports. */
export const reportedName = (named: string): string =>
  named === '-' ? STANDARD_INPUT : basename(resolve(named))

/** The archive that the command line names, where `-` is standard input. Throws `UsageError`. */
export async function sourceOf(named: string, { stdin, signal }: Io): Promise<ArchiveSource> {
  if (named === '-') {
    if (stdin.isTTY) throw new UsageError('expected an archive on standard input, found a terminal')
    // Without the signal an interrupt would wait for the end of the input.
    return { name: STANDARD_INPUT, bytes: signal ? addAbortSignal(signal, stdin) : stdin }
  }
  if (!(await isDatabase(named))) return named
  const archive = `${basename(named).replace(/\.[^.]+$/, '')}.tar.gz`
  const hint = `Make an archive of it first: marc build ${shellWord(named)} -o ${shellWord(archive)}`
  throw new UsageError('expected an archive, found a database', hint, { archive: named })
}

/** Opens the archive that the command line names. */
export async function openNamed(named: string, reading: Reading, io: Io) {
  const limits = limitsOf(reading)
  const signal = io.signal && { signal: io.signal }
  // Loaded on demand: a query of a database needs none of it.
  const { openArchive } = await import('../../archive/open-archive.ts')
  return { archive: await openArchive(await sourceOf(named, io), { limits, ...signal }), limits }
}

/**
 * Shows the progress of reading on standard error: one bar per archive, or one over all whose `sizes` are known.
 *
 * @param sizes bytes of several archives, in the order in which they are read
 */
export function readingProgress(
  label: string,
  { quiet, verbose }: Reading,
  { stderr }: Io,
  sizes: readonly number[] = [],
) {
  const mode = progressMode({ quiet, verbose })
  let archive: string | undefined
  let shown: ReturnType<typeof showProgress> | undefined
  const all = sizes.length > 1 ? sizes.reduce((sum, size) => sum + size, 0) : undefined
  let number = 0
  let before = 0
  return {
    progress(done: { archive: string; bytes: number; total: number | undefined }) {
      if (all !== undefined) {
        if (done.archive !== archive) {
          before += archive === undefined ? 0 : (sizes[number] ?? 0)
          number += archive === undefined ? 0 : 1
          archive = done.archive
        }
        shown ??= showProgress(stderr, {
          label: `${label} ${sizes.length} archives`,
          total: all,
          mode,
        })
        shown.update(before + done.bytes, () => `${number + 1}: ${done.archive}`)
        return
      }
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

/** The path of an entry as listings have it: names in many archives begin with `./`. */
export const entryPath = (text: string): string => text.replace(/^(?:\.\/)+(?=.)/, '')
