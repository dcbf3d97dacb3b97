import { type Database, openDatabase } from '../open-database.ts'

/** The database that answers a statement, as values that another process can take. */
export interface AskedDatabase {
  readonly path: string
  /** Whether the path says which databases are attached, as `writeMergedSchema` writes it. */
  readonly isAttached?: boolean | undefined
}

/** Opens a database, or those that are attached. Throws as `openDatabase` does. */
export async function openAsked({ path, isAttached }: AskedDatabase): Promise<Database> {
  if (!isAttached) return openDatabase(path)
  const { attachDatabases } = await import('./attach-databases.ts')
  return attachDatabases(path)
}
