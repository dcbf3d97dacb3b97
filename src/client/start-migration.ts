import {
  aFlag,
  aPath,
  checkArguments,
  integerFrom,
  listOf,
  type Shapes,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import type { ClientOptions } from './client-options.ts'
import { migrationsOf } from './list-migrations.ts'
import { type Migration, parseMigration } from './migration.ts'
import { openSession, type Session } from './open-session.ts'
import { startOnce } from './start-once.ts'

/** Options of an export. */
export interface StartOptions extends ClientOptions {
  /** Nobody may change the repositories until they are unlocked. */
  lockRepositories?: boolean | undefined
  /** Leave out attachments. Default false. */
  excludeAttachments?: boolean | undefined
  /** Leave out records, so that only Git data is exported. Default false. */
  excludeMetadata?: boolean | undefined
  /** Leave out Git data, so that only records are exported. Default false. */
  excludeGitData?: boolean | undefined
  /** Leave out releases. Default false. */
  excludeReleases?: boolean | undefined
  /** Milliseconds after which to give up. Default: an hour of rate limits, and a few seconds of faults. */
  timeout?: number | undefined
}

const START_SHAPES: Shapes<Omit<StartOptions, keyof ClientOptions>> = {
  lockRepositories: aFlag,
  excludeAttachments: aFlag,
  excludeMetadata: aFlag,
  excludeGitData: aFlag,
  excludeReleases: aFlag,
  timeout: integerFrom(0, 2 ** 31 - 1),
}

/**
 * Starts an export of repositories. Waits at rate limits. If the answer is lost, the migration may have been started nevertheless:
 * then it is looked for in the list, and only started again if it is not there.
 *
 * @param repositories the repositories as owner/name
 * @param options the server, as whom to talk to it, and what to export
 * @returns the migration, which is pending at first
 * @throws the codes of `listMigrations`
 * @example
 * const { id } = await startMigration(['ada/kettle'], { server: 'github', token, lockRepositories: true })
 */
export async function startMigration(
  repositories: readonly string[],
  options: StartOptions,
): Promise<Migration> {
  checkArguments({ repositories }, { repositories: listOf(aPath) })
  const session = openSession(options, START_SHAPES)
  if (repositories.length === 0) {
    throw new ArchiveError('option-invalid', 'repositories: expected at least one, found none')
  }
  const body = {
    repositories: [...repositories],
    lock_repositories: options.lockRepositories ?? false,
    exclude_attachments: options.excludeAttachments ?? false,
    ...(options.excludeMetadata && { exclude_metadata: true }),
    ...(options.excludeGitData && { exclude_git_data: true }),
    ...(options.excludeReleases && { exclude_releases: true }),
  }
  session.limit(options.timeout)
  const before = await newestId(session)
  const found = await startOnce(
    session,
    async () =>
      parseMigration((await session.call('startUserMigration', { body, once: true })).body),
    async () => {
      const found = await findStarted(session, before, body)
      if (found) session.notice(`the answer was lost, but migration ${found.id} was started`)
      return found
    },
  )
  session.made('getUserMigration', { migration_id: found.id })
  session.made('getUserArchive', { migration_id: found.id })
  return found
}

/** The highest id so far; ids tell what is newer, because the clock of the server may be wrong. */
async function newestId(session: Session): Promise<number> {
  for await (const { id } of migrationsOf(session)) return id
  return -1
}

interface Asked {
  repositories: string[]
  lock_repositories: boolean
  exclude_attachments: boolean
}

/** A migration that an attempt started whose answer was lost. */
async function findStarted(
  session: Session,
  before: number,
  asked: Asked,
): Promise<Migration | undefined> {
  const isAsked = (found: Migration) =>
    found.lock_repositories === asked.lock_repositories &&
    found.exclude_attachments === asked.exclude_attachments &&
    areSame(asked.repositories, found.repositories)
  for await (const found of migrationsOf(session)) {
    if (found.id <= before) return undefined
    if (isAsked(found)) return found
  }
  return undefined
}

/** Whether the names asked for are those of a migration. A bare name is that of a repository of the account. */
function areSame(asked: readonly string[], found: readonly string[]): boolean {
  const fold = (name: string) => name.toLowerCase()
  const left = new Set(found.map(fold))
  const wanted = new Set(asked.map(fold))
  if (left.size !== wanted.size) return false
  return [...wanted].every((name) =>
    name.includes('/') ? left.has(name) : [...left].some((full) => full.endsWith(`/${name}`)),
  )
}
