import {
  aDate,
  aFlag,
  aFunction,
  anyOf,
  aPath,
  aSignal,
  aText,
  checkOptions,
  integerFrom,
  is,
  listOf,
  objectOf,
  oneOf,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { anAccountsFile } from '../http/access/accounts-shape.ts'
import { aHostName } from '../http/host.ts'
import { isLoopback } from '../interface/addresses.ts'
import type { ServeOptions } from './serve-options.ts'

const aNumber = is('a number from 0', (value) => typeof value === 'number' && value >= 0)
const pem = is('PEM as a string or bytes', (value) => {
  return typeof value === 'string' || value instanceof Uint8Array
})
const isToken = (value: unknown) => typeof value === 'string' && /^[!-~]{8,255}$/.test(value)
const anAddress = is(
  'an http or https address without path, query or user',
  (value) => typeof value === 'string' && isPlainAddress(value),
)
const anOrigin = is('an origin such as https://example.org', (value) => {
  return typeof value === 'string' && isPlainAddress(value) && new URL(value).origin === value
})

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

/**
 * Checks the options of `serveArchive`.
 *
 * @throws `option-invalid`, and `address-refused` for plain HTTP on an address that others can reach
 */
export function checkServeOptions(options: ServeOptions): void {
  checkOptions(options, {
    port: integerFrom(0, 65_535),
    bind: aPath,
    tls: objectOf({ cert: pem, key: pem }, ['cert', 'key']),
    insecure: aFlag,
    hostNames: listOf(aHostName),
    baseUrl: anAddress,
    cors: listOf(anOrigin),
    accounts: anyOf('a path or an accounts file', aPath, anAccountsFile),
    state: aPath,
    readOnly: aFlag,
    git: aPath,
    clock: aFunction,
    now: anyOf('a valid Date or newest', aDate, oneOf('newest')),
    ownerToken: is('8 to 255 printable ASCII characters', isToken),
    pace: aNumber,
    archiveKinds: oneOf('all', 'documented'),
    linkLife: integerFrom(1, 31_536_000),
    archiveLife: aNumber,
    strictPreview: aFlag,
    allEvents: aFlag,
    pollInterval: integerFrom(1, 86_400),
    rateLimit: objectOf({ callers: integerFrom(1, 1e9), strangers: integerFrom(1, 1e9) }, [
      'callers',
    ]),
    imports: aFlag,
    fetchArchives: listOf(aHost),
    fail: listOf(aText),
    pages: oneOf('all', 'public'),
    log: aFunction,
    notice: aFunction,
    signal: aSignal,
  })
  if (options.imports) {
    const fault = importFault(options)
    if (fault !== undefined) throw new ArchiveError('option-invalid', `imports: ${fault}`)
  }
  if (options.fetchArchives?.length && !options.imports) {
    throw new ArchiveError('option-invalid', 'fetchArchives: it needs imports')
  }
  const { bind = '127.0.0.1', tls, insecure = false } = options
  if (isLoopback(bind) || tls || insecure) return
  throw new ArchiveError('address-refused', `${bind} can be reached by others, and has no TLS`)
}

/** A host as the address of an archive has it: in lower case, and without the port of its protocol. */
const aHost = is('a host, such as archives.example or archives.example:8443', (value) => {
  if (typeof value !== 'string') return false
  return ['https', 'http'].some((scheme) => {
    const text = `${scheme}://${value}/`
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url?.host === value && (scheme === 'https' || isLoopback(url.hostname))
  })
})

/** What keeps a server from taking imports. */
function importFault({ accounts, readOnly }: ServeOptions): string | undefined {
  if (readOnly) return 'a server that is read-only takes none'
  return accounts === undefined ? 'accounts must say who may import' : undefined
}
