/** One answered request. */
export interface LogEntry {
  readonly time: Date
  readonly method: string
  /** The target of the request, its secrets replaced. */
  readonly path: string
  readonly status: number
  /** Bytes of the body that was sent. */
  readonly bytes: number
  readonly milliseconds: number
  readonly login: string | undefined
  readonly requestId: string
  /** The stack of a fault of the server itself. */
  readonly fault?: string | undefined
}

const SECRETS = /([?&](?:signature|authorization_request)=)[^&#]*/gi

/** A target without the secrets of signed addresses. */
export const withoutSecrets = (target: string): string => target.replace(SECRETS, '$1…')
