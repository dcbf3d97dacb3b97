import type { Database } from '../database/open-database.ts'
import { ArchiveError } from '../errors.ts'
import { findShown } from '../thread/find-shown.ts'
import { nearest } from './nearest.ts'
import { REPOSITORIES } from './repository-names.ts'
import { UsageError } from './usage-error.ts'

/** What a value on the command line may name. */
export type NameType = 'repository' | 'person' | 'label' | 'milestone' | 'kind'

interface Source {
  /** Names in the records that have them. */
  names(database: Database): string[]
  /** Names that other records tell of; they take longer to find, and are asked only if there is no record. */
  others?(database: Database): Promise<string[]>
}

const SOURCES: Readonly<Record<NameType, Source>> = {
  repository: {
    names: (database) => column(database, REPOSITORIES),
    others: async (database) => (await import('./named-elsewhere.ts')).namedRepositories(database),
  },
  person: {
    names: (database) => column(database, 'SELECT login FROM people WHERE login IS NOT NULL'),
    others: async (database) => (await import('./named-elsewhere.ts')).namedPeople(database),
  },
  label: {
    names: (database) =>
      column(database, 'SELECT DISTINCT name FROM labels WHERE name IS NOT NULL'),
    others: async (database) => (await import('./named-elsewhere.ts')).namedLabels(database),
  },
  milestone: {
    names: (database) =>
      column(database, 'SELECT DISTINCT title FROM milestones WHERE title IS NOT NULL'),
  },
  kind: {
    names: (database) => column(database, 'SELECT DISTINCT kind FROM shards ORDER BY 1'),
  },
}

/**
 * The name as the database has it, whatever its case; a repository without its owner where only one is called so. Throws
 * `UsageError` for a name that nothing has, with the one that was probably meant.
 */
export async function resolveName(
  database: Database,
  type: NameType,
  typed: string,
): Promise<string> {
  const { names, others } = SOURCES[type]
  const wanted = type === 'person' ? typed.replace(/^@/, '') : typed
  const known = names(database)
  const found = matching(type, wanted, known)
  if (found.length === 1) return found[0] as string
  if (found.length > 1) {
    const message = `several repositories are called ${JSON.stringify(typed)}`
    throw new UsageError(message, `Name one with its owner: ${found.slice(0, 5).join(', ')}`)
  }
  const more = others ? await others(database) : []
  const [other] = matching(type, wanted, more)
  if (other !== undefined) return other
  const meant = type === 'repository' ? nearestOf(wanted, known) : nearestName(wanted, known)
  throw new UsageError(
    `no such ${type}: ${typed}`,
    meant === undefined ? listOf(type) : `Did you mean ${meant}?`,
  )
}

/** Throws `UsageError` if a repository has no issue or pull request with a number. */
export function checkThread(database: Database, repository: string, number: string): void {
  try {
    const found = findShown(database, `${repository}#${number}`)
    if (found.some(({ table }) => table !== 'discussions')) return
  } catch (error) {
    if (!(error instanceof ArchiveError && error.code === 'record-not-found')) throw error
  }
  throw new UsageError(
    `${repository} has no issue or pull request ${number}`,
    'Find it with: marc search <database> <words>',
  )
}

/** The name that is the same, else those that differ only in their case, or in an owner that was not typed. */
function matching(type: NameType, typed: string, names: readonly string[]): string[] {
  if (names.includes(typed)) return [typed]
  const lower = typed.toLowerCase()
  const same = names.filter((name) => name.toLowerCase() === lower)
  if (same.length > 0 || type !== 'repository' || typed.includes('/')) return same.slice(0, 1)
  return names.filter((name) => name.toLowerCase().endsWith(`/${lower}`))
}

/** A name that was typed without its owner is compared with names without theirs. */
function nearestOf(typed: string, repositories: readonly string[]): string | undefined {
  if (typed.includes('/')) return nearestName(typed, repositories)
  const short = (name: string) => name.slice(name.indexOf('/') + 1)
  const meant = nearestName(typed, repositories.map(short))
  return repositories.find((name) => short(name) === meant)
}

/** Names are told apart by more than their case. */
function nearestName(typed: string, names: readonly string[]): string | undefined {
  const lower = names.map((name) => name.toLowerCase())
  const meant = nearest(typed.toLowerCase(), lower)
  return meant === undefined ? undefined : names[lower.indexOf(meant)]
}

const listOf = (type: NameType): string =>
  ({
    repository: 'List them with: marc repo list <database>',
    person: 'List them with: marc query <database> "select login from people"',
    label: 'List them with: marc query <database> "select full_name, name from labels"',
    milestone: 'List them with: marc query <database> "select full_name, title from milestones"',
    kind: 'List them with: marc tables <database>',
  })[type]

/** The name of a repository that was probably meant by one that is not there. */
export function nearestRepository(database: Database, typed: string): string | undefined {
  const names = SOURCES.repository.names(database)
  const [short] = matching('repository', typed, names)
  if (short !== undefined) return short.toLowerCase() === typed.toLowerCase() ? undefined : short
  return nearestOf(typed, names)
}

/** The login that was probably meant by one that nobody has. */
export function nearestPerson(database: Database, typed: string): string | undefined {
  const names = SOURCES.person.names(database)
  return matching('person', typed, names).length > 0 ? undefined : nearestName(typed, names)
}

const column = (database: Database, sql: string): string[] =>
  database.prepare<[], string>(sql).pluck().all()
