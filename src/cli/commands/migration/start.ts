import { readFileSync } from 'node:fs'
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
import { collect } from '../../../streams.ts'
import { defineCommand, type OptionTable, type Values } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { UsageError } from '../../command/usage-error.ts'
import { advising, CLIENT_OPTIONS, clientOf } from '../../options/client-options.ts'
import { waitingOf } from '../../options/waiting-options.ts'
import { type SafeText, safe } from '../../output/safe-text.ts'
import { describeMigration, writeResult } from './describe-migration.ts'
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

const OPTIONS = {
  repositories: { type: 'string', array: true, describe: 'Repositories as owner/name' },
  'from-file': {
    ...{ value: '<file>', group: WHAT },
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
    ...{ value: '<n>', default: '100', group: WHAT },
    describe: 'Repositories in a migration; more make several migrations',
  },
  wait: { type: 'boolean', describe: 'Wait until it is exported', group: THEN },
  download: { value: '<file>', describe: 'Download the archive', group: THEN },
  ...FINISHING_OPTIONS,
  load: { ...FINISHING_OPTIONS.load, group: THEN },
  unlock: {
    ...{ type: 'boolean', group: THEN },
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
  summary: 'Start an export of repositories; wait, download and load it, if asked to',
  options: OPTIONS,
  exits: [1, 4, 5],
  examples: [
    ['marc migration start ada/kettle --lock', 'prints its id'],
    ['marc migration start --all --download all.tar.gz --load all.db', 'from nothing to SQL'],
  ],
  async run(typed, io) {
    const { download, load, force, json } = typed
    await checkOutputs(download, load)
    if (download !== undefined && !force) refuseExisting(download)
    // One client for all steps: its token is asked for once.
    const client = clientOf(typed, io)
    const batches = inBatches(await namesOf(typed, client, io), sizeOf(typed.batch))
    const done: Done = { migrations: [], downloads: [] }
    const say = async (text: SafeText) => {
      if (!json) await writeResult(false, undefined, text, io)
    }
    for (const names of batches) {
      const started = await startMigration(names, {
        ...client,
        lockRepositories: typed.lock,
        excludeAttachments: typed['exclude-attachments'],
        excludeGitData: typed['exclude-git-data'],
        excludeMetadata: typed['exclude-metadata'],
        excludeReleases: typed['exclude-releases'],
      })
      done.migrations.push(started)
      await say(describeMigration(started))
    }
    await finish(done, client, typed, io, say)
    if (json) await writeResult(true, done, safe``, io)
    return 0
  },
})

/** Everything after the start. Each step needs the one before, but repositories are unlocked in any case. */
async function finish(
  done: Done,
  client: ClientOptions,
  typed: Typed,
  io: Io,
  say: (text: SafeText) => Promise<void>,
): Promise<void> {
  const { download, load, unlock } = typed
  const isFetched = (download ?? load) !== undefined
  const [first] = done.migrations
  const isWaited = typed.wait || isFetched || unlock || typed.delete
  if (!isWaited || !first) return
  let fault: { error: unknown } | undefined
  try {
    for (const [i, { id }] of done.migrations.entries()) {
      await advising(`watch ${id}`, typed, async () => {
        const options = { ...client, ...waitingOf(typed, io) }
        done.migrations[i] = await watchMigration(id, options)
      })
      if (!isFetched) continue
      const isOnly = done.migrations.length === 1 || download === undefined
      const file = isOnly ? download : numberedName(download, i + 1)
      const again = file === undefined ? '' : ` -o ${file}`
      const fetched = await advising(`download ${id}${again}`, typed, () =>
        fetchArchive(id, file, client, { ...typed, wait: false }, io),
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
  if (fault) throw fault.error
  if (!typed.delete) return
  done.deleted = []
  for (const { id } of done.migrations) {
    await deleteArchive(id, client)
    done.deleted.push(id)
    await say(safe`The archive of migration ${id} is deleted.`)
  }
}

/** The repositories to export, each once. */
async function namesOf(typed: Typed, client: ClientOptions, io: Io): Promise<string[]> {
  const { repositories = [], 'from-file': file, all } = typed
  if (file === '-' && typed['token-file'] === '-') {
    throw new UsageError('standard input has either repositories or a token')
  }
  const listed = file === undefined ? [] : linesIn(await textOf(file, io))
  const named = [...repositories, ...listed]
  const wrong = named.find((name) => !/^[^/\s]+(\/[^/\s]+)?$/.test(name))
  if (wrong !== undefined) {
    throw new UsageError(`expected owner/name, found ${JSON.stringify(wrong)}`)
  }
  if (named.length > 0 && all) throw new UsageError('--all leaves no repository to name')
  const names = all ? await listOwnRepositories(client) : [...new Set(named)]
  if (names.length > 0) return names
  if (all) {
    const message = `the ${typed.org === undefined ? 'account' : 'organization'} has no repository that you may export`
    throw new UsageError(message, 'Name repositories, or the organization that owns them: --org.')
  }
  throw new UsageError('no repository is named', 'Name repositories, or pass --all.')
}

async function textOf(file: string, { stdin }: Io): Promise<string> {
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

function sizeOf(typed: string): number {
  if (/^[1-9]\d{0,3}$/.test(typed)) return Number(typed)
  throw new UsageError(`--batch takes a number from 1 to 9999, not ${JSON.stringify(typed)}`)
}

function inBatches(names: readonly string[], size: number): string[][] {
  const batches: string[][] = []
  for (let at = 0; at < names.length; at += size) batches.push(names.slice(at, at + size))
  return batches
}
