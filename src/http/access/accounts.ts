import { createHash, timingSafeEqual } from 'node:crypto'
import { type AccountsFile, foldLogin, readAccountsFile } from './accounts-file.ts'
import {
  type CodeVerdict,
  createPasswordSignIn,
  type PasswordSignIn,
  type PasswordVerdict,
} from './password-sign-in.ts'

export type { CodeVerdict, PasswordVerdict } from './password-sign-in.ts'

/** An account of the accounts file. */
export interface Account {
  readonly login: string
  /** The id in place of the one that the catalog knows. */
  readonly id?: number | undefined
  /** The primary address first; undefined if the file does not list any. */
  readonly emails?: readonly string[] | undefined
  readonly siteAdmin: boolean
  readonly twoFactor?: { readonly delivery: 'app' | 'SMS' } | undefined
}

/** A token of an account; only its hash is stored. */
export interface Token {
  readonly login: string
  readonly sha256: string
  readonly scopes: readonly string[]
  readonly clientId?: string | undefined
  /** Organizations that it is authorized for by the accounts file. */
  readonly sso?: readonly string[] | undefined
  readonly expiresAt?: Date | undefined
  /** The last characters of the token, if they are known. */
  readonly lastEight?: string | undefined
}

/** A program to which people issue tokens. */
export interface Application {
  readonly clientId: string
  readonly name: string
  readonly url: string
  readonly isNative: boolean
  readonly secretSha256: string | undefined
}

/** The entry of the accounts file about an organization. */
export interface Organization {
  readonly login: string
  readonly id?: number | undefined
  /** Whether tokens of people need an authorization for it. */
  readonly sso: boolean
  /** Members in addition to those in the databases. */
  readonly members: readonly { readonly login: string; readonly role: 'admin' | 'member' }[]
}

/** Who may sign in. Logins and addresses are the same in upper and lower case. */
export interface Accounts {
  readonly accounts: readonly Account[]
  readonly organizations: readonly Organization[]
  findAccount(login: string): Account | undefined
  findAccountByEmail(address: string): Account | undefined
  findOrganization(login: string): Organization | undefined
  findApplication(clientId: string): Application | undefined
  findToken(sha256: string): Token | undefined
  tokensOf(login: string): readonly Token[]
  verifyPassword(login: string, password: string): Promise<PasswordVerdict>
  /** Tests a one-time password after the password was right. */
  verifyCode(login: string, code: string | undefined): CodeVerdict
}

/** The last characters of a token, by which people tell their tokens apart. */
export const lastEightOf = (token: string): string => token.slice(-8)

/** SHA-256 of a text in UTF-8, in hexadecimal digits: what is kept of tokens and secrets. */
export const sha256Of = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex')

/** Whether a text has this SHA-256, compared in constant time. */
export const hasSha256 = (text: string, sha256: string): boolean =>
  timingSafeEqual(Buffer.from(sha256Of(text), 'hex'), Buffer.from(sha256, 'hex'))

/**
 * An index of an accounts file.
 *
 * @param file the content, as `parseAccounts` returns it
 * @param signIn tests passwords, and remembers failures and codes that were used
 */
export function createAccounts(
  file: AccountsFile,
  signIn: PasswordSignIn = createPasswordSignIn(),
): Accounts {
  const accounts = (file.accounts ?? []).map(
    ({ login, id, emails, site_admin = false, two_factor }): Account => ({
      login,
      id,
      emails,
      siteAdmin: site_admin,
      twoFactor: two_factor && { delivery: two_factor.delivery },
    }),
  )
  const applications = (file.applications ?? []).map(
    ({ client_id, name, url = '', native = false, secret_sha256 }): Application => ({
      clientId: client_id,
      name,
      url,
      isNative: native,
      secretSha256: secret_sha256,
    }),
  )
  const organizations = (file.organizations ?? []).map(
    ({ login, id, sso = false, members = [] }): Organization => ({ login, id, sso, members }),
  )
  const tokens = (file.tokens ?? []).map(
    ({ login, sha256, scopes = [], client_id, sso = [], expires_at, last_eight }): Token => ({
      login,
      sha256,
      scopes,
      sso,
      lastEight: last_eight,
      clientId: client_id ?? undefined,
      expiresAt: expires_at == null ? undefined : new Date(expires_at),
    }),
  )
  const entries = new Map(file.accounts?.map((entry) => [foldLogin(entry.login), entry]))
  const byLogin = new Map(accounts.map((account) => [foldLogin(account.login), account]))
  const byAddress = new Map(
    accounts.flatMap((account) =>
      (account.emails ?? []).map((address) => [address.toLowerCase(), account] as const),
    ),
  )
  const byClient = new Map(applications.map((one) => [one.clientId, one]))
  const byOrganization = new Map(organizations.map((one) => [foldLogin(one.login), one]))
  const byHash = new Map(tokens.map((token) => [token.sha256, token]))
  const tokensByLogin = Map.groupBy(tokens, ({ login }) => foldLogin(login))
  return {
    accounts,
    organizations,
    findAccount: (login) => byLogin.get(foldLogin(login)),
    findAccountByEmail: (address) => byAddress.get(address.toLowerCase()),
    findOrganization: (login) => byOrganization.get(foldLogin(login)),
    findApplication: (clientId) => byClient.get(clientId),
    findToken: (sha256) => byHash.get(sha256),
    tokensOf: (login) => tokensByLogin.get(foldLogin(login)) ?? [],
    verifyPassword: (login, password) =>
      signIn.verifyPassword(login, password, entries.get(foldLogin(login))?.password),
    verifyCode: (login, code) =>
      signIn.verifyCode(login, entries.get(foldLogin(login))?.two_factor, code),
  }
}

/** Accounts without an accounts file: nobody can sign in. */
export const NO_ACCOUNTS: Accounts = createAccounts({ version: 1 })

/**
 * Reads an accounts file, and reads it again on request. Throws as `readAccountsFile` does; if the file is invalid, the
 * accounts read before stay in force.
 */
export function openAccounts(path: string): { accounts: Accounts; reload(): void } {
  // A code that was used, and failures, are not forgotten when the file is read again.
  const signIn = createPasswordSignIn()
  let current = createAccounts(readAccountsFile(path), signIn)
  return {
    accounts: {
      get accounts() {
        return current.accounts
      },
      get organizations() {
        return current.organizations
      },
      findAccount: (login) => current.findAccount(login),
      findAccountByEmail: (address) => current.findAccountByEmail(address),
      findOrganization: (login) => current.findOrganization(login),
      findApplication: (clientId) => current.findApplication(clientId),
      findToken: (sha256) => current.findToken(sha256),
      tokensOf: (login) => current.tokensOf(login),
      verifyPassword: (login, password) => current.verifyPassword(login, password),
      verifyCode: (login, code) => current.verifyCode(login, code),
    },
    reload() {
      current = createAccounts(readAccountsFile(path), signIn)
    },
  }
}
