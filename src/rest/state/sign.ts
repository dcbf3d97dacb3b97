import { createHmac, timingSafeEqual } from 'node:crypto'

/** The purpose of a signature: one kind of address never passes for another. */
type Purpose = 'archive' | 'source' | 'log' | 'authorization'

const hmac = (key: Uint8Array, purpose: Purpose, parts: readonly unknown[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...parts]))
    .digest()

/** The archive of a migration, the files of a commit, or the log of an import, behind a signed address. */
export interface Signed {
  readonly purpose: 'archive' | 'source' | 'log'
  /** Distinguishes it from all others with the same purpose. */
  readonly name: string
}

/** The query of an address from which something can be downloaded until `expires`, in seconds since 1970. */
export function signAddress(key: Uint8Array, { purpose, name }: Signed, expires: number): string {
  const signature = hmac(key, purpose, [name, expires]).toString('hex')
  return `expires=${expires}&signature=${signature}`
}

/** Whether a query was signed for this address and has not expired at `now`, in milliseconds since 1970. */
export function isAddressSigned(
  key: Uint8Array,
  { purpose, name }: Signed,
  query: URLSearchParams,
  now: number,
): boolean {
  const [expires = '', ...others] = query.getAll('expires')
  const [signature = '', ...more] = query.getAll('signature')
  if (others.length + more.length > 0 || !/^\d{1,12}$/.test(expires)) return false
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  const wanted = hmac(key, purpose, [name, Number(expires)])
  // A number with leading zeros was never signed.
  const isOurs = timingSafeEqual(Buffer.from(signature, 'hex'), wanted)
  return isOurs && expires === String(Number(expires)) && Number(expires) * 1000 > now
}

/** A request to authorize a token for an organization. */
export interface AuthorizationRequest {
  tokenSha256: string
  tokenLastEight: string
  organization: string
  /** Seconds since 1970. */
  expires: number
}

/** The request as a signed text. */
export function signAuthorizationRequest(key: Uint8Array, request: AuthorizationRequest): string {
  const { tokenSha256, tokenLastEight, organization, expires } = request
  const parts = [tokenSha256, tokenLastEight, organization, expires]
  const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return `${text}.${hmac(key, 'authorization', parts).toString('base64url')}`
}

/** The inverse; undefined if the text is not signed or the request has expired at `now`, in milliseconds since 1970. */
export function verifyAuthorizationRequest(
  key: Uint8Array,
  text: string,
  now: number,
): AuthorizationRequest | undefined {
  const [, encoded = '', signature = ''] =
    /^([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  const parts = parseParts(Buffer.from(encoded, 'base64url').toString())
  if (!parts) return undefined
  const wanted = hmac(key, 'authorization', parts)
  if (!timingSafeEqual(Buffer.from(signature, 'base64url'), wanted)) return undefined
  const [tokenSha256, tokenLastEight, organization, expires] = parts
  if (expires * 1000 <= now) return undefined
  return { tokenSha256, tokenLastEight, organization, expires }
}

function parseParts(text: string): [string, string, string, number] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.length === 4
      ? (parsed as [string, string, string, number])
      : undefined
  } catch {
    return undefined
  }
}
