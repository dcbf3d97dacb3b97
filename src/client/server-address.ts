import { closestMatch } from '../base/closest-match.ts'
import { ArchiveError } from '../base/errors.ts'
import { isLoopback } from '../interface/addresses.ts'
import { ClientError } from './client-error.ts'

const GITHUB = 'https://api.github.com'
/** An enterprise at ghe.com, whose interface and uploads have hosts of their own. */
const TENANT = /^https:\/\/(?:api\.)?([a-z\d-]+)\.ghe\.com\/?$/i

/** The base address of a server, and what may be sent where. */
export interface ServerAddress {
  /** Without a slash at the end. */
  readonly base: string
  readonly origin: string
  readonly isInsecureAllowed: boolean
  /** Whether only this machine can reach it. */
  readonly isLocal: boolean
}

/**
 * Reads the address of a server: `github`, or a base address.
 *
 * @throws `option-invalid` for anything else; `server-insecure` for plain HTTP to another machine
 */
export function parseServer(
  input: string,
  { insecure = false }: { insecure?: boolean | undefined } = {},
): ServerAddress {
  const text = nameless(input)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const extra = url && url.username + url.password + url.search + url.hash
  if (!url || extra !== '' || !/^https?:$/.test(url.protocol)) {
    // The address is not quoted: it may contain a password.
    const message = 'expected github, or an http or https address without user, query or fragment'
    throw new ArchiveError('option-invalid', `server: ${message}`).about('server', meantBy(input))
  }
  const isLocal = isLoopback(url.hostname)
  if (url.protocol === 'http:' && !isLocal && !insecure) {
    const message = `others can read what is sent to ${url.origin}: it is not encrypted`
    throw new ClientError('server-insecure', message)
  }
  const base = url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
  return { base, origin: url.origin, isInsecureAllowed: insecure, isLocal }
}

/** The address of the interface for what people call a server. */
function nameless(input: string): string {
  if (input === 'github' || /^https:\/\/github\.com\/?$/.test(input)) return GITHUB
  const [, tenant] = TENANT.exec(input) ?? []
  return tenant === undefined ? input : `https://api.${tenant.toLowerCase()}.ghe.com`
}

/** The address that was probably meant by one without a scheme: `localhost:8730`. Nothing with a user, or a query, is one. */
function meantBy(input: string): string | undefined {
  // One wrong letter: gitlab.com is another host.
  if (closestMatch(input.toLowerCase(), ['github', 'github.com'], 3)) return 'github'
  const [, host = ''] = /^([\w-]+(?:\.[\w-]+)*)(?::\d+)?(?:\/[\w./-]*)?$/.exec(input) ?? []
  if (host !== 'localhost' && !host.includes('.')) return undefined
  return `${isLoopback(host) ? 'http' : 'https'}://${input}`
}

/** Where a server takes uploads: public hosts elsewhere, other servers at the same address. */
export function uploadsOf({ base }: ServerAddress): string {
  if (base === GITHUB) return 'https://uploads.github.com'
  const [, tenant] = TENANT.exec(base) ?? []
  return tenant === undefined ? base : `https://uploads.${tenant}.ghe.com`
}

/** Where a server answers Git. */
export function gitOf({ base, origin }: ServerAddress): URL {
  if (base === GITHUB) return new URL('https://github.com')
  const [, tenant] = TENANT.exec(base) ?? []
  return new URL(tenant === undefined ? origin : `https://${tenant}.ghe.com`)
}

/** Where a server answers GraphQL: beside the third version of REST, or below its base. */
export const graphOf = ({ base }: ServerAddress): URL =>
  new URL(/\/api\/v3$/.test(base) ? base.replace(/v3$/, 'graphql') : `${base}/graphql`)

/** Whether a server is the public host. */
export const isGitHub = ({ base }: ServerAddress): boolean => base === GITHUB

/**
 * Where a redirect leads. Only to HTTPS, to this machine if the server is on it, or with `insecure` to the server itself.
 *
 * @throws `server-insecure` for plain HTTP, `server-failed` for an address of another form
 */
export function parseRedirect(location: string | null, from: URL, server: ServerAddress): URL {
  if (location === null || !URL.canParse(location, from.href)) {
    throw new ClientError('server-failed', 'the server sent a redirect without an address')
  }
  const url = new URL(location, from)
  if (!/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new ClientError('server-failed', 'the server sent a redirect to an unusable address')
  }
  const isAllowed =
    url.protocol === 'https:' ||
    (server.isLocal && isLoopback(url.hostname)) ||
    (server.isInsecureAllowed && url.origin === server.origin)
  if (isAllowed) return url
  const message = `the server sent a redirect to ${url.origin}, which is not encrypted`
  throw new ClientError('server-insecure', message)
}

/** An address to show: of its query only the page, because a signature is a secret. */
export function describeAddress({ origin, pathname, search, searchParams }: URL): string {
  const isPlain = [...searchParams.keys()].every((name) => /^(per_)?page$|^affiliation$/.test(name))
  return origin + pathname + (isPlain ? search : '?…')
}
