import { extname } from 'node:path'
import { ArchiveError } from '../../../base/errors.ts'
import { lastPart } from '../../../base/text.ts'
import { type Importing, openImport } from '../../../client/import/import-archive.ts'
import {
  type ImportedRepository,
  type ImportTarget,
  PART_SIZES,
} from '../../../client/import/import-options.ts'
import { safeName } from '../../../files/safe-name.ts'
import { defineCommand, type OptionTable, type Values } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { ownText, type SafeText, safe } from '../../command/safe-text.ts'
import { AdvisedError, shellWord, UsageError } from '../../command/usage-error.ts'
import { clientOf, SERVER_OPTIONS } from '../../options/client-options.ts'
import { parseSize } from '../../options/parse-size.ts'
import { progressMode } from '../../options/shared-options.ts'
import { WAITING_OPTIONS, waitingOf } from '../../options/waiting-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { showProgress } from '../../output/progress.ts'
import { formatDuration } from '../../output/quantities.ts'
import { writeResult } from '../../output/write-all.ts'
import { describeImported } from '../../reports/describe-imported.ts'
import { openMerged } from '../../sources/open-merged.ts'
import { openReadable } from '../../sources/open-readable.ts'

const WHAT = 'What to import:'

const OPTIONS = {
  archives: {
    type: 'string',
    array: true,
    demandOption: true,
    foreign: true,
    describe: 'An archive, or a pair: Git data and records',
  },
  repo: { value: '<name>', group: WHAT, describe: 'Name of the repository in the organization' },
  all: {
    type: 'boolean',
    group: WHAT,
    describe: 'Every repository of the archive, under its own name',
  },
  org: { value: '<login>', group: WHAT, describe: 'The organization that shall own it; required' },
  'source-url': {
    value: '<address>',
    group: WHAT,
    describe: 'Address that the repository had [as in its record]',
  },
  visibility: {
    choices: ['private', 'internal', 'public'],
    default: 'private',
    value: '<word>',
    group: WHAT,
    describe: 'Who may see it',
  },
  'skip-releases': { type: 'boolean', group: WHAT, describe: 'Leave out releases' },
  'allow-invalid': {
    type: 'boolean',
    group: WHAT,
    describe: 'Import even if the check finds errors',
  },
  'part-size': {
    value: '<size>',
    default: '100MiB',
    describe: 'Size of the parts of an upload, from 5MiB to 1GiB',
  },
  concurrency: {
    value: '<n>',
    default: '5',
    describe: 'Repositories at the same time, with --all',
  },
  'dry-run': { type: 'boolean', describe: 'Check, and say what would be uploaded' },
  wait: { type: 'boolean', describe: 'Wait until it is imported, and print what the log says' },
  log: {
    value: '<file>',
    describe: 'Wait, and write the log; with --all a file for each repository',
  },
  ...WAITING_OPTIONS,
  timeout: {
    ...WAITING_OPTIONS.timeout,
    describe: 'Give up after so long in all, such as 90m [24h for the import]',
  },
  ...SERVER_OPTIONS,
  'uploads-url': {
    value: '<address>',
    group: SERVER_OPTIONS.server.group,
    describe: 'Base address for uploads, if the server has another',
  },
  json: { type: 'boolean', describe: 'Print the result, and errors, as JSON' },
} as const satisfies OptionTable

/** What to do with one of several whose name is taken. */
const ALONE =
  'Import it alone under another name: --repo <name> --source-url <its address>, in place of --all. Or rename the repository there.'

type Typed = Values<typeof OPTIONS>

/** A repository that was imported, or the error of one that was not. */
type Outcome = ImportedRepository | { from: string; error: ArchiveError }

export const importCommand = defineCommand({
  usage: '<archives..>',
  options: OPTIONS,
  exits: [1, 4],
  // A child process has no terminal to ask for a token.
  works: 'in turns',
  exitMeanings: { 1: 'the check found errors, or an import failed' },
  examples: [
    [
      'marc migration import samples/hello.tar.gz --org forge --repo tea-timer --dry-run',
      'what would be uploaded',
    ],
    ['marc migration import export.tar.gz --org forge --all --wait', 'all that it holds'],
  ],
  async run(typed, io) {
    const { archives, org, all, wait = false } = typed
    const concurrency = numberOf(typed.concurrency)
    const partSize = partSizeOf(typed['part-size'])
    const target = targetOf(typed)
    if (org === undefined) {
      throw new UsageError('no organization is named', 'Name it with: --org <login>')
    }
    const waiting = waitingOf(typed, io)
    const database = await (archives.length > 1
      ? openMerged(archives, true, io, typed)
      : openReadable(archives[0] as string, io, { ...typed, contents: 'all' }))
    const shown = uploadProgress(typed, io)
    let importing: Importing | undefined
    try {
      importing = await openImport(archives, {
        ...clientOf({ ...typed, org }, io),
        organization: org,
        uploads: typed['uploads-url'],
        database,
        allowInvalid: typed['allow-invalid'],
        partSize,
        dryRun: typed['dry-run'],
        wait: wait || typed.log !== undefined,
        timeout: waiting.timeout,
        interval: waiting.interval,
        visibility: typed.visibility as 'private' | 'internal' | 'public',
        skipReleases: typed['skip-releases'],
        progress: ({ step, bytes, total }) => shown.update(step, bytes, total),
        onState: (from, state, milliseconds) => shown.say(from, state, milliseconds),
      })
      const targets = target ? [target] : targetsOf(importing.repositories, typed)
      const outcomes = await runAll(importing, targets, { concurrency, typed })
      shown.finish()
      return await print(outcomes, { typed, all: all === true }, io)
    } catch (error) {
      shown.finish()
      if (!(error instanceof ArchiveError)) throw error
      throw advised(error, typed)
    } finally {
      importing?.close()
      database.close()
    }
  },
})

/** The one repository that is named; undefined for all. */
function targetOf({ repo, all, 'source-url': sourceUrl, log }: Typed): ImportTarget | undefined {
  if (all) {
    const other = repo === undefined ? (sourceUrl === undefined ? '' : '--source-url') : '--repo'
    if (other !== '') throw new UsageError(`expected ${other} or --all, found both`)
    return undefined
  }
  if (repo !== undefined) return { repository: repo, sourceUrl, log }
  throw new UsageError('no repository is named', 'Name it with --repo, or pass --all.')
}

/** All repositories, under their names without the owner. */
function targetsOf(repositories: readonly string[], { log }: Typed): ImportTarget[] {
  const byName = Map.groupBy(repositories, (full) => lastPart(full).toLowerCase())
  const clash = [...byName.values()].find((alike) => alike.length > 1)
  if (clash) {
    const message = `${clash.slice(0, 2).join(' and ')} cannot both be called ${lastPart(clash[0] as string)}`
    throw new UsageError(message, 'Rename one of them with: marc map')
  }
  if (repositories.length === 0) throw new UsageError('the archive has no repositories')
  return repositories.map((from) => ({
    from,
    repository: lastPart(from),
    log: logOf(log, from),
  }))
}

function logOf(log: string | undefined, from: string): string | undefined {
  if (log === undefined) return undefined
  const ending = extname(log)
  return `${log.slice(0, log.length - ending.length)}-${safeName(from.replace('/', '-'))}${ending}`
}

/** Imports some at the same time. An error of one is an outcome if there are others. */
async function runAll(
  importing: Importing,
  targets: readonly ImportTarget[],
  { concurrency, typed }: { concurrency: number; typed: Typed },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const left = [...targets.entries()]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [i, target] = next
      outcomes[i] = await importing.run(target).catch((error: unknown) => {
        const isOver = !(error instanceof ArchiveError) || error.code === 'interrupted'
        if (isOver || targets.length === 1) throw error
        return { from: target.from ?? target.repository, error: advised(error, typed) }
      })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcomes
}

async function print(
  outcomes: readonly Outcome[],
  { typed, all }: { typed: Typed; all: boolean },
  io: Io,
): Promise<0 | 1> {
  const isFailed = (outcome: Outcome) =>
    'error' in outcome || outcome.state === 'FAILED' || outcome.state === 'FAILED_VALIDATION'
  const failed = outcomes.filter(isFailed)
  const values = outcomes.map((outcome) =>
    'error' in outcome
      ? { from: outcome.from, error: { code: outcome.error.code, message: outcome.error.message } }
      : outcome,
  )
  const again = `marc migration import ${wordsOf(typed).join(' ')}`
  const text = describeImported(outcomes, { again: escapeControls(again) }, io)
  await writeResult(typed.json, all ? values : values[0], text, io)
  return failed.length > 0 ? 1 : 0
}

/** The command line without secrets, which it never has, and with --wait. */
function wordsOf(typed: Typed): string[] {
  const flags = Object.entries(OPTIONS).flatMap(([name, option]) => {
    const value = typed[name as keyof Typed]
    const standard = 'default' in option ? option.default : undefined
    if (name === 'archives' || name === 'wait' || value === undefined || value === standard)
      return []
    if (typeof value === 'string') return [`--${name} ${shellWord(value)}`]
    return value ? [`--${name}`] : []
  })
  return [...typed.archives.map(shellWord), ...flags, '--wait']
}

/** How to go on after an interrupt, when the time is over, or with a name that is taken. */
function advised(error: ArchiveError, typed: Typed): ArchiveError {
  if (error instanceof AdvisedError) return error
  if (error.code === 'name-taken' && typed.all) return new AdvisedError(error, ALONE)
  if (!['interrupted', 'migration-timeout', 'server-unreachable'].includes(error.code)) return error
  const advice = `Nothing is lost or doubled. Continue with: marc migration import ${wordsOf(typed).join(' ')}`
  return new AdvisedError(error, advice)
}

function numberOf(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new UsageError(`--concurrency takes a number from 1 to 99, not ${JSON.stringify(text)}`)
}

function partSizeOf(text: string): number {
  const size = parseSize('--part-size', text)
  if (size >= PART_SIZES.least && size <= PART_SIZES.most) return size
  throw new UsageError(`--part-size takes 5MiB to 1GiB, not ${JSON.stringify(text)}`)
}

/** Shows the bytes of uploads, together if there are several, and the states of imports. */
function uploadProgress(typed: Typed, { stderr }: Io) {
  const { quiet, verbose, all } = typed
  const mode = progressMode({ quiet, verbose })
  const isShown = !quiet && (verbose || stderr.isTTY === true)
  let step: string | undefined
  let shown: ReturnType<typeof showProgress> | undefined
  const finish = () => {
    shown?.finish()
    shown = undefined
    step = undefined
  }
  return {
    finish,
    update(now: 'building' | 'uploading', bytes: number, total: number | undefined) {
      // Bars of several uploads would overwrite each other: their states are enough.
      if (all) return
      if (now !== step) {
        finish()
        step = now
        const label = now === 'building' ? 'building an archive' : 'uploading'
        shown = showProgress(stderr, { label: ownText(label), total, mode })
      }
      shown?.update(bytes)
    },
    say(from: string, state: string, milliseconds: number) {
      finish()
      if (!isShown) return
      const after = milliseconds < 1000 ? safe`` : safe` after ${formatDuration(milliseconds)}`
      stderr.write(safe`${escapeControls(from)} is ${wordOf(state)}${after}\n`)
    },
  }
}

const wordOf = (state: string): SafeText =>
  state === 'SUCCEEDED' ? safe`imported` : ownText(state.toLowerCase().replaceAll('_', ' '))
