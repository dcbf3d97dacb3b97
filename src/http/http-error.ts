import { ArchiveError } from '../base/errors.ts'

/** One fault of a request's values, in the host's form. */
export interface FieldFault {
  readonly resource: string
  readonly field: string
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'too_large' | 'custom'
  readonly message?: string
  readonly value?: string
  readonly index?: number
}

/** A request that is answered with an error status. The message goes to the caller. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly errors: readonly FieldFault[] | undefined
  readonly headers: Readonly<Record<string, string>>
  /** In place of the chapter of the endpoint. */
  readonly documentationUrl: string | undefined
  /** Whether the caller has sent too many requests. */
  readonly isRateLimit: boolean
  /** The cause, for the log only. */
  readonly fault: string | undefined

  constructor(
    status: number,
    message: string,
    more: {
      errors?: readonly FieldFault[]
      headers?: Readonly<Record<string, string>>
      documentationUrl?: string
      isRateLimit?: boolean
      fault?: string | undefined
    } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.headers = more.headers ?? {}
    this.documentationUrl = more.documentationUrl
    this.isRateLimit = more.isRateLimit ?? false
    this.fault = more.fault
  }
}

/** 404: it does not exist, or the caller may not know that it does. */
export const notFound = (): HttpError => new HttpError(404, 'Not Found')

/** 422: these values are invalid. */
export const invalid = (errors: readonly FieldFault[]): HttpError =>
  new HttpError(422, 'Validation Failed', { errors })

/** 503: the index or a database is busy; the caller may retry after so many seconds. */
export const busy = (seconds: number, why?: string): HttpError =>
  new HttpError(503, ['Service Unavailable', why].filter(Boolean).join(': '), {
    headers: { 'Retry-After': String(seconds), 'Cache-Control': 'no-store' },
  })

/** The answer to any error: one that is not known is a fault of the server. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof ArchiveError && error.code === 'database-busy') {
    const message = 'The database is being written. Try again in a moment.'
    return new HttpError(503, message, {
      headers: { 'Retry-After': '2', 'Cache-Control': 'no-store' },
    })
  }
  const fault = error instanceof Error ? error.stack : String(error)
  if (error instanceof ArchiveError && error.code === 'database-damaged') {
    const message = 'The database is damaged: marc doctor says where. Load its archives again.'
    return new HttpError(500, message, { fault })
  }
  return new HttpError(500, 'Server Error', { fault })
}
