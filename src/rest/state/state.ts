import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Token } from '../../http/access/accounts.ts'
import { type Authorizations, createAuthorizations } from './authorizations.ts'
import { archiveOf, type BuilderOptions, openBuilder } from './builder.ts'
import { type ClaimStep, openClaimer } from './claimer.ts'
import {
  type ImporterOptions,
  importedDatabases,
  importFolderOf,
  logOf,
  openImporter,
} from './importer.ts'
import { createImports, type Imports } from './imports.ts'
import type { JobRunner } from './job-runner.ts'
import { createMigrations, type Migrations } from './migrations.ts'
import { openStateDatabase, type StateDatabase } from './state-database.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** The data that callers change. */
export interface State {
  readonly migrations: Migrations
  readonly authorizations: Authorizations
  /** Undefined unless the server takes imports. */
  readonly imports: ImportsOfState | undefined
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

/** Where imports go, and who is told of their steps, and of those of claims. */
interface ImportsOptions
  extends Pick<ImporterOptions, 'people' | 'show' | 'fetchArchives' | 'log'> {
  logClaims?: ((step: ClaimStep, id: number | undefined, message?: string) => void) | undefined
}

/** Imports of a state, and what becomes of them. */
export interface ImportsOfState extends Imports {
  readonly uploads: Uploads
  /** The databases that were imported. */
  databases(): string[]
  /** The file of the log of an import, which may not be there yet. */
  logPath(guid: string): string
}

export interface StateOptions extends Omit<BuilderOptions, 'machineTime' | 'added'> {
  readOnly: boolean
  /** Take uploads and imports. */
  imports?: ImportsOptions | undefined
  /** Milliseconds for which an archive is kept. */
  archiveLife: number
  machineTime?: (() => number) | undefined
}

/**
 * Opens the state of a server in a folder, or in memory for `:memory:`, and builds what is pending in it, unless it is
 * `readOnly`. Throws as `openStateDatabase` does.
 */
export function openState(folder: string, options: StateOptions): State {
  const { clock, archiveLife, machineTime, readOnly } = options
  const store = openStateDatabase(folder, { readOnly })
  const migrations = createMigrations(store, { clock, archiveLife, machineTime })
  const authorizations = createAuthorizations(store, { clock })
  const { archives } = store
  const pathOf = (guid: string) => (archives === undefined ? undefined : archiveOf(archives, guid))
  const runners: JobRunner[] = []
  let imports: ImportsOfState | undefined
  try {
    if (options.imports) {
      const opened = openImports(store, {
        ...options.imports,
        clock,
        machineTime,
        pace: options.pace,
      })
      imports = opened.imports
      runners.push(...opened.runners)
    }
    const added = imports?.databases
    if (!readOnly) runners.push(openBuilder(store, migrations, { ...options, added }))
  } catch (error) {
    store.close()
    throw error
  }
  return {
    migrations,
    authorizations,
    imports,
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
    wake() {
      for (const runner of runners) runner.wake()
    },
    async idle() {
      await Promise.all(runners.map((runner) => runner.idle()))
    },
    async close() {
      await Promise.all(runners.map((runner) => runner.close()))
      store.close()
    },
  }
}

/** Opens the imports of a state, and starts to carry them out. */
function openImports(
  store: StateDatabase,
  options: ImporterOptions & ImportsOptions,
): { imports: ImportsOfState; runners: JobRunner[] } {
  const { clock, machineTime } = options
  const uploads = createUploads(store, join(store.folder as string, 'uploads'), { clock })
  const all = createImports(store, { clock, machineTime })
  const importer = openImporter(store, { imports: all, uploads }, options)
  const imports: ImportsOfState = {
    ...all,
    uploads,
    databases: () => importedDatabases(store),
    logPath: (guid) => logOf(importFolderOf(store), guid),
    abort(id) {
      const isAborted = all.abort(id)
      if (isAborted) importer.stop(id)
      return isAborted
    },
  }
  const claimer = openClaimer(store, all, { ...options, log: options.logClaims })
  return { imports, runners: [importer, claimer] }
}
