import { aPath, aText, checkArguments } from '../base/check-arguments.ts'
import { isObject } from '../records/json/json.ts'
import { ClientError } from './client-error.ts'
import type { ClientOptions } from './client-options.ts'
import { openSession } from './open-session.ts'
import { isGitHub, parseServer } from './server-address.ts'

/**
 * Throws `request-refused` for a server that makes no tokens from passwords.
 *
 * @param options the server
 */
export function checkAuthorizes({ server, insecure }: ClientOptions): void {
  if (!isGitHub(parseServer(server, { insecure }))) return
  const message = 'github.com makes no tokens from passwords since November 2020'
  throw new ClientError('request-refused', message)
}

/**
 * Makes a token for migrations from a user name and password.
 *
 * @param user the login
 * @param password the password, which is sent once and kept nowhere
 * @param options the server, the name of the token, and a function that asks for a one-time password
 * @returns the token, which the server never shows again
 * @throws the codes of `listMigrations`
 * @example
 * const token = await createToken('ada', password, { server: 'https://git.example/api/v3' })
 */
export async function createToken(
  user: string,
  password: string,
  options: Omit<ClientOptions, 'token' | 'organization'> & { note?: string | undefined },
): Promise<string> {
  checkArguments({ user, password }, { user: aPath, password: aText })
  const session = openSession<ClientOptions & { note?: string | undefined }>(options, {
    note: aText,
  })
  checkAuthorizes(options)
  const note = options.note ?? `migration-archive ${new Date().toISOString().slice(0, 19)}`
  const body = { scopes: ['repo'], note }
  const answer = await session.call('createAuthorization', { body, password: { user, password } })
  const token = isObject(answer.body) ? answer.body.token : undefined
  if (typeof token === 'string' && /^[\x21-\x7e]{1,255}$/.test(token)) return token
  throw new ClientError('server-failed', 'the server made a token and did not show it')
}
