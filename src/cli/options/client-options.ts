import { readFileSync } from 'node:fs'
import { ArchiveError } from '../../base/errors.ts'
import type { ClientOptions, Exchange, OtpDelivery } from '../../client/client-options.ts'
import type { OptionTable, Values } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { safe } from '../command/safe-text.ts'
import { AdvisedError, shellWord, UsageError } from '../command/usage-error.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatDuration } from '../output/quantities.ts'
import { askSecret, readSecret, warnIfOpen } from './ask-secret.ts'
import { QUIET_OPTION } from './shared-options.ts'

const SERVER = 'The server:'

/** The options that name a server. Tokens, passwords and codes are not options: other users can see command lines. */
export const SERVER_OPTIONS = {
  server: {
    value: '<address>',
    group: SERVER,
    describe: 'github, or a base address such as https://git.example/api/v3 [MARC_SERVER]',
  },
  'token-file': {
    value: '<file>',
    group: SERVER,
    describe: 'File with the token, or - for standard input [MARC_TOKEN, or a prompt]',
  },
  insecure: {
    type: 'boolean',
    group: SERVER,
    describe: 'Allow plain HTTP to another machine',
  },
  quiet: QUIET_OPTION,
  verbose: { type: 'boolean', describe: 'Show requests, and progress as plain lines' },
} as const satisfies OptionTable

/** The same, with the owner of the migrations. */
export const CLIENT_OPTIONS = {
  ...SERVER_OPTIONS,
  org: { value: '<login>', describe: 'Use the migrations of this organization', group: SERVER },
} as const satisfies OptionTable

export const ID_ARGUMENT = {
  type: 'string',
  demandOption: true,
  describe: 'Id of the migration, as start prints it',
} as const

type Typed = Partial<Values<typeof CLIENT_OPTIONS>>

/**
 * The options of a client as typed.
 *
 * @throws `UsageError` if no server is named
 */
export function clientOf(options: Typed, io: Io): ClientOptions {
  const { quiet, verbose, insecure, org } = options
  const say = (text: string) => {
    if (!quiet) io.stderr.write(safe`${escapeControls(text)}\n`)
  }
  let token: Promise<string> | undefined
  return {
    server: serverOf(options, io),
    insecure,
    organization: org,
    signal: io.signal,
    token: () => (token ??= tokenOf(options, io, say)),
    ...(io.stdin.isTTY && { oneTimePassword: (delivery) => askCode(delivery, io) }),
    notice: (text) => say(`warning: ${text}`),
    ...(verbose && { trace: (exchange) => say(describeExchange(exchange)) }),
  }
}

/** The server that is named, if one is. */
function serverOf({ server }: Pick<Typed, 'server'>, { env }: Io): string {
  const named = server ?? (env.MARC_SERVER || undefined)
  if (named !== undefined) return named
  throw new UsageError(
    'no server is named',
    'Pass --server github, or its address, or set MARC_SERVER.',
  )
}

const describeExchange = ({ method, address, status, milliseconds }: Exchange): string =>
  `${method} ${address} ${status ?? 'no answer'} ${formatDuration(milliseconds)}`

async function tokenOf(
  { 'token-file': file }: Typed,
  io: Io,
  say: (text: string) => void,
): Promise<string> {
  if (file === '-') return readSecret('--token-file', io)
  if (file !== undefined) {
    const token = readTokenFile(file)
    warnIfOpen(file, say)
    return token
  }
  if (io.env.MARC_TOKEN) return io.env.MARC_TOKEN
  if (io.stdin.isTTY) return askSecret(safe`Token: `, '--token-file', io)
  throw new ArchiveError('credentials-missing', 'the server needs a token')
}

/** The token in a file. Throws `UsageError`. */
export function readTokenFile(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT'
    const reason = isThere ? (error as Error).message : `there is no file ${file}`
    throw new UsageError(`--token-file: ${reason}`)
  }
  const [token = '', ...others] = text.trim().split('\n')
  if (token !== '' && others.length === 0) return token
  throw new UsageError(`--token-file: expected one line with a token in ${file}`)
}

const askCode = (delivery: OtpDelivery, io: Io): Promise<string> => {
  const prompt = delivery === 'SMS' ? safe`Code sent by SMS: ` : safe`Code from your app: `
  return askSecret(prompt, '--token-file', io)
}

/** The id of a migration. Throws `UsageError`. */
export function idOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(
    `the id of a migration is a number, not ${JSON.stringify(text)}`,
    'List them with: marc migration list',
  )
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a duration such as `90s`, `30m` or `24h` to milliseconds. Throws `UsageError`. */
export function durationOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits, unit = 's'] = /^(\d{1,7})([smhd])?$/.exec(text) ?? []
  const milliseconds = Number(digits) * UNITS[unit as keyof typeof UNITS]
  if (milliseconds < 2 ** 31) return milliseconds
  const message = `--${option} takes a duration up to 24 days, not ${JSON.stringify(text)}`
  throw new UsageError(message, `Write it like --${option} 90s, 30m or 24h`)
}

/** The options that name the server again, as typed. None of them is a secret. */
export const flagsOf = (options: Typed): string =>
  (['server', 'token-file', 'org'] as const)
    .flatMap((name) => {
      const value = options[name]
      return value === undefined ? [] : ` --${name} ${shellWord(value)}`
    })
    .join('') + (options.insecure ? ' --insecure' : '')

/**
 * Prints how to continue after an interrupt or a failure of the server.
 *
 * @param command the words that go on, such as `watch 12`
 */
export async function advising<T>(
  command: string | undefined,
  options: Typed,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    const again = flagsOf(options)
    if (error.code === 'interrupted' && command !== undefined) {
      const kept = /^download (?!.*--wait)/.test(command) ? ', and what is on disk is kept' : ''
      const advice = `The server goes on${kept}. Continue with: marc migration ${command}${again}`
      throw new AdvisedError(error, advice)
    }
    const count = error.code === 'migration-failed' ? Number(error.value) : 0
    if (count < 2) throw error
    const batch = Math.ceil(count / 2)
    const advice = `Start it again in halves: marc migration start <repositories> --batch ${batch}`
    throw new AdvisedError(error, advice + again)
  }
}
