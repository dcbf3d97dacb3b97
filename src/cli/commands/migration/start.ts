import { readFileSync } from 'node:fs'
import { ArchiveError } from '../../../base/errors.ts'
import { collect } from '../../../base/streams.ts'
import { ClientError } from '../../../client/client-error.ts'
import type { ClientOptions } from '../../../client/client-options.ts'
import { deleteArchive } from '../../../client/delete-archive.ts'
import type { Download } from '../../../client/download/download-archive.ts'
import { listOwnRepositories } from '../../../client/list-migrations.ts'
import type { Migration } from '../../../client/migration.ts'
import { startMigration } from '../../../client/start-migration.ts'
import { type Unlocked, unlockRepositories } from '../../../client/unlock-repositories.ts'
import { watchMigration } from '../../../client/watch-migration.ts'
import { numberedName } from '../../../files/safe-name.ts'
import { refuseExisting } from '../../../files/write-file.ts'
import { defineCommand, type Option, type OptionTable, type Values } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { AdvisedError, shellWord, UsageError } from '../../command/usage-error.ts'
import { advising, CLIENT_OPTIONS, clientOf, flagsOf } from '../../options/client-options.ts'
import { type Waiting, waitingOf } from '../../options/waiting-options.ts'
import { writeResult } from '../../output/write-all.ts'
import { describeMigration } from './describe-migration.ts'
import {
  checkOutputs,
  describeDownload,
  FINISHING_OPTIONS,
  fetchArchive,
  loadFetched,
} from './finish-migration.ts'
import { describeUnlocked } from './unlock.ts'

const WHAT = 'What to export:'
const THEN = 'Then, in this order:'
const DAY = 86_400_000

const OPTIONS = {
  repositories: { type: 'string', array: true, describe: 'Repositories as owner/name' },
  'from-file': {
    value: '<file>',
    group: WHAT,
    describe: 'File with a repository on each line, or - for standard input',
  },
  all: {
    type: 'boolean',
    describe: 'All repositories that you own, or that the organization of --org owns',
    group: WHAT,
  },
  lock: { type: 'boolean', describe: 'Lock them until they are unlocked', group: WHAT },
  'exclude-attachments': { type: 'boolean', describe: 'Without attachments', group: WHAT },
  'exclude-git-data': { type: 'boolean', describe: 'Without Git data', group: WHAT },
  'exclude-metadata': { type: 'boolean', describe: 'Git data alone', group: WHAT },
  'exclude-releases': { type: 'boolean', describe: 'Without releases', group: WHAT },
  batch: {
    value: '<n>',
    default: '100',
    group: WHAT,
    describe: 'Repositories in a migration; more make several migrations',
  },
  wait: { type: 'boolean', describe: 'Wait until it is exported', group: THEN },
  download: { alias: 'o', value: '<file>', describe: 'Download the archive', group: THEN },
  ...FINISHING_OPTIONS,
  load: { ...FINISHING_OPTIONS.load, group: THEN },
  unlock: {
    type: 'boolean',
    group: THEN,
    describe: 'Unlock the repositories, even if something before has failed',
  },
  delete: { type: 'boolean', describe: 'Delete the archive on the server', group: THEN },
  ...CLIENT_OPTIONS,
  json: { type: 'boolean', describe: 'Print the result, and errors, as JSON' },
} as const satisfies OptionTable

type Typed = Values<typeof OPTIONS>

/** The work of one command; the result with --json. */
interface Done {
  migrations: Migration[]
  downloads: Download[]
  load?: unknown
  unlocked?: Unlocked[]
  deleted?: number[]
}

export const start = defineCommand({
  usage: '[repositories..]',
  options: OPTIONS,
  exits: [1, 4, 5],
  examples: [
    ['marc migration start ada/kettle --lock', 'prints its id'],
    ['marc migration start --all --download all.tar.gz --load all.db', 'from nothing to SQL'],
  ],
  async run(typed, io) {
    const { download, load, force, json } = typed
    const waiting = waitingOf(typed, io)
    await checkOutputs(download, load)
    if (download !== undefined && !force) refuseExisting(download)
    // One client for all steps: its token is asked for once.
    const client = clientOf(typed, io)
    const batches = inBatches(await namesOf(typed, client, io), sizeOf(typed.batch))
    const done: Done = { migrations: [], downloads: [] }
    const say = async (text: SafeText) => {
      if (!json) await writeResult(false, undefined, text, io)
    }
    for (const [i, names] of batches.entries()) {
      const started = await startMigration(names, {
        ...client,
        timeout: waiting.timeout ?? (isWaited(typed) ? DAY : undefined),
        lockRepositories: typed.lock,
        excludeAttachments: typed['exclude-attachments'],
        excludeGitData: typed['exclude-git-data'],
        excludeMetadata: typed['exclude-metadata'],
        excludeReleases: typed['exclude-releases'],
      }).catch((error: unknown) => {
        throw stopped(error, done.migrations, batches.slice(i).flat(), typed)
      })
      done.migrations.push(started)
      await say(describeMigration(started))
    }
    await finish(done, { client, waiting, typed }, io, say)
    if (json) await writeResult(true, done, safe``, io)
    return 0
  },
})

/** Whether anything is to be done when the migrations are exported. */
const isWaited = ({ wait, download, load, unlock, delete: isDeleted }: Typed): boolean =>
  Boolean(wait || unlock || isDeleted) || (download ?? load) !== undefined

/** The error of a start, with what was started before, and the command line that starts the rest. */
function stopped(
  error: unknown,
  started: readonly Migration[],
  left: readonly string[],
  options: Typed,
): unknown {
  if (!(error instanceof ArchiveError)) return error
  const isUncertain = error instanceof ClientError && error.isUncertain
  const isOutOfTime = error.code === 'migration-timeout' || error.code === 'rate-limited'
  if (started.length === 0 && !isOutOfTime && !isUncertain) return error
  const line = ['marc migration start', ...left.map(shellWord), ...flagsIn(options)].join(' ')
  const ids = started.map(({ id }) => id).join(', ')
  const before = ids === '' ? '' : `Started: ${ids}. `
  if (isUncertain) {
    return new AdvisedError(
      error,
      `${before}Look with: marc migration list. If it was not started, go on with: ${line}`,
    )
  }
  const rest = `Not started: ${left.length} ${left.length === 1 ? 'repository' : 'repositories'}.`
  return new AdvisedError(error, `${before || 'Nothing was started. '}${rest} Go on with: ${line}`)
}

/** The options that name repositories. */
const NAMING = ['repositories', 'from-file', 'all']

/** The other options as typed. None of them is a secret. */
const flagsIn = (options: Readonly<Record<string, unknown>>): string[] =>
  Object.entries<Option>(OPTIONS).flatMap(([name, option]) => {
    const value = options[name]
    if (NAMING.includes(name) || value === undefined || value === option.default) return []
    if (typeof value === 'string') return [`--${name} ${shellWord(value)}`]
    return [value ? `--${name}` : `--no-${name}`]
  })

/** Everything after the start. Each step needs the one before, but repositories are unlocked in any case. */
async function finish(
  done: Done,
  { client, waiting, typed }: { client: ClientOptions; waiting: Waiting; typed: Typed },
  io: Io,
  say: (text: SafeText) => Promise<void>,
): Promise<void> {
  const { download, load, unlock } = typed
  const isFetched = (download ?? load) !== undefined
  if (!isWaited(typed)) return
  let fault: { error: unknown } | undefined
  try {
    for (const [i, { id }] of done.migrations.entries()) {
      const isOnly = done.migrations.length === 1 || download === undefined
      const file = isOnly ? download : numberedName(download, i + 1)
      const into = [
        file === undefined ? '' : ` -o ${shellWord(file)}`,
        load === undefined ? '' : ` --load ${shellWord(load)}`,
      ].join('')
      const onward = isFetched ? `download ${id} --wait${into}` : `watch ${id}`
      const exported = await advising(onward, typed, () =>
        watchMigration(id, { ...client, ...waiting }),
      )
      const isNews = exported.state !== done.migrations[i]?.state
      done.migrations[i] = exported
      if (!isFetched) {
        if (isNews) await say(describeMigration(exported))
        continue
      }
      const fetched = await advising(`download ${id}${into}`, typed, () =>
        fetchArchive(id, file, client, { ...typed, wait: false, waiting }, io),
      )
      done.downloads.push(fetched)
      if (download !== undefined) await say(describeDownload(fetched))
    }
    if (load !== undefined) {
      const files = done.downloads.map(({ file }) => file)
      const loading = { ...typed, isKept: download !== undefined }
      const { summary, text } = await loadFetched(files, load, loading, io)
      done.load = summary
      await say(text)
    }
  } catch (error) {
    fault = { error }
  }
  if (unlock && !io.signal?.aborted) {
    done.unlocked = []
    for (const { id } of done.migrations) {
      const unlocked = await unlockRepositories(id, 'all', client).catch((error) => {
        // The first failure explains more.
        throw fault ? fault.error : error
      })
      done.unlocked.push(...unlocked)
    }
    await say(describeUnlocked(done.unlocked))
  }
  if (fault)
    throw unlock && io.signal?.aborted ? stillLocked(fault.error, done, typed) : fault.error
  if (!typed.delete) return
  done.deleted = []
  for (const { id } of done.migrations) {
    await deleteArchive(id, client)
    done.deleted.push(id)
    await say(safe`The archive of migration ${id} is deleted.`)
  }
}

/** An interrupt leaves repositories locked, because the server goes on to export them. */
function stillLocked(error: unknown, { migrations }: Done, typed: Typed): unknown {
  if (!(error instanceof ArchiveError)) return error
  const onward = error instanceof AdvisedError ? `${error.advice}; ` : 'Unlock them with: '
  const lines = migrations.map(({ id }) => `marc migration unlock ${id} --all${flagsOf(typed)}`)
  return new AdvisedError(error, `The repositories are still locked. ${onward}${lines.join('; ')}`)
}

/** The repositories to export, each once. */
async function namesOf(options: Typed, client: ClientOptions, io: Io): Promise<string[]> {
  const { repositories = [], 'from-file': file, all } = options
  if (file === '-' && options['token-file'] === '-') {
    throw new UsageError('standard input has either repositories or a token')
  }
  const listed = file === undefined ? [] : linesIn(await readTextFile(file, io))
  const named = [...repositories, ...listed]
  const wrong = named.find((name) => !/^[^/\s]+(\/[^/\s]+)?$/.test(name))
  if (wrong !== undefined) {
    throw new UsageError(`expected owner/name, found ${JSON.stringify(wrong)}`)
  }
  if (named.length > 0 && all) throw new UsageError('--all leaves no repository to name')
  const names = all ? await listOwnRepositories(client) : [...new Set(named)]
  if (names.length > 0) return names
  if (all) {
    const message = `the ${options.org === undefined ? 'account' : 'organization'} has no repository that you may export`
    throw new UsageError(message, 'Name repositories, or the organization that owns them: --org.')
  }
  throw new UsageError('no repository is named', 'Name repositories, or pass --all.')
}

async function readTextFile(file: string, { stdin }: Io): Promise<string> {
  if (file === '-') return (await collect(stdin)).toString('utf8')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--from-file: ${(error as Error).message}`)
  }
}

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function sizeOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new UsageError(`--batch takes a number from 1 to 9999, not ${JSON.stringify(text)}`)
}

function inBatches(names: readonly string[], size: number): string[][] {
  const batches: string[][] = []
  for (let at = 0; at < names.length; at += size) batches.push(names.slice(at, at + size))
  return batches
}
