import type { JsonValue } from '../records/json/json.ts'
import { type HttpError, toHttpError } from './http-error.ts'
import { type Rendered, render } from './rendered.ts'

/** An answer as it is sent: all headers, and bytes, pieces of them or a stream. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined
}

/** The result of a request. */
export interface Answered {
  readonly reply: Reply
  readonly requestId: string
  readonly login: string | undefined
  /** The stack of an internal error, only for the log. */
  readonly fault: string | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** A reply with a JSON body. */
export function replyWith(
  status: number,
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const rendered = render(body)
  return { status, headers: jsonHeaders(rendered, headers), body: rendered.pieces }
}

/** The headers of a JSON body. */
export const jsonHeaders = ({ length }: Rendered, headers: Readonly<Record<string, string>>) => ({
  'Content-Type': JSON_TYPE,
  'Content-Length': String(length),
  ...headers,
})

/** A reply with an error as text, for people and for Git. */
export function textReply({ status, message, headers }: HttpError): Reply {
  const body = Buffer.from(`${message}\n`)
  return {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(body.length),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'",
      ...headers,
    },
    body,
  }
}

/**
 * Answers a request. It never throws: every error becomes a reply.
 *
 * @param format gives an error the form that the client reads
 * @returns the reply, and what the log says of a fault of the server
 */
export async function replyOrError(
  answer: () => Promise<Reply>,
  format: (error: HttpError) => Reply,
): Promise<{ reply: Reply; fault: string | undefined }> {
  try {
    return { reply: await answer(), fault: undefined }
  } catch (error) {
    const known = toHttpError(error)
    return { reply: format(known), fault: known.fault }
  }
}
