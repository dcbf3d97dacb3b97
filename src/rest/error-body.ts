import type { HttpError } from '../http/http-error.ts'
import { documentationUrl, type Endpoint } from '../interface/endpoint.ts'
import type { JsonObject } from '../records/json/json.ts'

/** The body of an error, in the host's form, or in that of the directory for its endpoint. */
export function errorBody(error: HttpError, endpoint: Endpoint | undefined): JsonObject {
  if (endpoint?.who === 'scope') return directoryError(error)
  const { message, errors } = error
  return {
    message,
    ...(errors && { errors: errors.map((fault) => ({ ...fault })) }),
    documentation_url: error.documentationUrl ?? documentationUrl(endpoint?.chapter ?? ''),
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'required',
  403: 'insufficientPermissions',
  404: 'notFound',
}

function directoryError(error: HttpError): JsonObject {
  const { status } = error
  const message = status === 401 ? 'Login Required' : error.message
  const reason = REASONS[status] ?? 'backendError'
  return { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } }
}
