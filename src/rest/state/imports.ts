import { randomUUID } from 'node:crypto'
import { foldLogin } from '../../http/access/accounts-file.ts'
import type { JobTable } from './job-queue.ts'
import type { StateDatabase } from './state-database.ts'

export type ImportState =
  | 'QUEUED'
  | 'PENDING_VALIDATION'
  | 'IN_PROGRESS'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'FAILED_VALIDATION'

export type Visibility = 'private' | 'internal' | 'public'

/** The kind of service that repositories come from. */
export interface MigrationSource {
  readonly id: number
  readonly organization: string
  readonly name: string
  readonly url: string | null
  readonly type: string
}

/** What is to be imported. Tokens are not among it: they are dropped where they arrive. */
export interface ImportOptions {
  /** The address of the repository that the archives are of. */
  readonly sourceUrl: string
  /** The organization: its address, and its login in its own spelling. */
  readonly organizationUrl: string
  readonly organizationLogin: string
  /** The upload with Git data, and that with records, which may be the same one; or addresses to fetch them from. */
  readonly git: string | undefined
  readonly metadata: string | undefined
  readonly visibility: Visibility
  readonly skipReleases: boolean
  /** Leave out records that cannot be imported; absent in states of older servers, which means true. */
  readonly continueOnError?: boolean | undefined
}

/** The import of a repository into an organization. Times are milliseconds since 1970 on the server's clock. */
export interface Import {
  readonly id: number
  readonly guid: string
  /** The login of the person who started it, in lower case. */
  readonly owner: string
  /** The login of the organization, in lower case. */
  readonly organization: string
  /** The name that the repository gets. */
  readonly repository: string
  readonly state: ImportState
  readonly source: MigrationSource
  readonly options: ImportOptions
  readonly createdAt: number
  /** The file of its database, when it is whole. */
  readonly database: string | undefined
  readonly warnings: number
  readonly failure: string | undefined
}

/** A person of an archive who has no account here: a login in an organization, until an account claims it. */
export interface Mannequin {
  readonly id: number
  readonly organization: string
  readonly login: string
  /** The login of the account that it was given to. */
  readonly claimant: string | undefined
  readonly createdAt: number
}

/** Imports, where they come from, and the people in them, as callers see them. */
export interface Imports {
  createSource(asked: Omit<MigrationSource, 'id'>): MigrationSource
  findSource(id: number): MigrationSource | undefined
  /**
   * Starts an import: `taken` if the repository is there, or on its way; `many` if the account has `MOST_QUEUED` that wait.
   */
  start(asked: {
    owner: string
    organization: string
    repository: string
    source: MigrationSource
    options: ImportOptions
  }): Import | 'taken' | 'many'
  find(id: number): Import | undefined
  findByGuid(guid: string): Import | undefined
  /** The newest first. */
  list(organization: string, page: { last: number; repository: string | undefined }): Import[]
  /** Ends an import that has not ended, and whose repository is not shown yet; false for any other. */
  abort(id: number): boolean
  /** Whether a file with this name belongs to an import. */
  isWanted(file: string): boolean
  findMannequin(id: number): Mannequin | undefined
  /** By number, after `after`. */
  listMannequins(
    organization: string,
    page: { first: number; after: number; login?: string | undefined },
  ): Mannequin[]
  /** The logins of all mannequins that nobody has claimed. */
  unclaimed(): string[]
  /** Adds people whom an import brought. */
  addMannequins(organization: string, logins: readonly string[]): void
  /** The claims in an organization. */
  claimsOf(organization: string): { login: string; claimant: string }[]
  /** The ids of imports into an organization that have begun and not ended. */
  underWay(organization: string): number[]
  /** The databases of an organization, as ids and files of its imports that have ended. */
  databasesOf(organization: string): { id: number; database: string }[]
  /** Puts another file in the place of a database; false if it has another one by now. */
  replaceDatabase(id: number, former: string, file: string): boolean
  /** Gives a mannequin to an account, whose everything of it becomes; false if another one has it. */
  claim(id: number, login: string): boolean
}

/** Imports of one account that may wait. */
export const MOST_QUEUED = 100

/** The imports of a state as jobs: one is validated before it is carried out. */
export const IMPORT_JOBS: JobTable = {
  name: 'imports',
  waiting: 'QUEUED',
  running: ['PENDING_VALIDATION', 'IN_PROGRESS'],
  columns: 'id, guid, organization, repository, options, database',
}

/** SQL for the files of databases that were imported, the oldest first. */
export const IMPORTED = 'SELECT database FROM imports WHERE database IS NOT NULL ORDER BY id'

/** What is claimed, as jobs: each database of the organization is written anew. */
export const CLAIM_JOBS: JobTable = {
  name: 'claims',
  waiting: 'QUEUED',
  running: ['IN_PROGRESS'],
  columns: 'id, organization, login, claimant',
}

interface Row {
  id: number
  guid: string
  owner: string
  organization: string
  repository: string
  state: ImportState
  source: number
  options: string
  created_at: number
  database: string | null
  warnings: number
  failure: string | null
}

interface MannequinRow {
  id: number
  organization: string
  login: string
  claimant: string | null
  created_at: number
}

/**
 * The imports of a state.
 *
 * @param clock the server's clock
 * @param machineTime milliseconds since 1970 on the clock of the machine
 */
export function createImports(
  { database, write }: StateDatabase,
  {
    clock,
    machineTime = Date.now,
  }: { clock: () => Date; machineTime?: (() => number) | undefined },
): Imports {
  const prepare = <Values extends unknown[], Result>(sql: string) =>
    database.prepare<Values, Result>(sql)
  const now = () => clock().getTime()
  const addSource = prepare<unknown[], MigrationSource>(
    'INSERT INTO migration_sources (organization, name, url, type) VALUES (?, ?, ?, ?) RETURNING *',
  )
  const sourceById = prepare<[number], MigrationSource>(
    'SELECT * FROM migration_sources WHERE id = ?',
  )
  const insert = prepare<unknown[], Row>(
    `INSERT INTO imports (guid, owner, organization, repository, state, source, options, created_at, updated_at, heartbeat)
     VALUES (?, ?, ?, ?, 'QUEUED', ?, ?, ?, ?, ?) RETURNING *`,
  )
  const queuedOf = prepare<[string], number>(
    "SELECT count(*) FROM imports WHERE owner = ? AND state = 'QUEUED'",
  ).pluck()
  const nameTaken = prepare<[string, string], number>(
    `SELECT 1 FROM imports WHERE organization = ? AND repository = ? COLLATE NOCASE
     AND state NOT IN ('FAILED', 'FAILED_VALIDATION')`,
  ).pluck()
  const byId = prepare<[number], Row>('SELECT * FROM imports WHERE id = ?')
  const byGuid = prepare<[string], Row>('SELECT * FROM imports WHERE guid = ?')
  const newest = prepare<[string, string | null, string | null, number], Row>(
    `SELECT * FROM imports WHERE organization = ? AND (? IS NULL OR repository = ? COLLATE NOCASE)
     ORDER BY id DESC LIMIT ?`,
  )
  const end = prepare<[number, number], unknown>(
    `UPDATE imports SET state = 'FAILED', failure = 'The migration was aborted', worker = NULL, updated_at = ?
     WHERE id = ? AND database IS NULL AND state IN ('QUEUED', 'PENDING_VALIDATION', 'IN_PROGRESS')`,
  )
  const hasFile = prepare<[string], number>('SELECT 1 FROM imports WHERE database = ?').pluck()
  const mannequin = prepare<[number], MannequinRow>('SELECT * FROM mannequins WHERE id = ?')
  const mannequins = prepare<[string, number, string | null, string | null, number], MannequinRow>(
    `SELECT * FROM mannequins WHERE organization = ? AND id > ? AND (? IS NULL OR login = ?)
     ORDER BY id LIMIT ?`,
  )
  const unclaimed = prepare<[], string>(
    'SELECT DISTINCT login FROM mannequins WHERE claimant IS NULL',
  ).pluck()
  const addMannequin = prepare<[string, string, number], unknown>(
    'INSERT OR IGNORE INTO mannequins (organization, login, created_at) VALUES (?, ?, ?)',
  )
  const claim = prepare<[string, number], unknown>(
    'UPDATE mannequins SET claimant = ? WHERE id = ?',
  )
  const claims = prepare<[string], { login: string; claimant: string }>(
    'SELECT login, claimant FROM mannequins WHERE organization = ? AND claimant IS NOT NULL',
  )
  const addClaim = prepare<unknown[], unknown>(
    `INSERT INTO claims (organization, login, claimant, state, created_at, updated_at, heartbeat)
     VALUES (?, ?, ?, 'QUEUED', ?, ?, ?)`,
  )
  const begun = prepare<[string], number>(
    `SELECT id FROM imports WHERE organization = ? AND state IN ('PENDING_VALIDATION', 'IN_PROGRESS')`,
  ).pluck()
  const ofOrganization = prepare<[string], { id: number; database: string }>(
    `SELECT id, database FROM imports WHERE organization = ? AND database IS NOT NULL AND state = 'SUCCEEDED' ORDER BY id`,
  )
  const replace = prepare<[string, number, string], unknown>(
    'UPDATE imports SET database = ? WHERE id = ? AND database = ?',
  )
  const toImport = (row: Row): Import => ({
    id: row.id,
    guid: row.guid,
    owner: row.owner,
    organization: row.organization,
    repository: row.repository,
    state: row.state,
    source: sourceById.get(row.source) as MigrationSource,
    options: JSON.parse(row.options) as ImportOptions,
    createdAt: row.created_at,
    database: row.database ?? undefined,
    warnings: row.warnings,
    failure: row.failure ?? undefined,
  })

  return {
    createSource: ({ organization, name, url, type }) =>
      write(() => addSource.get(foldLogin(organization), name, url, type) as MigrationSource),
    findSource: (id) => sourceById.get(id),
    start: ({ owner, organization, repository, source, options }) =>
      write(() => {
        const [who, to] = [foldLogin(owner), foldLogin(organization)]
        if (nameTaken.get(to, repository) !== undefined) return 'taken'
        if ((queuedOf.get(who) as number) >= MOST_QUEUED) return 'many'
        const [time, json] = [now(), JSON.stringify(options)]
        const values = [randomUUID(), who, to, repository, source.id, json, time, time]
        return toImport(insert.get(...values, machineTime()) as Row)
      }),
    find(id) {
      const row = byId.get(id)
      return row && toImport(row)
    },
    findByGuid(guid) {
      const row = byGuid.get(guid)
      return row && toImport(row)
    },
    list: (organization, { last, repository = null }) =>
      newest.all(foldLogin(organization), repository, repository, last).map(toImport),
    abort: (id) => write(() => end.run(now(), id).changes > 0),
    isWanted: (file) => hasFile.get(file) !== undefined,
    findMannequin(id) {
      const row = mannequin.get(id)
      return row && toMannequin(row)
    },
    listMannequins: (organization, { first, after, login = null }) =>
      mannequins.all(foldLogin(organization), after, login, login, first).map(toMannequin),
    unclaimed: () => unclaimed.all(),
    addMannequins: (organization, logins) =>
      write(() => {
        for (const login of logins) addMannequin.run(foldLogin(organization), login, now())
      }),
    claimsOf: (organization) => claims.all(foldLogin(organization)),
    underWay: (organization) => begun.all(foldLogin(organization)),
    databasesOf: (organization) => ofOrganization.all(foldLogin(organization)),
    replaceDatabase: (id, former, file) => write(() => replace.run(file, id, former).changes > 0),
    claim: (id, login) =>
      write(() => {
        const { organization, login: of, claimant } = mannequin.get(id) as MannequinRow
        if (claimant !== null) return foldLogin(claimant) === foldLogin(login)
        claim.run(login, id)
        addClaim.run(organization, of, login, now(), now(), machineTime())
        return true
      }),
  }
}

const toMannequin = ({ created_at, claimant, ...row }: MannequinRow): Mannequin => ({
  ...row,
  claimant: claimant ?? undefined,
  createdAt: created_at,
})
