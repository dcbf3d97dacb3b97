import type { HttpError } from '../http/http-error.ts'
import { type Reply, replyWith } from '../http/reply.ts'
import { documentationUrl, type Endpoint } from '../interface/endpoint.ts'
import type { JsonObject } from '../records/json/json.ts'

/** The answer to an error. A rate limit has the form of GraphQL where its clients look for it. */
export function errorReply(error: HttpError, endpoint: Endpoint | undefined): Reply {
  const { status, message, headers, isRateLimit } = error
  if (isRateLimit && endpoint?.path.endsWith('/graphql')) {
    return replyWith(200, { errors: [{ type: 'RATE_LIMIT', message }] }, headers)
  }
  return replyWith(status, errorBody(error, endpoint), headers)
}

/** The body of an error, in the host's form, or in that of the directory for its endpoint. */
function errorBody(error: HttpError, endpoint: Endpoint | undefined): JsonObject {
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
