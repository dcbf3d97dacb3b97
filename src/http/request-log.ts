import { percentDecoded } from '../base/text.ts'

/** One answered request. */
export interface LogEntry {
  /** When it was answered, by the clock of the server. */
  readonly time: Date
  /** The method of the request. */
  readonly method: string
  /** The target of the request, its secrets replaced. */
  readonly path: string
  /** The status of the answer. */
  readonly status: number
  /** Bytes of the body that was sent. */
  readonly bytes: number
  /** Time from the request to the end of the answer. */
  readonly milliseconds: number
  /** Who asked; undefined for a caller without credentials. */
  readonly login: string | undefined
  /** A UUID. Answers of the REST interface repeat it as `X-GitHub-Request-Id`. */
  readonly requestId: string
  /** The stack of an internal error. */
  readonly fault?: string | undefined
}

/** Names of parameters whose values are credentials, of this server and of any client that puts them into an address. */
const SECRET =
  /token|secret|passw|signature|credential|^(?:authorization_request|code|otp|jwt|sig|key|api_?key)$/i

/** A target without the secrets in it: those of signed addresses, tokens, and a user before the host. */
export const withoutSecrets = (target: string): string =>
  target
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, '$1…@')
    .replace(/([?&;])([^=&;#]*)=[^&;#]*/g, (parameter, before: string, name: string) =>
      SECRET.test(percentDecoded(name)) ? `${before}${name}=…` : parameter,
    )
