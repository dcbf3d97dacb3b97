import { createHash } from 'node:crypto'
import type { Account } from '../../http/access/accounts.ts'
import { HttpError } from '../../http/http-error.ts'
import { recordedEmails } from '../../reading/people/indexed-profiles.ts'
import type { IndexedReader } from '../../reading/reader.ts'
import type { Handler } from '../request-context.ts'
import { readerOf } from './find-in-path.ts'

/** The authorization of an application by an account: the tokens that it issued to it, as one. */
export const directoryToken: Handler = (context) => {
  const { params, server, text } = context
  if (text !== '') throw new HttpError(400, 'The body must be empty')
  const { accounts, state } = server
  const reader = readerOf(context)
  const key = params.user_key ?? ''
  const account =
    accounts.accounts.find((one) => String(numberOf(reader, one)) === key) ??
    accounts.findAccountByEmail(key) ??
    accounts.accounts.find((one) => addressesOf(reader, one).includes(key.toLowerCase()))
  if (!account) throw new HttpError(404, 'Resource Not Found: userKey')
  const clientId = params.client_id ?? ''
  const now = Date.now()
  const tokens = [
    ...accounts
      .tokensOf(account.login)
      .filter((token) => token.clientId === clientId)
      .filter(({ expiresAt }) => expiresAt === undefined || expiresAt.getTime() > now),
    ...state.authorizations.listOfClient(account.login, clientId),
  ]
  if (tokens.length === 0) throw new HttpError(404, 'Resource Not Found: token')
  const application = accounts.findApplication(clientId)
  const token = {
    clientId,
    displayText: application?.name ?? clientId,
    anonymous: false,
    nativeApp: application?.isNative ?? false,
    userKey: String(numberOf(reader, account)),
    scopes: [...new Set(tokens.flatMap(({ scopes }) => scopes))].sort(),
  }
  const etag = createHash('sha256').update(JSON.stringify(token)).digest('base64url')
  return { status: 200, body: { kind: 'admin#directory#token', etag: `"${etag}"`, ...token } }
}

const numberOf = ({ people }: IndexedReader, { id, login }: Account): number =>
  id ?? (people.findByLogin(login) ?? people.ofAccount(login)).number

/** The addresses in the record of an account for which the accounts file has none, in lower case. */
function addressesOf({ people, library }: IndexedReader, { login, emails }: Account): string[] {
  const person = emails ? undefined : people.findByLogin(login)
  return person ? recordedEmails(library, person).map((address) => address.toLowerCase()) : []
}
