import { createHash } from 'node:crypto'
import { foldLogin } from '../../http/access/accounts-file.ts'
import type { StateDatabase } from './state-database.ts'

export type MigrationState = 'pending' | 'exporting' | 'exported' | 'failed'

/** The options of a migration. */
export interface MigrationOptions {
  lock_repositories: boolean
  exclude_attachments: boolean
  exclude_metadata: boolean
  exclude_git_data: boolean
  exclude_releases: boolean
  exclude_owner_projects: boolean
  /** Only organizations: no repositories, whatever the other options say. */
  org_metadata_only: boolean
  /** Logins of these organizations. */
  organizations?: readonly string[] | undefined
}

/** The options of a migration that asks for none. */
export const DEFAULT_OPTIONS: MigrationOptions = {
  lock_repositories: false,
  exclude_attachments: false,
  exclude_metadata: false,
  exclude_git_data: false,
  exclude_releases: false,
  exclude_owner_projects: false,
  org_metadata_only: false,
}

/** A migration. Times are milliseconds since 1970 on the server's clock. */
export interface Migration {
  readonly id: number
  readonly guid: string
  /** The login of the person who started it, in lower case. */
  readonly owner: string
  /** The login of the organization it belongs to, in lower case. */
  readonly organization: string | undefined
  readonly state: MigrationState
  readonly options: MigrationOptions
  /** As owner/name, in the order in which they were asked for. */
  readonly repositories: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly exportedAt: number | undefined
  /** The archive, as long as it can be downloaded. */
  readonly archive: { readonly size: number; readonly sha256: string } | undefined
  /** Why it failed. */
  readonly failure: string | undefined
}

/** The owner of migrations: a person or an organization. */
export type MigrationOwner = { owner: string } | { organization: string }

/** Migrations and their locks as people see them. */
export interface Migrations {
  /**
   * Starts a migration, and locks its repositories if the options say so. Returns undefined if its owner has
   * `MOST_PENDING` that are pending.
   */
  start(asked: {
    owner: string
    organization?: string | undefined
    repositories: readonly string[]
    options: MigrationOptions
  }): Migration | undefined
  find(id: number, of: MigrationOwner): Migration | undefined
  findByGuid(guid: string): Migration | undefined
  count(of: MigrationOwner): number
  /** The newest first. */
  list(of: MigrationOwner, page: { offset: number; limit: number }): Migration[]
  /** Removes the archive; false if there is none. */
  deleteArchive(id: number): boolean
  /** Removes expired archives. Returns their migrations. */
  expireArchives(): string[]
  /** Repositories that the migration holds a lock on. */
  locksOf(id: number): string[]
  /** Releases a lock; false if the migration holds none on it, or is still at work. */
  unlock(id: number, repository: string): boolean
}

export const MOST_PENDING = 100

interface Row {
  id: number
  guid: string
  owner: string
  organization: string | null
  state: MigrationState
  options: string
  repositories: string
  created_at: number
  updated_at: number
  exported_at: number | null
  archive_size: number | null
  archive_sha256: string | null
  archive_gone_at: number | null
  failure: string | null
}

/**
 * The migrations of a state.
 *
 * @param clock the server's clock
 * @param archiveLife milliseconds that an archive is kept
 * @param machineTime milliseconds since 1970 on the clock of the machine
 */
export function createMigrations(
  state: StateDatabase,
  {
    clock,
    archiveLife,
    machineTime = Date.now,
  }: { clock: () => Date; archiveLife: number; machineTime?: (() => number) | undefined },
): Migrations {
  const { database, write } = state
  const now = () => clock().getTime()
  const toMigration = (row: Row) => fromRow(row, now() - archiveLife)
  const prepare = <Values extends unknown[], Result>(sql: string) =>
    database.prepare<Values, Result>(sql)
  const insert = prepare<unknown[], unknown>(
    `INSERT INTO migrations (id, guid, owner, organization, state, options, repositories, created_at, updated_at, heartbeat)
     VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)`,
  )
  const nextId = prepare<[], number>(
    "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'migrations'), 0) + 1",
  ).pluck()
  const pendingOf = prepare<[string], number>(
    "SELECT count(*) FROM migrations WHERE owner = ? AND state = 'pending'",
  ).pluck()
  const addLock = prepare<[number, string], unknown>('INSERT INTO locks VALUES (?, ?)')
  const byId = prepare<[number], Row>('SELECT * FROM migrations WHERE id = ?')
  const byGuid = prepare<[string], Row>('SELECT * FROM migrations WHERE guid = ?')
  const expire = prepare<[number, number], string>(
    `UPDATE migrations SET archive_gone_at = ?
     WHERE state = 'exported' AND archive_gone_at IS NULL AND exported_at <= ? RETURNING guid`,
  ).pluck()
  const remove = prepare<[number, number, number], unknown>(
    `UPDATE migrations SET archive_gone_at = ?
     WHERE id = ? AND state = 'exported' AND archive_gone_at IS NULL AND exported_at > ?`,
  )
  const locks = prepare<[number], string>(
    'SELECT repository FROM locks WHERE migration = ? ORDER BY repository',
  ).pluck()
  const release = prepare<[number, string, number], unknown>(
    `DELETE FROM locks WHERE migration = ? AND repository = ?
     AND (SELECT state FROM migrations WHERE id = ?) IN ('exported', 'failed')`,
  )
  const listsWhere = (where: string) => ({
    count: prepare<[string], number>(`SELECT count(*) FROM migrations WHERE ${where}`).pluck(),
    list: prepare<[string, number, number], Row>(
      `SELECT * FROM migrations WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ),
  })
  const byOwner = listsWhere('organization IS NULL AND owner = ?')
  const byOrganization = listsWhere('organization = ?')
  const listsOf = (of: MigrationOwner) =>
    'owner' in of
      ? { ...byOwner, login: foldLogin(of.owner) }
      : { ...byOrganization, login: foldLogin(of.organization) }

  return {
    start: ({ owner, organization, repositories, options }) =>
      write(() => {
        const login = foldLogin(owner)
        if ((pendingOf.get(login) as number) >= MOST_PENDING) return undefined
        const id = nextId.get() as number
        const time = now()
        const of = organization === undefined ? null : foldLogin(organization)
        insert.run(
          id,
          guidOf(login, id, time),
          login,
          of,
          JSON.stringify(options),
          JSON.stringify(repositories),
          time,
          time,
          machineTime(),
        )
        if (options.lock_repositories) for (const name of repositories) addLock.run(id, name)
        return toMigration(byId.get(id) as Row)
      }),
    find(id, of) {
      const row = byId.get(id)
      if (!row) return undefined
      const isOwn =
        'owner' in of
          ? row.organization === null && row.owner === foldLogin(of.owner)
          : row.organization === foldLogin(of.organization)
      return isOwn ? toMigration(row) : undefined
    },
    findByGuid(guid) {
      const row = byGuid.get(guid)
      return row && toMigration(row)
    },
    count(of) {
      const { count, login } = listsOf(of)
      return count.get(login) as number
    },
    list(of, { offset, limit }) {
      const { list, login } = listsOf(of)
      return list.all(login, limit, offset).map(toMigration)
    },
    deleteArchive: (id) => write(() => remove.run(now(), id, now() - archiveLife).changes > 0),
    expireArchives: () => write(() => expire.all(now(), now() - archiveLife)),
    locksOf: (id) => locks.all(id),
    unlock: (id, repository) => write(() => release.run(id, repository, id).changes > 0),
  }
}

/** The migration of a row; an archive exported at `expired` or earlier is gone. */
function fromRow(row: Row, expired: number): Migration {
  const { archive_size: size, archive_sha256: sha256, exported_at: exportedAt } = row
  const isThere = row.state === 'exported' && row.archive_gone_at === null
  const isAlive = exportedAt !== null && exportedAt > expired
  return {
    id: row.id,
    guid: row.guid,
    owner: row.owner,
    state: row.state,
    organization: row.organization ?? undefined,
    // A state of before may lack some.
    options: { ...DEFAULT_OPTIONS, ...(JSON.parse(row.options) as Partial<MigrationOptions>) },
    repositories: JSON.parse(row.repositories) as string[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    exportedAt: exportedAt ?? undefined,
    archive: isThere && isAlive && size !== null && sha256 !== null ? { size, sha256 } : undefined,
    failure: row.failure ?? undefined,
  }
}

/** A version-8 UUID that follows from what makes a migration unique. */
function guidOf(owner: string, id: number, createdAt: number): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([owner, id, createdAt]))
    .digest()
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
