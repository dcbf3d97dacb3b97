import { isObject, type JsonObject, textOrEmpty } from '../../records/json/json.ts'
import { ClientError } from '../client-error.ts'
import type { Call, Session } from '../open-session.ts'
import { type Answer, waitOf } from '../read-refusal.ts'
import { graphOf } from '../server-address.ts'

/** Names the parts of the interface that importers offer; hosts hide them otherwise. */
const FEATURES = { 'GraphQL-Features': 'import_api,mannequin_claiming_emu,org_import_api' }
const LONGEST_MESSAGE = 300

/** An operation of GraphQL, and its variables. */
export interface Operation {
  document: string
  variables: JsonObject
}

/**
 * Asks for the data of a query, with patience.
 *
 * @param isNew whether something that is not found may have been made just now
 * @throws the codes of a session; `request-refused` with the status 404 for what is not found
 */
export const query = (session: Session, operation: Operation, isNew = () => false) =>
  ask(session, operation, { isQuery: true, isNew })

/** Asks for a mutation. Throws as `query` does, and at the first fault: the caller looks whether it has happened. */
export const mutate = (session: Session, operation: Operation, call: Call = { once: true }) =>
  ask(session, operation, call)

/** The data of an answer with its headers. */
export interface GraphAnswer {
  data: JsonObject
  headers: Headers
}

async function ask(
  session: Session,
  { document, variables }: Operation,
  call: Call,
): Promise<GraphAnswer> {
  const answer = await session
    .request('POST', graphOf(session.server), {
      ...call,
      headers: FEATURES,
      body: { query: document, variables },
      judge,
    })
    .catch((error: unknown) => {
      throw isUnserved(error) ? unserved() : error
    })
  const { body, headers } = answer
  return { data: (body as { data: JsonObject }).data, headers }
}

/** Whether nothing is at the address of GraphQL, in contrast to something that GraphQL does not find. */
const isUnserved = (error: unknown): boolean =>
  error instanceof ClientError && / (status )?404\b/.test(error.message) && error.status === 404

const unserved = () => {
  const message = 'the server takes no imports: it does not answer GraphQL'
  return new ClientError('request-refused', message, { status: 404 })
}

/** The refusals of GraphQL have the status 200. */
function judge({ status, headers, body }: Answer): void {
  const errors = isObject(body) && Array.isArray(body.errors) ? body.errors.filter(isObject) : []
  const [first] = errors
  if (first === undefined) {
    if (isObject(body) && isObject(body.data)) return
    throw new ClientError('server-failed', 'the server answered something other than GraphQL')
  }
  const said = errors.map(({ message }) => textOrEmpty(message)).join('; ')
  const message = said.length > LONGEST_MESSAGE ? `${said.slice(0, LONGEST_MESSAGE)}…` : said
  const wait = waitOf(headers)
  if (errors.some(({ type }) => /^RATE_LIMIT/.test(textOrEmpty(type)))) {
    throw new ClientError('rate-limited', `too many requests: ${message}`, { status: 429, wait })
  }
  if (/^Something went wrong/.test(message)) {
    throw new ClientError('server-failed', `the server failed: ${message}`, { status: 502, wait })
  }
  const isAbsent = textOrEmpty(first.type) === 'NOT_FOUND' || /^Could not resolve to/.test(message)
  throw new ClientError('request-refused', `the server refuses this: ${message}`, {
    status: isAbsent ? 404 : status,
  })
}
