import { ArchiveError, describePlace, type Problem } from '../../base/errors.ts'
import { isRuleCode } from '../../base/rule-codes.ts'
import type { Bytes } from '../../base/streams.ts'
import type { BuildOptions, BuildProgress } from '../../build/build-options.ts'
import { hasSelection } from '../../database/rows/selection.ts'
import { type Written, withSha256 } from '../../files/write-file.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { AdvisedError, shellWord } from '../command/usage-error.ts'
import { progressMode } from '../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { showProgress } from '../output/progress.ts'
import { formatCount } from '../output/quantities.ts'
import { remedyFor } from '../remedies.ts'

export interface BuildTarget {
  archive: string
  part: 'git' | 'metadata' | undefined
}

/** An archive that was built. */
export interface BuiltArchive extends Written, Pick<BuildProgress, 'entries' | 'records'> {
  archive: string
  /** The number of broken rules. */
  breaches?: number
}

/** An archive that is built while its bytes are read. */
export interface PreparedBuild {
  path: string
  bytes: Bytes
  built: () => BuiltArchive
}

/** Prepares a build that shows its progress and the rules it breaks. */
export function prepareBuild(
  build: (options: BuildOptions) => Bytes,
  { archive, part }: BuildTarget,
  { options, ...told }: { options: BuildOptions } & Record<'json' | 'quiet' | 'verbose', Flag>,
  io: Io,
): PreparedBuild {
  let shown: ReturnType<typeof showProgress> | undefined
  let done: BuildProgress = { entries: 0, records: 0, bytes: 0 }
  const breaches = listBreaches(io, {
    ...told,
    listedBy: safe`--verbose`,
    clear: () => shown?.clear(),
  })
  const progress = (next: BuildProgress) => {
    done = next
    const { total, bytes } = next
    const mode = progressMode(told)
    shown ??= showProgress(io.stderr, { label: `building ${archive}`, total, mode })
    shown.update(bytes)
  }
  const { report } = breaches
  const whole = withSha256(build({ ...options, part, report, progress, signal: io.signal }))
  async function* bytes() {
    try {
      yield* whole.bytes
    } finally {
      shown?.finish()
    }
    breaches.finish()
  }
  const built = (): BuiltArchive => {
    const { entries, records } = done
    const count = breaches.count()
    return { archive, entries, records, ...(count && { breaches: count }), ...whole.sum() }
  }
  return { path: archive, bytes: bytes(), built }
}

/** Lists the rules that a refused build breaks: all of its records are read, and nothing is written. */
export async function listRefused(
  build: (options: BuildOptions) => Bytes,
  { options, ...told }: { options: BuildOptions } & Record<'json' | 'verbose', Flag>,
  io: Io,
): Promise<void> {
  const breaches = listBreaches(io, { ...told, listedBy: safe`--verbose`, clear: () => {} })
  const report = (problem: Problem) => isRuleCode(problem.code) && breaches.report(problem)
  const all = build({ ...options, allowInvalid: true, level: 1, report, signal: io.signal })
  for await (const _ of all);
  breaches.finish()
}

/** Adds advice on an error of a build that depends on its options. */
export function adviseBuild(
  error: unknown,
  options: BuildOptions,
  { source, output, isFolder }: { source: string; output: string | undefined; isFolder: boolean },
): unknown {
  if (!(error instanceof ArchiveError)) return error
  if (options.not && !options.cutReferences && error.code.startsWith('reference-')) {
    const advice = 'Remove references to what is left out as well: --cut-references'
    return new AdvisedError(error, advice)
  }
  if (error.code === 'records-not-found' && !hasSelection(options)) {
    const advice = 'Name a folder with files such as issues.json or issues_000001.json.'
    return new AdvisedError(error, advice)
  }
  const checked = isFolder ? output : source
  if (!isRuleCode(error.code) || checked === undefined || checked === '-') return error
  const check = `marc check ${shellWord(checked)}`
  const next = isFolder
    ? `Or write it with --allow-invalid, and see what an importer will say: ${check}`
    : `See all faults with: ${check}`
  // A remedy that ends in a command has no full stop.
  const remedy = remedyFor(error).replace(/(?<![.!?])$/, '.')
  return new AdvisedError(error, `${remedy} ${next}`)
}

type Flag = boolean | undefined

/** Problems listed by default. */
const MOST = 20

interface BreachOptions {
  /** List all problems, each as it occurs. */
  verbose?: boolean | undefined
  /** The same, as one line of JSON per problem. */
  json?: boolean | undefined
  /** The option of the command that lists all problems; by default `--json`. */
  listedBy?: SafeText
  /** Erases the progress bar. */
  clear: () => void
}

/**
 * Counts problems and lists them on standard error: records that were written although they break a rule, and unusual files of
 * a folder.
 */
export function listBreaches({ stderr }: Pick<Io, 'stderr'>, options: BreachOptions) {
  const { verbose = false, json = false, listedBy = safe`--json`, clear } = options
  const first: SafeText[] = []
  let count = 0
  let breaches = 0
  const write = (line: SafeText) => {
    clear()
    stderr.write(safe`${line}\n`)
  }
  return {
    report(problem: Problem): void {
      if (isRuleCode(problem.code)) breaches++
      count++
      if (json) write(escapeControlsInJson(JSON.stringify({ problem })))
      else if (verbose) write(describe(problem))
      else if (count <= MOST) first.push(describe(problem))
    },
    /** The number of broken rules. */
    count: () => breaches,
    /** Lists the problems that were kept for the end. */
    finish(): void {
      for (const line of first) write(line)
      const more = count - first.length
      if (first.length === MOST && more > 0) {
        write(safe`and ${formatCount(more)} more, which ${listedBy} lists`)
      }
    },
  }
}

/** Code, place and message. */
const describe = ({ code, place, message }: Problem): SafeText =>
  escapeControls(`${code}: ${describePlace(place)}: ${message}`)
