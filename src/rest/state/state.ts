import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Token } from '../../http/access/accounts.ts'
import { type Authorizations, createAuthorizations } from './authorizations.ts'
import { archiveOf, type Builder, type BuilderOptions, openBuilder } from './builder.ts'
import { createMigrations, type Migrations } from './migrations.ts'
import { openStateDatabase } from './state-database.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** The data that callers change. */
export interface State {
  readonly migrations: Migrations
  readonly authorizations: Authorizations
  /** Undefined unless the server takes imports. */
  readonly uploads: Uploads | undefined
  /** Signs addresses; the same for all servers of the state. */
  readonly signingKey: Buffer
  /** A token that was made through the interface. */
  findToken(sha256: string): Token | undefined
  /** The file of a built archive; undefined if there can be none. */
  archivePath(guid: string): string | undefined
  /** Deletes an archive; false if there is none. Downloads that have begun go on. */
  deleteArchive(migration: { id: number; guid: string }): boolean
  /** A migration was started. */
  wake(): void
  /** Resolves when everything that was started is built. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface StateOptions extends Omit<BuilderOptions, 'machineTime' | 'tidy'> {
  readOnly: boolean
  /** Take uploads and imports. */
  imports?: boolean | undefined
  /** Milliseconds for which an archive is kept. */
  archiveLife: number
  machineTime?: (() => number) | undefined
}

/**
 * Opens the state of a server in a folder, or in memory for `:memory:`, and builds what is pending in it, unless it is
 * `readOnly`. Throws as `openStateDatabase` does.
 */
export function openState(folder: string, options: StateOptions): State {
  const { clock, archiveLife, machineTime, readOnly, imports = false } = options
  const store = openStateDatabase(folder, { readOnly })
  const migrations = createMigrations(store, { clock, archiveLife, machineTime })
  const authorizations = createAuthorizations(store, { clock })
  const { archives, folder: own } = store
  const uploads =
    imports && own !== undefined ? createUploads(store, join(own, 'uploads'), { clock }) : undefined
  const pathOf = (guid: string) => (archives === undefined ? undefined : archiveOf(archives, guid))
  let builder: Builder | undefined
  try {
    if (!readOnly) builder = openBuilder(store, migrations, { ...options, tidy: uploads?.expire })
  } catch (error) {
    store.close()
    throw error
  }
  return {
    migrations,
    authorizations,
    uploads,
    signingKey: store.signingKey,
    findToken(sha256) {
      const found = authorizations.findTokenByHash(sha256)
      return (
        found && {
          login: found.owner,
          sha256,
          scopes: found.scopes,
          clientId: found.clientId,
          lastEight: found.tokenLastEight,
        }
      )
    },
    archivePath: pathOf,
    deleteArchive({ id, guid }) {
      if (!migrations.deleteArchive(id)) return false
      rmSync(pathOf(guid) as string, { force: true })
      return true
    },
    wake: () => builder?.wake(),
    idle: async () => builder?.idle(),
    async close() {
      await builder?.close()
      store.close()
    },
  }
}
