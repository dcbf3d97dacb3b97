import { ArchiveError, type ErrorCode } from '../base/errors.ts'

/** An error of a server or the way to it, with what decides whether another attempt makes sense. */
export class ClientError extends ArchiveError {
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined
  /** Milliseconds that the server wants the client to wait; undefined if it does not say. */
  readonly wait: number | undefined
  /** Whether the server may have done what it was asked for nevertheless. */
  readonly isUncertain: boolean

  constructor(
    code: ErrorCode,
    message: string,
    facts: {
      status?: number | undefined
      wait?: number | undefined
      value?: string | undefined
      isUncertain?: boolean
    } = {},
  ) {
    super(code, message, {}, undefined, facts)
    this.status = facts.status
    this.wait = facts.wait
    this.isUncertain = facts.isUncertain ?? false
  }
}

/** Whether the same request may succeed later. */
export const isTransient = (error: unknown): error is ClientError =>
  error instanceof ClientError &&
  (error.code === 'server-unreachable' ||
    error.code === 'rate-limited' ||
    (error.status !== undefined && error.status >= 500))
