import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { closestMatch } from '../../closest-match.ts'
import { parseSavedQuery, type SavedQuery } from '../../query/parse-saved-query.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'

export interface NamedQuery extends SavedQuery {
  readonly name: string
  /** The file it is in. */
  readonly path: string
}

const SHIPPED = join(import.meta.dirname, '../../../samples/queries')

/** The folder of the user's own queries. */
export const ownQueriesFolder = ({ env }: Pick<Io, 'env'>): string =>
  env.MARC_QUERIES ||
  join(
    env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'),
    ...['migration-archive', 'queries'],
  )

/** Whether a query is part of this program. */
export const isShipped = ({ path }: NamedQuery): boolean => path.startsWith(SHIPPED)

/** The queries of this program and of the user, by name. The user's replace ours with the same name. */
export function savedQueries(io: Pick<Io, 'env'>): NamedQuery[] {
  const found = new Map<string, NamedQuery>()
  for (const { name, path } of [SHIPPED, ownQueriesFolder(io)].flatMap(filesOf)) {
    const [sql = ''] = read(path, () => [readFileSync(path, 'utf8')])
    found.set(name, { name, path, ...parseSavedQuery(sql) })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The query with this name. Throws `UsageError` with the closest one. */
export function savedQuery(name: string, io: Pick<Io, 'env'>): NamedQuery {
  const all = savedQueries(io)
  const found = all.find((query) => query.name === name)
  if (found) return found
  const meant = closestMatch(
    name,
    all.map((query) => query.name),
  )
  throw new UsageError(
    `there is no saved query ${JSON.stringify(name)}`,
    meant ? `Did you mean ${meant}?` : 'List them with: marc query --saved',
  )
}

const filesOf = (folder: string) =>
  read(folder, () => readdirSync(folder))
    .filter((name) => name.endsWith('.sql') && !name.startsWith('.'))
    .map((name) => ({ name: name.slice(0, -'.sql'.length), path: join(folder, name) }))

/** Returns nothing if the path does not exist. */
function read(path: string, work: () => string[]): string[] {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    const hint = 'Name another folder with MARC_QUERIES, or make this one readable.'
    throw new UsageError(message, hint, { archive: path })
  }
}
