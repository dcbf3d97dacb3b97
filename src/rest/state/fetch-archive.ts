import { type LookupAddress, type LookupOptions, lookup as lookupName } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { ArchiveError, orInterrupted } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { writeFile } from '../../files/write-file.ts'
import { isLoopback } from '../../interface/addresses.ts'

// As in `http/listen.ts`: to import them would take longer.
const require = createRequire(import.meta.url)
const http = require('node:http') as typeof import('node:http')
const https = require('node:https') as typeof import('node:https')

/** What may be fetched, and how long a host may say nothing. */
export interface FetchOptions {
  /** The hosts, with their ports unless these are those of the protocol. */
  readonly hosts: readonly string[]
  /** Bytes that an archive may have. */
  readonly limit: number
  readonly signal: AbortSignal
  /** Milliseconds without a byte after which a connection counts as broken. Default one minute. */
  readonly idle?: number | undefined
  /** Finds the addresses of a host. Default: as the system does. */
  readonly lookup?: Lookup | undefined
}

type Lookup = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const MOST_REDIRECTS = 5
const IDLE = 60_000
const REDIRECTS = [301, 302, 303, 307, 308]

/** Addresses that are not of the internet. A host there is only asked by its address or as `localhost`. */
const INNER = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INNER.addSubnet(net, prefix)
}
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  INNER.addSubnet(net, prefix, 'ipv6')
}

const isInner = (address: string): boolean =>
  INNER.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/**
 * Why an archive may not be fetched from an address; undefined if it may be. Of the address only the host is named: its query may
 * be a signature.
 */
export function refusalOfAddress(address: string, hosts: readonly string[]): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    return 'it is no https address'
  }
  if (!hosts.includes(url.host)) return `${url.host} is not a host that archives are fetched from`
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'it is not encrypted'
  return undefined
}

/**
 * Fetches an archive from one of the named hosts, and follows redirects within that host.
 *
 * @param path the file to write
 * @throws `request-refused` for another host and for an answer other than 200, `limit-extracted` for too many bytes,
 *   `server-unreachable`, `interrupted`, and the codes of writing a file
 */
export async function fetchArchive(
  address: string,
  path: string,
  options: FetchOptions,
): Promise<void> {
  const answer = await open(address, options)
  const { limit } = options
  const { host } = new URL(address)
  const tooLarge = () =>
    new ArchiveError('limit-extracted', `the archive at ${host} has more than ${limit} bytes`)
  async function* bounded() {
    let size = 0
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > limit) throw tooLarge()
        yield chunk
      }
    } catch (error) {
      throw error instanceof ArchiveError ? error : unreachable(host, error, options.signal)
    }
  }
  try {
    if (Number(answer.headers['content-length'] ?? 0) > limit) throw tooLarge()
    await writeFile(path, bounded(), { mode: 0o600, sync: false })
  } finally {
    answer.destroy()
  }
}

/** The answer with the archive. */
async function open(address: string, options: FetchOptions): Promise<IncomingMessage> {
  const first = new URL(address)
  let url = first
  for (let left = MOST_REDIRECTS; ; left--) {
    const refusal = refusalOfAddress(url.href, options.hosts)
    if (refusal !== undefined) throw refused(first.host, refusal)
    const answer = await send(url, options)
    const { statusCode = 0, headers } = answer
    if (statusCode === 200) return answer
    answer.destroy()
    const { location } = headers
    if (!REDIRECTS.includes(statusCode)) throw refused(url.host, `the status is ${statusCode}`)
    if (left === 0 || location === undefined || !URL.canParse(location, url)) {
      throw refused(url.host, 'its redirects lead nowhere')
    }
    url = new URL(location, url)
    if (url.origin !== first.origin) {
      throw refused(first.host, `it redirects to another host, ${url.host}`)
    }
  }
}

/** Sends a request, without credentials, and by no proxy, which would look names up itself. */
function send(url: URL, options: FetchOptions): Promise<IncomingMessage> {
  const { signal, idle = IDLE, lookup = lookupName } = options
  const { request } = url.protocol === 'https:' ? https : http
  const headers = { 'User-Agent': `migration-archive/${VERSION}`, 'Accept-Encoding': 'identity' }
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      headers,
      signal,
      timeout: idle,
      agent: false,
      lookup: outerLookup(url.hostname, lookup),
    })
    sent
      .on('timeout', () => sent.destroy(new Error(`nothing came for ${idle} ms`)))
      .on('error', (error) => {
        reject(error instanceof ArchiveError ? error : unreachable(url.host, error, signal))
      })
      .on('response', resolve)
      .end()
  })
}

/** Looks up a host, and refuses one whose name leads into the network of this machine. */
function outerLookup(host: string, lookup: Lookup): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const inner = isLoopback(host) ? undefined : addresses.find((one) => isInner(one.address))
      if (inner) return done(refused(host, `its address is ${inner.address}`), [])
      const [first] = addresses
      if (options.all) done(null, addresses)
      else if (first) done(null, first.address, first.family)
    })
  }
}

const refused = (host: string, why: string) =>
  new ArchiveError('request-refused', `no archive is fetched from ${host}: ${why}`)

function unreachable(host: string, error: unknown, signal: AbortSignal): unknown {
  const message = `${host} cannot be reached: ${(error as Error).message}`
  return orInterrupted(new ArchiveError('server-unreachable', message, {}, error), signal)
}
