import { randomBytes } from 'node:crypto'
import { lastEightOf, sha256Of } from '../../http/access/accounts.ts'
import { foldLogin } from '../../http/access/accounts-file.ts'
import type { StateDatabase } from './state-database.ts'

/** A token that a person made with user name and password. Its text is known only when it is made. */
export interface Authorization {
  readonly id: number
  /** The login of its person, in lower case. */
  readonly owner: string
  readonly clientId: string | undefined
  readonly note: string
  readonly noteUrl: string | undefined
  readonly fingerprint: string | undefined
  readonly scopes: readonly string[]
  readonly tokenSha256: string
  readonly tokenLastEight: string
  /** Milliseconds since 1970 on the server's clock. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Authorizations, and the organizations that tokens of any kind were authorized for. */
export interface Authorizations {
  /** Makes an authorization with a new token; undefined if the person has one with this note, client and fingerprint. */
  create(asked: {
    owner: string
    clientId: string | undefined
    note: string
    noteUrl: string | undefined
    fingerprint: string | undefined
    scopes: readonly string[]
  }): { authorization: Authorization; token: string } | undefined
  find(id: number, owner: string): Authorization | undefined
  count(owner: string): number
  /** By number. */
  list(owner: string, page: { offset: number; limit: number }): Authorization[]
  /** All with a client. */
  listOfClient(owner: string, clientId: string): Authorization[]
  /** Revokes the token; false if there is no such authorization. */
  delete(id: number, owner: string): boolean
  /** The authorization with a token, also if another server made it. */
  findTokenByHash(sha256: string): Authorization | undefined
  /** Authorizes a token for an organization. */
  grant(tokenSha256: string, organization: string): void
  isGranted(tokenSha256: string, organization: string): boolean
}

interface Row {
  id: number
  owner: string
  client_id: string | null
  note: string
  note_url: string | null
  fingerprint: string | null
  scopes: string
  token_sha256: string
  token_last_eight: string
  created_at: number
  updated_at: number
}

/** The authorizations of a state; `clock` is the server's. */
export function createAuthorizations(
  { database, write }: StateDatabase,
  { clock }: { clock: () => Date },
): Authorizations {
  const prepare = <Values extends unknown[], Result>(sql: string) =>
    database.prepare<Values, Result>(sql)
  const insert = prepare<unknown[], unknown>(
    `INSERT INTO authorizations (owner, client_id, note, note_url, fingerprint, scopes, token_sha256,
       token_last_eight, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const byId = prepare<[number, string], Row>(
    'SELECT * FROM authorizations WHERE id = ? AND owner = ?',
  )
  const byToken = prepare<[string], Row>('SELECT * FROM authorizations WHERE token_sha256 = ?')
  const byOwner = prepare<[string, number, number], Row>(
    'SELECT * FROM authorizations WHERE owner = ? ORDER BY id LIMIT ? OFFSET ?',
  )
  const byClient = prepare<[string, string], Row>(
    'SELECT * FROM authorizations WHERE owner = ? AND client_id = ? ORDER BY id',
  )
  const count = prepare<[string], number>(
    'SELECT count(*) FROM authorizations WHERE owner = ?',
  ).pluck()
  const remove = prepare<[number, string], string>(
    'DELETE FROM authorizations WHERE id = ? AND owner = ? RETURNING token_sha256',
  ).pluck()
  const grant = prepare<[string, string], unknown>('INSERT OR IGNORE INTO grants VALUES (?, ?)')
  const revoke = prepare<[string], unknown>('DELETE FROM grants WHERE token_sha256 = ?')
  const granted = prepare<[string, string], unknown>(
    'SELECT 1 FROM grants WHERE token_sha256 = ? AND organization = ?',
  )
  return {
    create: ({ owner, clientId, note, noteUrl, fingerprint, scopes }) =>
      write(() => {
        const token = randomBytes(20).toString('hex')
        const sha256 = sha256Of(token)
        const time = clock().getTime()
        const { changes } = insert.run(
          foldLogin(owner),
          clientId ?? null,
          note,
          noteUrl ?? null,
          fingerprint ?? null,
          JSON.stringify(scopes),
          sha256,
          lastEightOf(token),
          time,
          time,
        )
        if (changes === 0) return undefined
        return { authorization: fromRow(byToken.get(sha256) as Row), token }
      }),
    find(id, owner) {
      const row = byId.get(id, foldLogin(owner))
      return row && fromRow(row)
    },
    count: (owner) => count.get(foldLogin(owner)) as number,
    list: (owner, { offset, limit }) => byOwner.all(foldLogin(owner), limit, offset).map(fromRow),
    listOfClient: (owner, clientId) => byClient.all(foldLogin(owner), clientId).map(fromRow),
    delete: (id, owner) =>
      write(() => {
        const sha256 = remove.get(id, foldLogin(owner))
        if (sha256 === undefined) return false
        revoke.run(sha256)
        return true
      }),
    findTokenByHash(sha256) {
      const row = byToken.get(sha256)
      return row && fromRow(row)
    },
    grant: (tokenSha256, organization) =>
      void write(() => grant.run(tokenSha256, foldLogin(organization))),
    isGranted: (tokenSha256, organization) =>
      granted.get(tokenSha256, foldLogin(organization)) !== undefined,
  }
}

const fromRow = (row: Row): Authorization => ({
  id: row.id,
  owner: row.owner,
  note: row.note,
  clientId: row.client_id ?? undefined,
  noteUrl: row.note_url ?? undefined,
  fingerprint: row.fingerprint ?? undefined,
  scopes: JSON.parse(row.scopes) as string[],
  tokenSha256: row.token_sha256,
  tokenLastEight: row.token_last_eight,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
