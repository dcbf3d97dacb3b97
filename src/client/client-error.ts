import { ArchiveError, type ErrorCode } from '../errors.ts'

/** An error of a server or the way to it, with what decides whether another attempt makes sense. */
export class ClientError extends ArchiveError {
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined
  /** Milliseconds that the server wants the client to wait. */
  readonly wait: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    facts: {
      status?: number | undefined
      wait?: number | undefined
      value?: string | undefined
    } = {},
  ) {
    super(code, message, {}, undefined, facts)
    this.status = facts.status
    this.wait = facts.wait
  }
}

/** Whether the same request may succeed later. */
export const isTransient = (error: unknown): error is ClientError =>
  error instanceof ClientError &&
  (error.code === 'server-unreachable' ||
    error.code === 'rate-limited' ||
    (error.status !== undefined && error.status >= 500))
