import type { Account } from './accounts.ts'

/** Who a request authenticates as. */
export interface Caller {
  /** The login in its own spelling. */
  readonly login: string
  readonly id: number
  readonly kind: 'token' | 'password'
  readonly scopes: readonly string[]
  /** Of tokens: SHA-256 of the token in hexadecimal digits. */
  readonly tokenSha256?: string | undefined
  /** Of tokens: their last characters, by which people tell them apart. */
  readonly tokenLastEight?: string | undefined
  /** Organizations with single sign-on that concern the caller and that the token is not authorized for. */
  readonly unauthorized?: readonly string[] | undefined
  /** Of tokens that were issued to an application. */
  readonly clientId?: string | undefined
  readonly account: Account
}
