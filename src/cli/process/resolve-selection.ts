import type { Database } from '../../database/open-database.ts'
import type { Selection } from '../../database/rows/selection.ts'
import type { Io } from '../command/io.ts'
import { tryConditions } from './try-conditions.ts'

/**
 * The selection with the names that a database has, whatever their case. Throws `UsageError` for one that it does not have,
 * with the one that was probably meant, and `query-timeout` for a statement that takes more than `timeout` seconds.
 */
export async function resolveSelection<C extends Selection>(
  database: Database,
  selection: C,
  limits: { timeout: string | undefined; io: Io },
): Promise<C> {
  const { repositories, owners, labels, authors } = selection
  if (selection.where ?? selection.fromQuery) {
    await tryConditions(database, selection, limits)
  }
  if (!(repositories ?? owners ?? labels ?? authors)) return selection
  // Loaded on demand: the code that knows names takes time to load.
  const { loginInUrls } = await import('../../reading/databases/resolve-name.ts')
  const { knownName } = await import('../sources/known-names.ts')
  const each = async (type: 'repository' | 'person' | 'label', names?: readonly string[]) => {
    if (names === undefined) return undefined
    const resolved: string[] = []
    for (const name of names) {
      const isPattern = type === 'repository' && /[*?]/.test(name)
      const found = isPattern ? name : await knownName(database, type, name)
      resolved.push(type === 'person' ? loginInUrls(database, found) : found)
    }
    return resolved
  }
  return {
    ...selection,
    repositories: await each('repository', repositories),
    owners: await each('person', owners),
    labels: await each('label', labels),
    authors: await each('person', authors),
  }
}
