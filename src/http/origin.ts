import { HttpError } from './http-error.ts'
import type { HeaderReader } from './request.ts'

const EXPOSED = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-OAuth-Scopes',
  'X-Poll-Interval',
  ...['Limit', 'Remaining', 'Used', 'Reset', 'Resource'].map((name) => `X-RateLimit-${name}`),
  ...['OTP', 'SSO', 'Media-Type'].flatMap((name) => [`X-GitHub-${name}`, `X-Service-${name}`]),
].join(', ')

const REQUEST_HEADERS =
  'Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, X-GitHub-OTP, X-Service-OTP, X-GitHub-Api-Version, X-Service-Api-Version'

/** The headers for pages of an origin that may read answers; none for all others. */
export function corsHeaders(
  headers: HeaderReader,
  allowed: readonly string[],
): Record<string, string> {
  const origin = headers.get('origin')
  if (origin === null || !allowed.includes(origin)) return {}
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
}

/** The headers that answer a preflight request; undefined for any other request, or one from an origin that is not allowed. */
export function preflightHeaders(
  method: string,
  headers: HeaderReader,
  allowed: readonly string[],
  methods: readonly string[],
): Record<string, string> | undefined {
  const isPreflight = method === 'OPTIONS' && headers.get('access-control-request-method') !== null
  const cors = corsHeaders(headers, allowed)
  if (!isPreflight || cors['Access-Control-Allow-Origin'] === undefined) return undefined
  return {
    ...cors,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': '86400',
  }
}

/**
 * Refuses requests that a page of another site makes a browser send.
 *
 * @param address the address of the server
 * @throws `HttpError` 403 for a request that may write, from another origin than the server's own or an allowed one
 */
export function checkOrigin(
  method: string,
  headers: HeaderReader,
  address: string,
  allowed: readonly string[],
): void {
  if (method === 'GET' || method === 'HEAD') return
  const origin = headers.get('origin')
  const isForeign =
    origin === null
      ? headers.get('sec-fetch-site') === 'cross-site'
      : origin !== new URL(address).origin && !allowed.includes(origin)
  if (isForeign) throw new HttpError(403, 'Requests from other sites are refused')
}
