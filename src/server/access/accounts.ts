/** An account of the accounts file. */
export interface Account {
  readonly login: string
  /** The number in place of the one that the catalog knows. */
  readonly id?: number | undefined
  /** The primary address first; undefined if the file does not list any. */
  readonly emails?: readonly string[] | undefined
  readonly siteAdmin: boolean
  readonly twoFactor?: { readonly delivery: 'app' | 'SMS' } | undefined
}

/** A token that somebody holds; only its hash is known. */
export interface Token {
  readonly login: string
  readonly sha256: string
  readonly scopes: readonly string[]
  readonly clientId?: string | undefined
  /** Organizations that it is authorized for by the accounts file. */
  readonly sso?: readonly string[] | undefined
  readonly expiresAt?: Date | undefined
}

/** What became of a user name and password. */
export type PasswordVerdict = 'right' | 'wrong' | 'throttled' | 'busy'

/** Who may sign in. */
export interface Accounts {
  /** The account with this login, in whatever case. */
  findAccount(login: string): Account | undefined
  findToken(sha256: string): Token | undefined
  verifyPassword(login: string, password: string): Promise<PasswordVerdict>
}

/** Accounts without an accounts file: nobody can sign in. */
export const NO_ACCOUNTS: Accounts = {
  findAccount: () => undefined,
  findToken: () => undefined,
  verifyPassword: async () => 'wrong',
}
