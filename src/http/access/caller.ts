import type { Account } from './accounts.ts'

/** Who a request authenticates as. */
export interface Caller {
  /** The login in its own spelling. */
  readonly login: string
  readonly id: number
  readonly kind: 'token' | 'password'
  readonly scopes: readonly string[]
  /** SHA-256 of the token in hexadecimal digits, if the caller has one. */
  readonly tokenSha256?: string | undefined
  /** The last characters of the token, by which people tell tokens apart. */
  readonly tokenLastEight?: string | undefined
  /** Organizations with single sign-on that concern the caller and that the token is not authorized for. */
  readonly unauthorized?: readonly string[] | undefined
  /** The application that the token was issued to, if any. */
  readonly clientId?: string | undefined
  readonly account: Account
}
