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

const SECRETS = /([?&](?:signature|authorization_request)=)[^&#]*/gi

/** A target without the secrets of signed addresses. */
export const withoutSecrets = (target: string): string => target.replace(SECRETS, '$1…')
