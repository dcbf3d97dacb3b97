import { orInterrupted } from '../errors.ts'
import { VERSION } from '../version.ts'
import { ClientError } from './client-error.ts'
import type { ClientClock, Exchange } from './client-options.ts'
import { describeAddress, parseRedirect, type ServerAddress } from './server-address.ts'

/** A request as it goes out. */
export interface Outgoing {
  method: 'GET' | 'POST' | 'DELETE'
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: string | undefined
  /** Redirects that may be followed. Default 5; with 0 a redirect is an answer. */
  redirects?: number
}

/** The parts that all requests of a session share. */
export interface Wire {
  readonly server: ServerAddress
  readonly clock: ClientClock
  readonly stallAfter: number
  readonly signal: AbortSignal | undefined
  readonly trace: ((exchange: Exchange) => void) | undefined
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
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Sends a request and follows redirects. Credentials go to the origin of the server alone.
 *
 * @throws `server-unreachable`, `server-insecure`, `server-failed` for redirects that do not end, or `interrupted`
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

async function exchange(wire: Wire, { method, url, headers, body }: Outgoing): Promise<Incoming> {
  const { server, clock, stallAfter, signal, trace } = wire
  const isOwn = url.origin === server.origin
  const credentials = isOwn ? await wire.credentials() : {}
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const alarm = setTimeout(stop, stallAfter).unref()
  signal?.addEventListener('abort', stop)
  const release = () => {
    clearTimeout(alarm)
    signal?.removeEventListener('abort', stop)
  }
  const fault = (error: unknown) => {
    release()
    if (signal?.aborted) return orInterrupted(error, signal)
    const reason = stopping.signal.aborted
      ? `nothing came for ${Math.round(stallAfter / 1000)} s`
      : reasonOf(error)
    return new ClientError('server-unreachable', `${url.origin}: ${reason}`)
  }
  const start = clock.now()
  const note = (status: number | undefined) => {
    const milliseconds = clock.now() - start
    trace?.({ method, address: describeAddress(url), status, milliseconds })
  }
  if (signal?.aborted) throw fault(signal.reason)
  let response: Response
  try {
    response = await fetch(url, {
      ...{ method, redirect: 'manual', signal: stopping.signal },
      headers: {
        'User-Agent': `migration-archive/${VERSION}`,
        // Bytes are counted and resumed as they are stored.
        'Accept-Encoding': 'identity',
        ...headers,
        ...credentials,
      },
      ...(body !== undefined && { body }),
    })
  } catch (error) {
    note(undefined)
    throw fault(error)
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
    ...{ status: response.status, headers: response.headers, url, body: read() },
    discard() {
      release()
      stop()
    },
  }
}

/** Why there was no answer. The message of an inner error names hosts and ports, never headers. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const { code, message } = cause ?? {}
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND') return 'there is no host with this name'
  return message || 'the connection broke'
}
