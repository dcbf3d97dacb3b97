import { aPath, checkArguments, listOf } from '../base/check-arguments.ts'
import type { ClientOptions } from './client-options.ts'
import { anId, findMigration, isNotFound, migrationsOf } from './list-migrations.ts'
import type { Migration } from './migration.ts'
import { openSession, type Session } from './open-session.ts'

/** The result of removing a lock. */
export interface Unlocked {
  /** The repository as owner/name, or as given if no migration has it. */
  repository: string
  /** The migration that held the lock; undefined if no migration with locks has the repository. */
  migration: number | undefined
  /** False if the repository was not locked. */
  unlocked: boolean
}

/**
 * Unlocks repositories that a migration has locked. A repository that is not locked is not an error.
 *
 * @param migration the id of the migration; undefined to look for the newest one that locked the repository
 * @param repositories the repositories as owner/name or name, or `all` of the migration, or of all migrations
 * @param options the server, and as whom to talk to it
 * @returns the result for each repository
 * @throws the codes of `getMigration`
 * @example
 * const locks = await unlockRepositories(12, ['ada/kettle'], { server: 'github', token })
 * const left = locks.filter(({ unlocked }) => !unlocked)
 */
export async function unlockRepositories(
  migration: number | undefined,
  repositories: readonly string[] | 'all',
  options: ClientOptions,
): Promise<Unlocked[]> {
  if (migration !== undefined) checkArguments({ migration }, { migration: anId })
  if (repositories !== 'all') checkArguments({ repositories }, { repositories: listOf(aPath) })
  const session = openSession(options, {})
  const done: Unlocked[] = []
  if (migration !== undefined) {
    const found = await findMigration(session, migration)
    const names = repositories === 'all' ? found.repositories : repositories
    for (const name of names) done.push(await unlock(session, found, name))
    return done
  }
  const left = new Set(repositories === 'all' ? [] : repositories)
  for await (const found of migrationsOf(session)) {
    if (!found.lock_repositories) continue
    const wanted = repositories === 'all' ? found.repositories : [...left].filter(isIn(found))
    for (const name of wanted) {
      const result = await unlock(session, found, name)
      // An older migration may hold the lock.
      if (result.unlocked) left.delete(name)
      if (result.unlocked || repositories === 'all') done.push(result)
    }
    if (repositories !== 'all' && left.size === 0) break
  }
  for (const repository of left) done.push({ repository, migration: undefined, unlocked: false })
  return done
}

const isIn =
  ({ repositories }: Migration) =>
  (name: string): boolean =>
    repositories.some((full) => isNamed(full, name))

/** Whether a repository has this name, as owner/name or name. */
const isNamed = (full: string, name: string): boolean =>
  `/${full}`.toLowerCase().endsWith(`/${name.toLowerCase()}`)

async function unlock(session: Session, of: Migration, name: string): Promise<Unlocked> {
  const repository = of.repositories.find((full) => isNamed(full, name)) ?? name
  const bare = repository.split('/').at(-1) as string
  // The interface has only the bare name; owner/name is for migrations with several repositories of that name.
  const alike = of.repositories.filter((full) => isNamed(full, bare))
  const repo_name = alike.length > 1 ? repository : bare
  const parameters = { migration_id: of.id, repo_name }
  const unlocked = await session.call('unlockUserRepository', { parameters }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )
  return { repository, migration: of.id, unlocked }
}
