import { HttpError } from '../http/http-error.ts'
import type { HeaderReader } from '../request-context.ts'
import type { Accounts } from './accounts.ts'
import type { Caller } from './caller.ts'

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
