import type { Limits } from '../archive/limits.ts'
import type { ArchiveSource } from '../archive/open-archive.ts'
import type { Io } from './io.ts'
import { showProgress } from './output/progress.ts'
import { UsageError } from './usage-error.ts'

const limit = (describe: string) => ({ type: 'string', describe, group: 'Limits:' }) as const

/** The options of every command that reads an archive. */
export const READING_OPTIONS = {
  quiet: { type: 'boolean', alias: 'q', describe: 'Show no progress' },
  verbose: { type: 'boolean', describe: 'Show progress as plain lines' },
  'max-path': limit('Bytes of a path [4096], or off'),
  'max-parts': limit('Parts of a path [1024], or off'),
  'max-header': limit('Bytes of an extended header [1048576], or off'),
  'max-entries': limit('Entries of an archive [10000000], or off'),
  'max-expansion': limit('Bytes out for each compressed byte [1000], or off'),
  'max-depth': limit('Levels of nesting in a record [512], or off'),
  'max-record': limit('Bytes of one record [67108864], or off'),
} as const

type Reading = { quiet?: boolean | undefined; verbose?: boolean | undefined } & {
  [K in `max-${keyof Limits}`]?: string | undefined
}

/** The limits as typed. Throws `UsageError` for what is neither a number nor `off`. */
export function limitsOf(options: Reading): Partial<Limits> {
  const names = ['path', 'parts', 'header', 'entries', 'expansion', 'depth', 'record'] as const
  const limits: Partial<Limits> = {}
  for (const name of names) {
    const typed = options[`max-${name}`]
    if (typed === undefined) continue
    if (typed !== 'off' && !/^\d+$/.test(typed)) {
      throw new UsageError(`--max-${name} takes a number or off, not ${JSON.stringify(typed)}`)
    }
    limits[name] = typed === 'off' ? Number.POSITIVE_INFINITY : Number(typed)
  }
  return limits
}

/** An archive as it is named on the command line, where `-` is standard input. */
export const sourceOf = (named: string, { stdin }: Io): ArchiveSource =>
  named === '-' ? { name: 'standard input', bytes: stdin } : named

/** Shows how far reading has come on standard error, one bar an archive. */
export function readingProgress(label: string, { quiet, verbose }: Reading, { stderr }: Io) {
  const mode = quiet ? 'none' : verbose ? 'lines' : undefined
  let archive: string | undefined
  let shown: ReturnType<typeof showProgress> | undefined
  return {
    progress(done: { archive: string; bytes: number; total?: number }) {
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
