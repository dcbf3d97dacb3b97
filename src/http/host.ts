import { isIPv6 } from 'node:net'
import { is } from '../base/check-arguments.ts'
import { HttpError } from './http-error.ts'

/** Which names the `Host` header may have. */
export interface HostRules {
  /** In lowercase, without port; IPv6 addresses in brackets. */
  readonly names: ReadonlySet<string>
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** A name or address, and perhaps a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i

/** A name of a server as an option: any other text would match no request. */
export const aHostName = is(
  'a name or address without scheme and port, such as archives.example',
  (value) => {
    if (typeof value !== 'string') return false
    const [, name, port] = HOST.exec(isIPv6(value) ? `[${value}]` : value) ?? []
    return name !== undefined && port === undefined
  },
)

/** Rules for a server: loopback, the address it listens on, further names, and the host of its base address. */
export function createHostRules({
  bind,
  hostNames = [],
  baseUrl,
}: {
  bind?: string | undefined
  hostNames?: readonly string[] | undefined
  baseUrl?: string | undefined
}): HostRules {
  const given = [...(bind === undefined ? [] : [bind]), ...hostNames]
  const names = given.map((name) =>
    name.includes(':') && !name.startsWith('[') ? `[${name}]` : name,
  )
  if (baseUrl !== undefined) names.push(new URL(baseUrl).hostname)
  return { names: new Set([...LOOPBACK, ...names].map((name) => name.toLowerCase())) }
}

/**
 * Checks the `Host` of a request. This stops DNS rebinding: a page of another site cannot make a browser send our host.
 *
 * @param hosts the values of all `Host` headers
 * @param target the request target; an absolute one must name an allowed host as well
 * @returns the host of the header, with its port
 * @throws `HttpError` 400 for none, several or malformed ones, 421 for a name that is not served
 */
export function checkHost(hosts: readonly string[], target: string, rules: HostRules): string {
  const [host] = hosts
  if (host === undefined || hosts.length > 1) {
    throw new HttpError(400, 'Exactly one Host header is required')
  }
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? []
  for (const each of authority === undefined ? [host] : [host, authority]) {
    const [, name, port = '0'] = HOST.exec(each) ?? []
    if (name === undefined || Number(port) > 65_535) throw new HttpError(400, 'Malformed Host')
    const lower = name.toLowerCase()
    if (!rules.names.has(lower) && !lower.endsWith('.localhost')) {
      throw new HttpError(421, 'This host is not served here')
    }
  }
  return host
}
