import { checkOptions, type Shapes } from '../check-arguments.ts'
import { ArchiveError, orInterrupted, throwIfInterrupted } from '../errors.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import { addressOf } from '../rest/addresses.ts'
import type { HandlerName } from '../rest/endpoints.ts'
import { parseLink } from '../rest/link-header.ts'
import { ClientError, isTransient } from './client-error.ts'
import { CLIENT_SHAPES, type ClientOptions, SYSTEM_CLOCK } from './client-options.ts'
import { type Answer, leftOutOrganizations, otpDeliveryOf, refusalOf } from './read-refusal.ts'
import { type Incoming, type Outgoing, sendRequest, type Wire } from './send-request.ts'
import { parseServer } from './server-address.ts'

/** Asks for the preview as the documentation says, and for the form that newer hosts want. */
const ACCEPT = 'application/vnd.github.wyandotte-preview+json, application/vnd.github+json'
/** The longest answer. Archives do not pass here. */
const MOST_BYTES = 64 * 2 ** 20
const MOST_PAGES = 10_000
const OTP_ATTEMPTS = 3
const ATTEMPTS = 3

/** The parts of a request to an endpoint beside its parameters. */
export interface Call {
  parameters?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string>>
  body?: JsonObject
  /** Answer 304 if the resource still has this ETag. */
  etag?: string | undefined
  /** Redirects that may be followed. Default 5; with 0 a redirect is the answer. */
  redirects?: number
  /** User name and password in place of the token. */
  password?: { user: string; password: string }
}

/** A connection to a server: requests in, answers and errors out. */
export interface Session extends Wire {
  /** Asks an endpoint. Below /orgs if the session is for an organization. Throws for statuses of 400 and above. */
  call(handler: HandlerName, call?: Call): Promise<Answer>
  /** The same for a GET, with another attempt after a fault that may be temporary. */
  get(handler: HandlerName, call?: Call): Promise<Answer>
  /** All elements of a list, page by page. */
  list(handler: HandlerName, call?: Call): AsyncGenerator<JsonValue>
  /** Sends any request of the session; every status is an answer, and redirects are. */
  send(outgoing: Outgoing): Promise<Incoming>
  /** Whether the server has answered anything. */
  hasAnswered(): boolean
  /** Waits. Throws `interrupted`. */
  pause(milliseconds: number): Promise<void>
  notice(text: string): void
}

/**
 * Opens a session. Nothing is sent yet.
 *
 * @throws `option-invalid` or `server-insecure`
 */
export function openSession<Options extends ClientOptions>(
  options: Options,
  more: Shapes<Omit<Options, keyof ClientOptions>>,
): Session {
  checkOptions<ClientOptions>(options, { ...CLIENT_SHAPES, ...more })
  if (options.server === undefined) {
    throw new ArchiveError('option-invalid', 'server: expected an address, found undefined')
  }
  const { insecure, organization, signal, clock = SYSTEM_CLOCK, stallAfter = 60_000 } = options
  const server = parseServer(options.server, { insecure })
  const secrets = new Set<string>()
  let token: string | undefined
  let otp: string | undefined
  let answered = false
  const wire: Wire = {
    ...{ server, clock, stallAfter, signal, trace: options.trace },
    async credentials() {
      token ??= await tokenOf(options)
      if (token === undefined) return {}
      secrets.add(token)
      return { Authorization: `token ${token}`, ...otpHeaders(otp) }
    },
  }
  /** Removes secrets from a text, because a server may repeat what it received. */
  const clean = (text: string) =>
    [...secrets].reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text)
  const cleaned = (error: unknown) =>
    error instanceof ClientError && clean(error.message) !== error.message
      ? new ClientError(error.code, clean(error.message), error)
      : error
  const notice = (text: string) => options.notice?.(clean(text))

  async function answerTo(outgoing: Outgoing, password: Call['password']): Promise<Answer> {
    const own: Wire = password ? { ...wire, credentials: async () => basic(password) } : wire
    const basic = ({ user, password }: NonNullable<Call['password']>) => {
      const encoded = Buffer.from(`${user}:${password}`).toString('base64')
      secrets.add(password).add(encoded)
      return { Authorization: `Basic ${encoded}`, ...otpHeaders(otp) }
    }
    for (let attempt = 1; ; attempt++) {
      const incoming = await sendRequest(own, outgoing)
      answered = true
      const { status, headers, url } = incoming
      const answer = { status, headers, url, body: await readJson(incoming) }
      const delivery = otpDeliveryOf(answer)
      if (!delivery || !options.oneTimePassword || attempt > OTP_ATTEMPTS) return answer
      otp = await options.oneTimePassword(delivery)
      if (!/^[\x21-\x7e]{1,64}$/.test(otp)) {
        throw new ClientError('otp-required', 'a one-time password has only digits or letters')
      }
      if (otp.length >= SHORTEST_SECRET) secrets.add(otp)
    }
  }

  async function ask(method: Outgoing['method'], url: URL, call: Call): Promise<Answer> {
    try {
      const answer = await answerTo(
        {
          ...{ method, url },
          ...(call.redirects !== undefined && { redirects: call.redirects }),
          headers: {
            Accept: ACCEPT,
            ...(call.body && { 'Content-Type': 'application/json' }),
            ...(call.etag !== undefined && { 'If-None-Match': call.etag }),
          },
          body: call.body && JSON.stringify(call.body),
        },
        call.password,
      )
      if (answer.status >= 400) throw refusalOf(answer)
      return answer
    } catch (error) {
      throw cleaned(error)
    }
  }

  const urlOf = (path: string, query: Call['query'] = {}) => {
    const url = new URL(server.base + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }
  const locate = (handler: HandlerName, { parameters, query }: Call) => {
    const name = organization === undefined ? handler : ofOrganization(handler)
    const { method, path } = addressOf(name, { org: organization ?? '', ...parameters })
    return { method, url: urlOf(path, query) }
  }
  const call: Session['call'] = (handler, call = {}) => {
    const { method, url } = locate(handler, call)
    return ask(method, url, call)
  }
  const pause = async (milliseconds: number) => {
    throwIfInterrupted(signal)
    await clock.sleep(milliseconds, signal).catch((error: unknown) => {
      throw orInterrupted(error, signal)
    })
  }
  async function retried(work: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        const isOver = attempt === ATTEMPTS || !answered
        if (isOver || !isTransient(error) || error.code === 'rate-limited') throw error
        await pause(1000 * 2 ** (attempt - 1))
      }
    }
  }
  const get: Session['get'] = (handler, given) => retried(() => call(handler, given))

  return {
    ...wire,
    ...{ call, get, pause, notice, hasAnswered: () => answered },
    async *list(handler, given = {}) {
      const { url: first } = locate(handler, given)
      const told = new Set<string>()
      let url: URL | undefined = first
      for (let page = 1; url; page++) {
        if (page > MOST_PAGES) throw new ClientError('server-failed', 'the list has no end')
        const at: URL = url
        const answer: Answer = await retried(() => ask('GET', at, given))
        if (!Array.isArray(answer.body)) {
          throw new ClientError('server-failed', 'the server sent something other than a list')
        }
        for (const id of leftOutOrganizations(answer)) told.add(id)
        yield* answer.body
        const { next } = parseLink(answer.headers.get('link'))
        url = next !== undefined && URL.canParse(next, at.href) ? new URL(next, at.href) : undefined
        if (url && url.origin !== server.origin) {
          throw new ClientError(
            'server-failed',
            `the next page is on another server, ${url.origin}`,
          )
        }
      }
      if (told.size === 0) return
      const ids = [...told].join(', ')
      notice(`the list is incomplete: the token is not authorized for the organizations ${ids}`)
    },
    async send(outgoing) {
      const incoming = await sendRequest(wire, outgoing)
      answered = true
      return incoming
    },
  }
}

/** Shorter texts occur anywhere. */
const SHORTEST_SECRET = 4

const otpHeaders = (otp: string | undefined): Record<string, string> =>
  otp === undefined ? {} : { 'X-GitHub-OTP': otp, 'X-Service-OTP': otp }

const ofOrganization = (handler: HandlerName): HandlerName =>
  handler
    .replace('UserMigration', 'OrgMigration')
    .replace('UserArchive', 'OrgArchive')
    .replace('UserRepository', 'OrgRepository') as HandlerName

async function tokenOf({ token }: ClientOptions): Promise<string | undefined> {
  const text = typeof token === 'function' ? await token() : token
  if (text === undefined || /^[\x21-\x7e]{1,255}$/.test(text)) return text
  throw new ArchiveError('option-invalid', 'a token has 1 to 255 printable ASCII characters')
}

/** The body of an answer as JSON; undefined if it is something else. */
async function readJson({ body }: Incoming): Promise<JsonValue | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > MOST_BYTES) throw new ClientError('server-failed', 'an answer has no end')
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonValue
  } catch {
    return undefined
  }
}
