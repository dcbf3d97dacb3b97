import { readFileSync } from 'node:fs'
import { isLoopback } from '../../interface/addresses.ts'
import { checkServeOptions } from '../../rest/check-serve-options.ts'
import type { ServeOptions } from '../../rest/serve-options.ts'
import type { OptionTable, Values } from '../command/command.ts'
import { UsageError } from '../command/usage-error.ts'
import { parseDate } from './parse-date.ts'

const LISTENING = 'Where to listen:'
const ACCESS = 'Access:'
const TIME = 'Time:'
const MIGRATIONS = 'Migrations:'

/** The options of `marc serve` that are about the server; what the terminal shows is not among them. */
export const SERVING_OPTIONS = {
  port: {
    type: 'string',
    alias: 'p',
    value: '<n>',
    default: '8730',
    group: LISTENING,
    describe: 'Port; 0 for any free one',
  },
  bind: {
    type: 'string',
    value: '<address>',
    default: '127.0.0.1',
    group: LISTENING,
    describe: 'Address; any but loopback needs TLS, or --insecure',
  },
  'tls-cert': { value: '<file>', describe: 'Certificate, PEM', group: LISTENING },
  'tls-key': { value: '<file>', describe: 'Key of the certificate, PEM', group: LISTENING },
  insecure: {
    type: 'boolean',
    group: LISTENING,
    describe: 'Allow plain HTTP on an address that others can reach',
  },
  'host-name': {
    value: '<name>',
    array: true,
    group: LISTENING,
    describe: 'Another name that the Host header may have; repeatable',
  },
  'base-url': {
    value: '<address>',
    group: LISTENING,
    describe: 'Address written into answers, for a proxy in front',
  },
  cors: {
    value: '<origin>',
    array: true,
    group: LISTENING,
    describe: 'Origin whose pages may read answers; repeatable',
  },
  accounts: {
    value: '<file>',
    describe: 'File of those who may sign in; see marc accounts',
    group: ACCESS,
  },
  state: {
    value: '<folder>',
    group: ACCESS,
    describe: 'Folder for migrations and tokens [<database>.serve]',
  },
  'read-only': {
    type: 'boolean',
    describe: 'Write nothing; refuse POST and DELETE',
    group: ACCESS,
  },
  pages: {
    type: 'boolean',
    describe: 'Pages for browsers [on loopback: all; with --pages elsewhere: public ones]',
    group: ACCESS,
  },
  'rate-limit': {
    value: '<n>[,<n>]',
    group: ACCESS,
    describe: 'Requests per hour of a caller, and of a stranger [not enforced]',
  },
  now: {
    value: '<time>',
    group: TIME,
    describe: 'Start the clock at a date, or at the date of the newest event: newest [now]',
  },
  'poll-interval': {
    value: '<seconds>',
    default: '60',
    group: TIME,
    describe: 'Seconds that clients of feeds wait between two requests',
  },
  'all-events': {
    type: 'boolean',
    describe: 'Also serve issue events of undocumented kinds',
    group: TIME,
  },
  pace: {
    value: '<seconds>',
    default: '1',
    group: MIGRATIONS,
    describe: 'Least seconds that a migration is pending, and then exporting',
  },
  'archive-kinds': {
    choices: ['all', 'documented'],
    default: 'all',
    group: MIGRATIONS,
    describe: 'Record files in built archives',
  },
  'archive-life': {
    value: '<days>',
    default: '7',
    group: MIGRATIONS,
    describe: 'Days until an archive is deleted',
  },
  'link-life': {
    value: '<seconds>',
    default: '300',
    group: MIGRATIONS,
    describe: 'Seconds for which the address of an archive is valid',
  },
  'strict-preview': {
    type: 'boolean',
    group: MIGRATIONS,
    describe: 'Accept only the media type of the preview',
  },
  imports: {
    type: 'boolean',
    group: MIGRATIONS,
    describe: "Take imports: uploads, and the GraphQL of the importer's client; needs --accounts",
  },
  'fetch-archives': {
    value: '<host>',
    array: true,
    group: MIGRATIONS,
    describe: 'Fetch archives of imports from https addresses of this host, too; repeatable',
  },
  fail: {
    value: '<owner/name>',
    array: true,
    group: MIGRATIONS,
    describe: 'Let migrations of this repository fail, to test clients; repeatable',
  },
} as const satisfies OptionTable

/**
 * The options of a server as typed.
 *
 * @throws `UsageError` for invalid values
 */
export function serveOptionsOf(values: Values<typeof SERVING_OPTIONS>): ServeOptions {
  const { bind, insecure = false, now, accounts, state } = values
  const tls = tlsOf(values['tls-cert'], values['tls-key'])
  if (!isLoopback(bind) && !tls && !insecure) {
    const hint = 'Pass --tls-cert and --tls-key, or accept that others can read along: --insecure'
    throw new UsageError(`--bind ${bind} can be reached by others, and there is no TLS`, hint)
  }
  const options: ServeOptions = {
    port: numberOf('port', values.port, { max: 65_535 }),
    bind,
    insecure,
    accounts,
    state,
    ...(tls && { tls }),
    hostNames: values['host-name'] ?? [],
    baseUrl: values['base-url'],
    cors: values.cors ?? [],
    readOnly: values['read-only'] ?? false,
    rateLimit: rateLimitOf(values['rate-limit']),
    ...(now !== undefined && { now: now === 'newest' ? now : parseDate('now', now) }),
    pollInterval: numberOf('poll-interval', values['poll-interval'], { min: 1, max: 86_400 }),
    allEvents: values['all-events'] ?? false,
    pace: numberOf('pace', values.pace, { isWhole: false }),
    archiveKinds: values['archive-kinds'],
    archiveLife: numberOf('archive-life', values['archive-life'], { isWhole: false }),
    linkLife: numberOf('link-life', values['link-life'], { min: 1, max: 31_536_000 }),
    strictPreview: values['strict-preview'] ?? false,
    imports: values.imports ?? false,
    fetchArchives: (values['fetch-archives'] ?? []).map((host) => host.toLowerCase()),
    fail: values.fail ?? [],
  }
  try {
    checkServeOptions(options)
  } catch (error) {
    // The library names its own options.
    const { message } = error as Error
    throw new UsageError(message.replace(/^[a-z]+([A-Z][a-z]+)*/, (name) => `--${dashed(name)}`))
  }
  return options
}

/** `baseUrl` → `base-url` */
const dashed = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/** A number as typed. Throws `UsageError`. */
export function numberOf(
  option: string,
  text: string,
  { min = 0, max = 1e9, isWhole = true }: { min?: number; max?: number; isWhole?: boolean },
): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value >= min && value <= max) {
    if (!isWhole || Number.isInteger(value)) return value
  }
  const range = max === 1e9 ? `from ${min}` : `from ${min} to ${max}`
  const what = isWhole ? 'a whole number' : 'a number'
  throw new UsageError(`--${option} takes ${what} ${range}, not ${JSON.stringify(text)}`)
}

function rateLimitOf(text: string | undefined): ServeOptions['rateLimit'] {
  if (text === undefined) return undefined
  const [callers = '', strangers, ...more] = text.split(',')
  if (more.length > 0) throw new UsageError('--rate-limit takes one number or two: 5000,60')
  const count = (text: string) => numberOf('rate-limit', text, { min: 1 })
  return {
    callers: count(callers),
    ...(strangers !== undefined && { strangers: count(strangers) }),
  }
}

function tlsOf(cert: string | undefined, key: string | undefined): ServeOptions['tls'] {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw new UsageError('--tls-cert and --tls-key belong together')
  }
  return { cert: readPem('tls-cert', cert), key: readPem('tls-key', key) }
}

function readPem(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--${option}: ${(error as Error).message}`)
  }
}
