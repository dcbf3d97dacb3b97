import type { Caller } from '../http/access/caller.ts'
import type { Quota } from '../http/rate-limit.ts'
import type { Endpoint } from '../interface/endpoint.ts'
import { formatMediaType, type MediaType } from '../interface/media-types.ts'

/** The facts that the headers of an answer depend on, in addition to the answer itself. */
export interface HeaderFacts {
  readonly endpoint: Endpoint | undefined
  readonly method: string
  readonly caller: Caller | undefined
  readonly media: MediaType
  readonly quota: Quota
  readonly now: Date
  readonly requestId: string
  /** Whether answers depend on the origin of the page that asks. */
  readonly hasOrigins: boolean
}

const VARY = 'Accept, Authorization, Cookie, X-GitHub-OTP, X-Service-OTP'

/** The headers that every answer has, in one object: changing headers afterwards costs more than writing them. */
export function standardHeaders(facts: HeaderFacts): Record<string, string> {
  const { endpoint, method, caller, media, quota, now, requestId } = facts
  const isRead = method === 'GET' || method === 'HEAD'
  return {
    Date: now.toUTCString(),
    'X-GitHub-Request-Id': requestId,
    'X-Service-Request-Id': requestId,
    'X-GitHub-Media-Type': formatMediaType('github', media, endpoint?.previews),
    'X-Service-Media-Type': formatMediaType('service', media, endpoint?.previews),
    'X-RateLimit-Limit': String(quota.limit),
    'X-RateLimit-Remaining': String(quota.remaining),
    'X-RateLimit-Used': String(quota.used),
    'X-RateLimit-Reset': String(quota.reset),
    'X-RateLimit-Resource': 'core',
    ...(caller?.kind === 'token' && {
      'X-OAuth-Scopes': caller.scopes.join(', '),
      'X-Accepted-OAuth-Scopes': endpoint?.hasPrivate ? 'repo' : '',
    }),
    ...(isRead && endpoint && { 'Cache-Control': cacheControl(endpoint, caller) }),
    Vary: facts.hasOrigins ? `${VARY}, Origin` : VARY,
    ...SECURITY,
  }
}

const SECURITY = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'deny',
  'Content-Security-Policy': "default-src 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function cacheControl({ path }: Endpoint, caller: Caller | undefined): string {
  if (path.includes('/migrations')) return 'no-cache'
  return `${caller ? 'private' : 'public'}, max-age=60, s-maxage=60`
}
