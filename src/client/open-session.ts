import { checkOptions, type Shapes } from '../base/check-arguments.ts'
import { ArchiveError, orInterrupted, throwIfInterrupted } from '../base/errors.ts'
import { addressOf } from '../interface/addresses.ts'
import type { HandlerName } from '../interface/endpoints.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import { ClientError, isTransient } from './client-error.ts'
import {
  CLIENT_SHAPES,
  type ClientClock,
  type ClientOptions,
  SYSTEM_CLOCK,
} from './client-options.ts'
import { listPages } from './list-pages.ts'
import { isNewHere, memoryOf, Patience, untilPost, type Waiter } from './patience.ts'
import { type Answer, otpDeliveryOf, refusalOf } from './read-refusal.ts'
import {
  type Content,
  type Incoming,
  type Outgoing,
  sendRequest,
  timeOver,
  type Wire,
} from './send-request.ts'
import { parseServer } from './server-address.ts'

/** Asks for the preview as the documentation says, and for the form that newer hosts want. */
const ACCEPT = 'application/vnd.github.wyandotte-preview+json, application/vnd.github+json'
/** The longest answer. Archives do not pass here. */
const MOST_BYTES = 64 * 2 ** 20
const OTP_ATTEMPTS = 3
/** Further attempts after an outage, of a request that may be repeated. */
const RETRIES = 2
/** An answer that comes byte by byte is given up after so many times the milliseconds of a stall. */
const LONGEST_ANSWER = 10

/** The parts of a request to an endpoint beside its parameters. */
export interface Call {
  parameters?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: JsonObject | ''
  /** Bytes in place of `body`. They take any time, as long as some are sent. */
  content?: Content
  /** Answer 304 if the resource still has this ETag. */
  etag?: string | undefined
  /** Redirects that may be followed. Default 5; with 0 a redirect is the answer. */
  redirects?: number
  /** User name and password in place of the token. */
  password?: { user: string; password: string }
  /** Further attempts after outages in a row. Default 2; 0 for a POST, which the server may have taken. */
  retries?: number
  /** Any failure is final: the caller looks at the server first. */
  once?: boolean
  /** The POST changes nothing: it may be repeated, and other POSTs need not wait for it. */
  isQuery?: boolean
  /** Whether a 404 may come from a replica that is behind. Default: whether the URL was made just now. */
  isNew?: () => boolean
  /** Throws for an answer that is a refusal in spite of its status. */
  judge?: (answer: Answer) => void
}

/** A connection to a server: requests in, answers and errors out. */
export interface Session extends Wire, Waiter {
  readonly clock: ClientClock
  left(): number | undefined
  /**
   * Asks an endpoint, with patience. Below /orgs if the session is for an organization. Throws for statuses of 400 and
   * above. A DELETE whose first answer was lost may find nothing left to delete, and is done.
   */
  call(handler: HandlerName, call?: Call): Promise<Answer>
  /** The same for an address of the server. */
  request(method: Outgoing['method'], url: URL, call?: Call): Promise<Answer>
  /** The token of the session, if it has one. */
  token(): Promise<string | undefined>
  /** Remembers that something was made just now: a replica of the server may not have it yet. */
  made(handler: HandlerName, parameters: NonNullable<Call['parameters']>): void
  /** All elements of a list, page by page. */
  list(handler: HandlerName, call?: Call): AsyncGenerator<JsonValue>
  /** Sends any request of the session; every status is an answer, and redirects are. */
  send(outgoing: Outgoing): Promise<Incoming>
  /** From now on, the work of the session has so many milliseconds; undefined for any time. */
  limit(milliseconds: number | undefined): void
  /** Waits. Throws `interrupted`, and `migration-timeout` if the time of the session is over. */
  pause(milliseconds: number): Promise<void>
}

/**
 * Opens a session. Nothing is sent yet.
 *
 * @param send sends requests, if not over the network
 * @throws `option-invalid` or `server-insecure`
 */
export function openSession<Options extends ClientOptions>(
  options: Options,
  more: Shapes<Omit<Options, keyof ClientOptions>>,
  send: typeof fetch = fetch,
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
  const memory = memoryOf(clock)
  let deadline: number | undefined
  const ownToken = async () => {
    token ??= await tokenOf(options)
    if (token !== undefined) secrets.add(token)
    return token
  }
  const wire: Wire = {
    server,
    clock,
    stallAfter,
    signal,
    trace: options.trace,
    fetch: send,
    usedAt: undefined,
    left: () => (deadline === undefined ? undefined : deadline - clock.now()),
    async credentials() {
      const token = await ownToken()
      if (token === undefined) return {}
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
      const within = typeof outgoing.body === 'object' ? undefined : stallAfter * LONGEST_ANSWER
      const incoming = await sendRequest(own, { ...outgoing, ...(within && { within }) })
      answered = true
      const { status, headers, url } = incoming
      const answer = { status, headers, url, body: await readJson(incoming) }
      const delivery = otpDeliveryOf(answer)
      if (!delivery || !options.oneTimePassword) return answer
      if (attempt > 1) notice('the server refuses the one-time password')
      if (attempt > OTP_ATTEMPTS) {
        const message = `the server refused ${OTP_ATTEMPTS} one-time passwords`
        throw new ClientError('credentials-refused', message, { status })
      }
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
          method,
          url,
          ...(call.redirects !== undefined && { redirects: call.redirects }),
          headers: {
            Accept: ACCEPT,
            ...(call.body && { 'Content-Type': 'application/json' }),
            ...(call.content && { 'Content-Type': 'application/octet-stream' }),
            ...(call.etag !== undefined && { 'If-None-Match': call.etag }),
            ...call.headers,
          },
          body: call.content ?? (call.body ? JSON.stringify(call.body) : call.body),
        },
        call.password,
      )
      if (answer.status >= 400) throw refusalOf(answer)
      call.judge?.(answer)
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
  const waiter: Waiter = {
    clock,
    left: wire.left,
    hasAnswered: () => answered,
    notice,
    async pause(milliseconds) {
      throwIfInterrupted(signal)
      const left = wire.left() ?? milliseconds
      if (left <= 0 && milliseconds > 0) throw timeOver('the time is over')
      await clock
        .sleep(Math.max(0, Math.min(milliseconds, left)), signal)
        .catch((error: unknown) => {
          throw orInterrupted(error, signal)
        })
    },
  }
  /** One attempt. Keeps POSTs apart, and forgets what is deleted. */
  async function attempt(method: Outgoing['method'], url: URL, call: Call): Promise<Answer> {
    const isApart = method === 'POST' && !call.isQuery
    const wait = isApart ? untilPost(memory, clock) : 0
    if (wait > 0) await waiter.pause(wait)
    try {
      return await ask(method, url, call)
    } finally {
      if (isApart) memory.posted = Math.max(memory.posted, clock.now())
      if (method === 'DELETE') memory.made.delete(url.href)
    }
  }
  /** One request, with patience. */
  async function request(method: Outgoing['method'], url: URL, call: Call): Promise<Answer> {
    const retries = call.retries ?? (method === 'POST' && !call.isQuery ? 0 : RETRIES)
    const isNew = call.isNew ?? (() => method === 'GET' && isNewHere(memory, url, clock))
    const patience = new Patience(waiter, { retries, isNew })
    for (let isLost = false; ; ) {
      try {
        return await attempt(method, url, call)
      } catch (error) {
        const isGone = error instanceof ClientError && error.status === 404
        if (method === 'DELETE' && isLost && isGone) return nothing(url)
        if (call.once || !(await patience.allows(error))) throw error
        isLost ||= isTransient(error) && error.code !== 'rate-limited'
      }
    }
  }

  return {
    ...wire,
    ...waiter,
    call(handler, call = {}) {
      const { method, url } = locate(handler, call)
      return request(method, url, call)
    },
    request: (method, url, call = {}) => request(method, url, call),
    token: ownToken,
    made(handler, parameters) {
      memory.made.set(locate(handler, { parameters }).url.href, clock.now())
    },
    limit(milliseconds) {
      deadline = milliseconds === undefined ? undefined : clock.now() + milliseconds
    },
    list(handler, given = {}) {
      const page = (url: URL) => request('GET', url, given)
      return listPages(locate(handler, given).url, page, notice)
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

/** An answer that says no more than that it is done. */
const nothing = (url: URL): Answer => ({
  status: 204,
  headers: new Headers(),
  body: undefined,
  url,
})

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
