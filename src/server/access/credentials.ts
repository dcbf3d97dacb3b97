/** The credentials in the `Authorization` header of a request. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }

const NONE: Credentials = { kind: 'none' }
const UNREADABLE: Credentials = { kind: 'unreadable' }

/**
 * Reads an `Authorization` header: `token T`, `Bearer T` or Basic. Empty user name and password, which importers without
 * a token send, are no credentials.
 */
export function parseCredentials(header: string | null | undefined): Credentials {
  const given = header?.trim()
  if (!given) return NONE
  const [, scheme = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(given) ?? []
  switch (scheme.toLowerCase()) {
    case 'token':
    case 'bearer':
      return isToken(rest) ? { kind: 'token', token: rest } : UNREADABLE
    case 'basic':
      return parseBasic(rest)
    default:
      return UNREADABLE
  }
}

/** Printable ASCII without spaces. */
const isToken = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

function parseBasic(encoded: string): Credentials {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return UNREADABLE
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return UNREADABLE
  const user = text.slice(0, colon)
  const password = text.slice(colon + 1)
  return user === '' && password === '' ? NONE : { kind: 'basic', user, password }
}
