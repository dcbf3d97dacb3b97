import type { Endpoint } from '../../interface/endpoint.ts'
import { HttpError, notFound } from '../http-error.ts'
import type { HeaderReader } from '../request.ts'
import type { Accounts } from './accounts.ts'
import type { Caller } from './caller.ts'
import { isDirectoryScope } from './scopes.ts'

const PASSWORD_ONLY = 'This API can only be accessed with username and password Basic Auth'

/**
 * Checks whether a caller may use an endpoint at all.
 *
 * @throws `HttpError` 404 for a stranger where a caller is needed; 401 or 403 at the endpoints that say so
 */
export function requireCaller({ who }: Endpoint, caller: Caller | undefined): void {
  switch (who) {
    case 'user':
      if (!caller) throw notFound()
      return
    case 'password':
      if (!caller) throw new HttpError(401, 'Requires authentication')
      if (caller.kind === 'token') throw new HttpError(403, PASSWORD_ONLY)
      return
    case 'scope':
      if (!caller) throw new HttpError(401, 'Login Required')
      if (!caller.scopes.some(isDirectoryScope)) throw new HttpError(403, 'Insufficient Permission')
      return
    default:
  }
}

/**
 * Asks for the second factor of a caller whose password was right, if the account has one.
 *
 * @throws `HttpError` 401 for a code that is missing or wrong, with headers that say how the account receives its codes
 */
export function requireCode(
  { login, account }: Caller,
  headers: HeaderReader,
  accounts: Accounts,
): void {
  const code = headers.get('x-service-otp') ?? headers.get('x-github-otp') ?? undefined
  if (accounts.verifyCode(login, code?.trim()) === 'right') return
  const required = `required; ${account.twoFactor?.delivery ?? 'app'}`
  throw new HttpError(401, 'Must specify two-factor authentication OTP code.', {
    headers: { 'X-GitHub-OTP': required, 'X-Service-OTP': required },
    documentationUrl: 'https://developer.github.com/v3/auth#working-with-two-factor-authentication',
  })
}
