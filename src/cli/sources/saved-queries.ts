import { homedir } from 'node:os'
import { join } from 'node:path'
import { type NamedQuery, readQueries, SHIPPED_QUERIES } from '../../query/saved-queries.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'

/** The folder of the user's own queries. */
export const ownQueriesFolder = ({ env }: Pick<Io, 'env'>): string =>
  env.MARC_QUERIES ||
  join(
    env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'),
    'migration-archive',
    'queries',
  )

/** Whether a query is part of this program. */
export const isShipped = ({ path }: NamedQuery): boolean => path.startsWith(SHIPPED_QUERIES)

/** The queries of this program and of the user, by name. The user's replace ours with the same name. */
export function savedQueries(io: Pick<Io, 'env'>): NamedQuery[] {
  const found = new Map<string, NamedQuery>()
  for (const folder of [SHIPPED_QUERIES, ownQueriesFolder(io)]) {
    for (const query of read(folder)) found.set(query.name, query)
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The query with this name. Throws `UsageError` with the closest one. */
export function savedQuery(name: string, io: Pick<Io, 'env'>): NamedQuery {
  const all = savedQueries(io)
  const found = all.find((query) => query.name === name)
  if (found) return found
  const names = all.map((query) => query.name)
  throw new UsageError(
    `there is no saved query ${JSON.stringify(name)}`,
    didYouMean(name, names) ?? 'List them with: marc query --saved',
  )
}

/** Returns nothing if the folder does not exist. */
function read(folder: string): NamedQuery[] {
  try {
    return readQueries(folder)
  } catch (error) {
    const { code, message, path = folder } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    const hint = 'Name another folder with MARC_QUERIES, or make this one readable.'
    throw new UsageError(message, hint, { archive: path })
  }
}
