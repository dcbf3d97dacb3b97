import { isObject, type JsonValue } from '../records/json/json.ts'
import { ClientError } from './client-error.ts'
import type { OtpDelivery } from './client-options.ts'

const SECOND = 1000
/** No server means that a client should come back in more than a day. */
const LONGEST_WAIT = 24 * 3600 * SECOND
/** Characters of a server's own words that a message repeats. */
const LONGEST_MESSAGE = 300

/** The status and headers of an answer, with its body if that is JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonValue | undefined
  /** Where it came from, after redirects. */
  readonly url: URL
}

/** A header in the spelling of GitHub, or in that of the documentation. */
const eitherHeader = (headers: Headers, name: string): string | null =>
  headers.get(`X-GitHub-${name}`) ?? headers.get(`X-Service-${name}`)

/** How one-time passwords are delivered, if the answer asks for one. */
export function otpDeliveryOf({
  status,
  headers,
}: Pick<Answer, 'status' | 'headers'>): OtpDelivery | undefined {
  const header = status === 401 ? eitherHeader(headers, 'OTP') : null
  if (!header?.startsWith('required')) return undefined
  return /sms/i.test(header) ? 'SMS' : 'app'
}

/** The ids of organizations whose part of a list was left out, because the token is not authorized for them. */
export function leftOutOrganizations({ headers }: Pick<Answer, 'headers'>): string[] {
  const [, ids = ''] =
    /^partial-results;\s*organizations=([\d,\s]*)/.exec(eitherHeader(headers, 'SSO') ?? '') ?? []
  return ids.split(',').flatMap((id) => id.trim() || [])
}

/** Milliseconds that a server wants a client to wait before its next request; undefined if it does not say. */
export function waitOf(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  const now = Number.isNaN(date) ? Date.now() : date
  const retry = headers.get('retry-after')
  const secondsIn = (text: string | null) =>
    /^\s*\d+\s*$/.test(text ?? '') ? Number(text) * SECOND : Number.NaN
  // By the clock of the server, because that of this machine may be wrong.
  const reset = isExhausted(headers)
    ? secondsIn(headers.get('x-ratelimit-reset')) - now
    : Number.NaN
  const waits = [
    secondsIn(retry),
    Date.parse(/[a-z]/i.test(retry ?? '') ? (retry ?? '') : '') - now,
    secondsIn(headers.get('x-poll-interval')),
    reset,
  ].filter(Number.isFinite)
  return waits.length === 0 ? undefined : Math.min(LONGEST_WAIT, Math.max(0, ...waits))
}

const isExhausted = (headers: Headers): boolean =>
  headers.get('x-ratelimit-remaining')?.trim() === '0'

/** Whether a 403 is a limit, and not about rights. A limit for bursts has no header of its own, but says so. */
const isLimit = ({ headers, body }: Pick<Answer, 'headers' | 'body'>): boolean =>
  isExhausted(headers) ||
  headers.has('retry-after') ||
  (isObject(body) &&
    [body.message, body.documentation_url].some(
      (text) => typeof text === 'string' && BURST.test(text),
    ))

const BURST = /(secondary|abuse|api)[ -]rate[ -]limit|abuse detection/i

/** The error for an answer that is a refusal. */
export function refusalOf(answer: Omit<Answer, 'url'>): ClientError {
  const { status, headers } = answer
  const wait = waitOf(headers)
  const told = messageOf(answer.body)
  const said = told === '' ? `status ${status}` : `${status} ${told}`
  const fail = (code: ConstructorParameters<typeof ClientError>[0], message: string) =>
    new ClientError(code, message, { status, wait })
  if (status >= 500) return fail('server-failed', `the server failed: ${said}`)
  if (status === 429 || (status === 403 && isLimit(answer))) {
    const when =
      wait === undefined ? 'does not say until when' : `takes more in ${Math.ceil(wait / SECOND)} s`
    return fail('rate-limited', `too many requests; the server ${when}`)
  }
  if (status === 403 && eitherHeader(headers, 'SSO')?.startsWith('required')) {
    const [, url = ''] = /url=(\S+)/.exec(eitherHeader(headers, 'SSO') ?? '') ?? []
    const where = /^https?:\/\//.test(url) ? `: ${url}` : ''
    return fail('sso-required', `the token needs an authorization by the organization${where}`)
  }
  if (otpDeliveryOf(answer)) return fail('otp-required', 'the server asks for a one-time password')
  if (status === 401)
    return fail('credentials-refused', `the server refuses the token or password: ${said}`)
  if (status === 415) return fail('preview-refused', `the server refuses migrations: ${said}`)
  return fail('request-refused', `the server refuses this: ${said}`)
}

/** The message of a server about a refusal, with the faults of single values. */
function messageOf(body: JsonValue | undefined): string {
  if (!isObject(body)) return ''
  const { message, errors } = body
  const faults = Array.isArray(errors) ? errors.filter(isObject) : []
  const described = faults.map(({ field, code, message, value }) =>
    [field, message ?? code, value].filter((part) => typeof part === 'string').join(' '),
  )
  const text = [typeof message === 'string' ? message : '', ...described].filter(Boolean).join('; ')
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text
}
