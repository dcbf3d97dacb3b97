import { HttpError } from '../../http/http-error.ts'
import type { Answer, RequestContext } from '../request-context.ts'
import { isAddressSigned, type Signed, signAddress } from '../state/sign.ts'

const SECOND = 1000
/** Seconds for which a signed address is valid. */
const LINK_LIFE = 300

/** An address of this server that needs no credentials for a while. */
export function signedAddress(
  { origin, now, server }: RequestContext,
  path: string,
  signed: Signed,
): string {
  const life = server.options.linkLife ?? LINK_LIFE
  const expires = Math.floor(now.getTime() / SECOND) + life
  return `${origin}${path}?${signAddress(server.state.signingKey, signed, expires)}`
}

/** Redirects to such an address. */
export function redirectToSigned(context: RequestContext, path: string, signed: Signed): Answer {
  const address = signedAddress(context, path, signed)
  const headers = { Location: address, 'Content-Type': 'text/html;charset=utf-8' }
  // Clients that do not follow the redirect read the address in the body.
  return { status: 302, text: address, headers }
}

/** Throws `HttpError` 403 for an address that this server has not signed, or whose signature has expired. */
export function requireSignature({ query, now, server }: RequestContext, signed: Signed): void {
  if (isAddressSigned(server.state.signingKey, signed, query, now.getTime())) return
  throw new HttpError(403, 'The signature of this address is wrong, or has expired')
}
