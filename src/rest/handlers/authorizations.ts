import { formatTime } from '../../base/format-time.ts'
import { type Accounts, hasSha256 } from '../../http/access/accounts.ts'
import type { Caller } from '../../http/access/caller.ts'
import { type FieldFault, invalid, notFound } from '../../http/http-error.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import type { Handler, RequestHead } from '../request-context.ts'
import type { Authorization } from '../state/authorizations.ts'
import { numberInPath } from './find-in-path.ts'

/** Creates a token. Only this answer has its text. */
export const createAuthorization: Handler = (context) => {
  const { caller, body, server } = context
  const { login } = callerOf(caller)
  const asked = parseBody(body, server.accounts)
  const made = server.state.authorizations.create({ owner: login, ...asked })
  if (!made) throw invalid([fault('description', 'already_exists')])
  const described = describe(context, made.authorization, made.token)
  return { status: 201, body: described, headers: { Location: described.url as string } }
}

/** Their tokens are left out. */
export const listAuthorizations: Handler = (context) => {
  const { authorizations } = context.server.state
  const { login } = callerOf(context.caller)
  return {
    status: 200,
    list: {
      total: authorizations.count(login),
      items: (offset, limit) =>
        authorizations
          .list(login, { offset, limit })
          .map((authorization) => describe(context, authorization)),
    },
  }
}

export const getAuthorization: Handler = (context) => ({
  status: 200,
  body: describe(context, findAuthorization(context)),
})

export const deleteAuthorization: Handler = (context) => {
  const { id, owner } = findAuthorization(context)
  if (!context.server.state.authorizations.delete(id, owner)) throw notFound()
  return { status: 204 }
}

function findAuthorization(context: RequestHead): Authorization {
  const id = numberInPath(context, 'authorization_id')
  const found = context.server.state.authorizations.find(id, callerOf(context.caller).login)
  if (!found) throw notFound()
  return found
}

function callerOf(caller: Caller | undefined): Caller {
  if (!caller) throw notFound()
  return caller
}

const fault = (field: string, code: FieldFault['code']): FieldFault => ({
  resource: 'OauthAccess',
  field,
  code,
})

const SCOPE = /^[a-z][a-z:_.-]*$/

type Asked = Pick<Authorization, 'scopes' | 'note' | 'noteUrl' | 'clientId' | 'fingerprint'>

/** The values of a body. Throws `HttpError` 422 with all faults, in the order of the members. */
function parseBody(body: JsonObject, accounts: Accounts): Asked {
  const { scopes, note, note_url, client_id, client_secret, fingerprint } = body
  const faults: FieldFault[] = []
  const texts = asTexts(scopes)
  if (!texts?.every((scope) => SCOPE.test(scope))) faults.push(fault('scopes', 'invalid'))
  if (note == null) faults.push(fault('description', 'missing_field'))
  else if (typeof note !== 'string' || note === '' || note.length > 255) {
    faults.push(fault('description', 'invalid'))
  }
  for (const [field, value] of Object.entries({
    note_url,
    client_id,
    client_secret,
    fingerprint,
  })) {
    if (value != null && !isShortText(value)) faults.push(fault(field, 'invalid'))
  }
  const isOfClient = client_id != null || client_secret != null
  const isClient = isShortText(client_id) && isShortText(client_secret)
  if (isOfClient && !faults.some(({ field }) => field.startsWith('client_'))) {
    const known = isClient ? accounts.findApplication(client_id) : undefined
    const secret = known?.secretSha256
    if (!isClient || secret === undefined || !hasSha256(client_secret, secret)) {
      faults.push(fault('client_id', 'invalid'))
    }
  }
  if (faults.length > 0) throw invalid(inOrder(faults))
  return {
    scopes: texts ?? [],
    note: String(note),
    noteUrl: textIfAny(note_url),
    clientId: textIfAny(client_id),
    fingerprint: textIfAny(fingerprint),
  }
}

const ORDER = ['scopes', 'description', 'note_url', 'client_id', 'client_secret', 'fingerprint']

const inOrder = (faults: readonly FieldFault[]) =>
  faults.toSorted((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field))

const asTexts = (value: JsonValue | undefined): string[] | undefined =>
  value == null
    ? []
    : Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? value
      : undefined

const isShortText = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && value.length <= 255

const textIfAny = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

function describe(context: RequestHead, authorization: Authorization, token = ''): JsonObject {
  const { base, server } = context
  const application =
    authorization.clientId === undefined
      ? undefined
      : server.accounts.findApplication(authorization.clientId)
  const app = {
    name: application?.name ?? `${authorization.note} (API)`,
    url: application?.url ?? authorization.noteUrl ?? `${base}/`,
    client_id: authorization.clientId ?? NO_CLIENT,
  }
  return {
    id: authorization.id,
    url: `${base}/authorizations/${authorization.id}`,
    app,
    token,
    hashed_token: authorization.tokenSha256,
    token_last_eight: authorization.tokenLastEight,
    note: authorization.note,
    note_url: authorization.noteUrl ?? null,
    created_at: formatTime(authorization.createdAt),
    updated_at: formatTime(authorization.updatedAt),
    scopes: [...authorization.scopes],
    fingerprint: authorization.fingerprint ?? null,
  }
}

/** The client that is shown for a token that belongs to no application. */
const NO_CLIENT = '0'.repeat(20)
