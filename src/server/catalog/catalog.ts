import type { Database } from '../../database/database.ts'
import { openDatabase } from '../../database/open-database.ts'

/** What the databases hold. */
export interface Catalog {
  /** `busy` while the index is being made anew. */
  readonly status: 'ready' | 'busy'
  /** The number of an account. */
  numberOfAccount(login: string): number | undefined
  close(): void
}

/**
 * Opens databases to be served as one.
 *
 * @throws `ArchiveError` as `openDatabase`
 */
export function openCatalog(paths: readonly string[]): Catalog {
  const databases: Database[] = []
  const close = () => {
    for (const database of databases) database.close()
  }
  try {
    for (const path of paths) databases.push(openDatabase(path))
  } catch (error) {
    close()
    throw error
  }
  return { status: 'ready', numberOfAccount: () => undefined, close }
}
