import { hash, timingSafeEqual } from 'node:crypto'
import { HttpError } from '../http-error.ts'
import { type Account, type Accounts, lastEightOf, type Token } from './accounts.ts'
import type { Caller } from './caller.ts'

/** Where accounts and tokens are looked up. */
interface Parts {
  readonly accounts: Accounts
  readonly catalog: { numberOfAccount(login: string): number | undefined }
  readonly state: { findToken(sha256: string): Token | undefined }
}

/** A user name and password are good for creating tokens only. */
const PASSWORD_ELSEWHERE =
  'Requires authentication: send a token; a user name and password are taken by /authorizations only.'

const AUTHENTICATION = 'https://developer.github.com/v3/#authentication'

/**
 * Finds out who is calling.
 *
 * @param header the `Authorization` header
 * @param takesPassword whether the endpoint takes user name and password
 * @returns undefined for a stranger
 * @throws `HttpError` 401 for credentials that are wrong or unreadable, 403 after too many failures, 503 if too many
 *   passwords are being verified
 */
export async function authenticate(
  header: string | null,
  takesPassword: boolean,
  parts: Parts,
): Promise<Caller | undefined> {
  const credentials = parseCredentials(header)
  if (credentials.kind === 'none') return undefined
  if (credentials.kind === 'unreadable') throw badCredentials()
  for (const text of tokensOf(credentials)) {
    const caller = callerOfToken(text, parts)
    if (caller) return caller
  }
  if (credentials.kind === 'token') throw badCredentials()
  const { user, password } = credentials
  const verdict = await parts.accounts.verifyPassword(user, password)
  if (verdict === 'throttled') throw throttled()
  if (verdict === 'busy')
    throw new HttpError(503, 'Service Unavailable', { headers: { 'Retry-After': '1' } })
  const account = verdict === 'right' ? parts.accounts.findAccount(user) : undefined
  if (!account) throw badCredentials()
  if (!takesPassword)
    throw new HttpError(401, PASSWORD_ELSEWHERE, { documentationUrl: AUTHENTICATION })
  return { ...identityOf(account, parts), kind: 'password', scopes: [], account }
}

const badCredentials = (): HttpError =>
  new HttpError(401, 'Bad credentials', { documentationUrl: AUTHENTICATION })

const throttled = (): HttpError =>
  new HttpError(403, 'Maximum number of login attempts exceeded. Please try again later.')

/** The words that may be a token: with Basic the password, then a user name whose password is empty. */
function tokensOf(credentials: Exclude<Credentials, { kind: 'none' | 'unreadable' }>): string[] {
  if (credentials.kind === 'token') return [credentials.token]
  const { user, password } = credentials
  return password === '' || password === 'x-oauth-basic' ? [password, user] : [password]
}

function callerOfToken(text: string, parts: Parts): Caller | undefined {
  if (text === '') return undefined
  const sha256 = hash('sha256', text)
  const found = parts.accounts.findToken(sha256) ?? parts.state.findToken(sha256)
  if (!found || !isSame(found.sha256, sha256) || hasExpired(found)) {
    return undefined
  }
  const account = parts.accounts.findAccount(found.login) ?? {
    login: found.login,
    siteAdmin: false,
  }
  return {
    ...identityOf(account, parts),
    kind: 'token',
    scopes: found.scopes,
    tokenSha256: sha256,
    account,
    tokenLastEight: lastEightOf(text),
    ...(found.clientId !== undefined && { clientId: found.clientId }),
  }
}

/** Compares two hashes of the same length in constant time. */
export const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Tokens expire by the time of the machine: a clock that was set must not revive them. */
const hasExpired = ({ expiresAt }: Token): boolean =>
  expiresAt !== undefined && expiresAt.getTime() <= Date.now()

const identityOf = (account: Account, { catalog }: Parts) => ({
  login: account.login,
  id: account.id ?? catalog.numberOfAccount(account.login) ?? 0,
})

/** The credentials in the `Authorization` header of a request. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }

const NONE: Credentials = { kind: 'none' }
const UNREADABLE: Credentials = { kind: 'unreadable' }

/**
 * Reads an `Authorization` header: `token T`, `Bearer T` or Basic. Empty user name and password, which importers without
 * a token send, are no credentials.
 */
export function parseCredentials(header: string | null | undefined): Credentials {
  const given = header?.trim()
  if (!given) return NONE
  const [, scheme = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(given) ?? []
  switch (scheme.toLowerCase()) {
    case 'token':
    case 'bearer':
      return isToken(rest) ? { kind: 'token', token: rest } : UNREADABLE
    case 'basic':
      return parseBasic(rest)
    default:
      return UNREADABLE
  }
}

/** Printable ASCII without spaces. */
const isToken = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

function parseBasic(encoded: string): Credentials {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return UNREADABLE
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return UNREADABLE
  const user = text.slice(0, colon)
  const password = text.slice(colon + 1)
  return user === '' && password === '' ? NONE : { kind: 'basic', user, password }
}
