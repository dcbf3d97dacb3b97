import { orInterrupted } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import { ClientError } from './client-error.ts'
import type { ClientClock, Exchange } from './client-options.ts'
import { describeAddress, parseRedirect, type ServerAddress } from './server-address.ts'

/** A body that is read when it is sent, and again when it is sent again. */
export interface Content {
  readonly bytes: number
  read(): AsyncIterable<Uint8Array>
}

/** A request as it goes out. */
export interface Outgoing {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: string | Content | undefined
  /** Send no credentials, not even to the server itself: the address is signed. */
  isSigned?: boolean
  /** Redirects that may be followed. Default 5; with 0 a redirect is an answer. */
  redirects?: number
  /** Milliseconds in which the whole answer must have come. Default: any time, as long as something comes. */
  within?: number
}

/** The parts that all requests of a session share. */
export interface Wire {
  readonly server: ServerAddress
  readonly clock: ClientClock
  readonly stallAfter: number
  readonly signal: AbortSignal | undefined
  /** Milliseconds that are left for the work of the session; undefined without a limit. */
  left(): number | undefined
  /** Sends a request. Default: over the network. */
  readonly fetch: typeof fetch
  readonly trace: ((exchange: Exchange) => void) | undefined
  /** When the last answer or failure came, by the clock; undefined before the first. */
  usedAt: number | undefined
  /** The credentials for the server itself. */
  credentials(): Promise<Readonly<Record<string, string>>>
}

/** An answer whose body has not been read. */
export interface Incoming {
  readonly status: number
  readonly headers: Headers
  readonly url: URL
  /** The body; ends with `server-unreachable` if the connection breaks, or if nothing comes for a while. */
  readonly body: AsyncIterable<Uint8Array>
  /** Discards the rest of the body. */
  discard(): void
}

const MOST_REDIRECTS = 5
/** Milliseconds after which a server may have closed a connection that nobody used. */
const IDLE = 4000
/** Milliseconds that a request has in any case: one that begins at the end of the time may still be answered. */
const LEAST_TIME = 1000
/** The longest timer of Node.js. */
const LONGEST_TIMER = 2 ** 31 - 1
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Sends a request and follows redirects. Credentials go to the origin of the server alone.
 *
 * @throws `server-unreachable`, `server-insecure`, `server-failed` for redirects that do not end, `migration-timeout` if the
 *   time of the session is over, or `interrupted`
 */
export async function sendRequest(wire: Wire, outgoing: Outgoing): Promise<Incoming> {
  const { redirects = MOST_REDIRECTS } = outgoing
  let { method, url, body } = outgoing
  for (let left = redirects; ; left--) {
    const answer = await exchange(wire, { ...outgoing, method, url, body })
    if (redirects === 0 || !REDIRECTS.includes(answer.status)) return answer
    answer.discard()
    if (left === 0) throw new ClientError('server-failed', `more than ${redirects} redirects`)
    const next = parseRedirect(answer.headers.get('location'), url, wire.server)
    if (answer.status === 303) [method, body] = ['GET', undefined]
    if (method !== 'GET' && next.origin !== wire.server.origin) {
      const message = `the server sent a redirect of a ${method} request to ${next.origin}`
      throw new ClientError('server-failed', message)
    }
    url = next
  }
}

async function exchange(
  wire: Wire,
  { method, url, headers, body, isSigned, within = LONGEST_TIMER }: Outgoing,
): Promise<Incoming> {
  const { server, clock, stallAfter, signal, trace } = wire
  const isOwn = url.origin === server.origin && !isSigned
  const credentials = isOwn ? await wire.credentials() : {}
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  let ended: 'stalled' | 'slow' | 'late' | undefined
  const endAfter = (milliseconds: number, reason: typeof ended) =>
    setTimeout(
      () => {
        ended = reason
        stop()
      },
      Math.min(milliseconds, LONGEST_TIMER),
    ).unref()
  const alarm = endAfter(stallAfter, 'stalled')
  const timers = [
    alarm,
    endAfter(within, 'slow'),
    endAfter(Math.max(wire.left() ?? LONGEST_TIMER, LEAST_TIME), 'late'),
  ]
  signal?.addEventListener('abort', stop)
  const release = () => {
    for (const timer of timers) clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
  const fault = (error: unknown) => {
    release()
    if (signal?.aborted) return orInterrupted(error, signal)
    if (ended === 'late') return timeOver(`${url.origin}: the answer was not complete in time`)
    const inSeconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`
    const reason =
      ended === 'stalled'
        ? `nothing came for ${inSeconds(stallAfter)}`
        : ended === 'slow'
          ? `the answer was not complete after ${inSeconds(within)}`
          : reasonOf(error)
    return new ClientError('server-unreachable', `${url.origin}: ${reason}`)
  }
  const start = clock.now()
  const note = (status: number | undefined) => {
    const milliseconds = clock.now() - start
    trace?.({ method, address: describeAddress(url), status, milliseconds })
  }
  if (signal?.aborted) throw fault(signal.reason)
  async function* sent({ read }: Content) {
    for await (const piece of read()) {
      alarm.refresh()
      yield piece
    }
    alarm.refresh()
  }
  const ask = () =>
    wire.fetch(url, {
      method,
      redirect: 'manual',
      signal: stopping.signal,
      headers: {
        'User-Agent': `migration-archive/${VERSION}`,
        // Bytes are counted and resumed as they are stored.
        'Accept-Encoding': 'identity',
        ...(typeof body === 'object' && { 'Content-Length': String(body.bytes) }),
        ...headers,
        ...credentials,
      },
      ...(typeof body === 'string' && { body }),
      ...(typeof body === 'object' && { body: asBody(sent(body)), duplex: 'half' }),
    })
  const isIdle = wire.usedAt !== undefined && start - wire.usedAt >= IDLE
  const mayRepeat = (error: unknown) => isIdle && method === 'GET' && isBroken(error)
  let response: Response
  try {
    response = await ask().catch((error: unknown) => {
      if (!mayRepeat(error)) throw error
      // The server had closed the connection, which says nothing about a new one.
      return ask()
    })
  } catch (error) {
    note(undefined)
    throw fault(error)
  } finally {
    wire.usedAt = clock.now()
  }
  note(response.status)
  async function* read() {
    try {
      for await (const piece of response.body ?? []) {
        alarm.refresh()
        yield piece
        alarm.refresh()
      }
    } catch (error) {
      throw fault(error)
    } finally {
      release()
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    url,
    body: read(),
    discard() {
      release()
      stop()
    },
  }
}

/** The error when the time of a session is over. */
export const timeOver = (message: string): ClientError =>
  new ClientError('migration-timeout', message)

/** fetch takes any async iterable; its types do not say so. */
const asBody = (bytes: AsyncIterable<Uint8Array>) => bytes as unknown as ReadableStream

/** Whether a connection ended in place of an answer. */
const isBroken = (error: unknown): boolean => {
  const { cause } = error as { cause?: { code?: string } }
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(cause?.code ?? '')
}

/** Why there was no answer. The message of an inner error names hosts and ports, never headers. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const { code, message } = cause ?? {}
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND') return 'there is no host with this name'
  return message || 'the connection broke'
}
