import type { IncomingMessage } from 'node:http'
import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import { HttpError } from './http-error.ts'
import type { HeaderReader } from './request.ts'

/** Bytes of the largest body. */
export const LARGEST_BODY = 1_048_576

const DEEPEST = 32

/**
 * Reads a body from a socket as text.
 *
 * @throws `HttpError` 413 for more than 1 MiB, by the announced length or on the way
 */
export async function readStream(incoming: IncomingMessage): Promise<string> {
  const announced = Number(incoming.headers['content-length'] ?? 0)
  if (announced === 0 && incoming.headers['transfer-encoding'] === undefined) return ''
  if (announced > LARGEST_BODY) throw tooLarge()
  // The answer still needs the socket, which a plain loop would destroy.
  return readAll(incoming.iterator({ destroyOnReturn: false }))
}

/** The same for a request without a socket. */
export const readWebBody = async (request: Request): Promise<string> =>
  request.body ? readAll(request.body) : ''

async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of limitBody(body, LARGEST_BODY)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The bytes of a body, up to a limit.
 *
 * @throws `HttpError` 413 for more, 400 for a body that ends early
 */
export async function* limitBody(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.length
      if (length > limit) throw tooLarge()
      yield chunk
    }
  } catch (error) {
    // The client has disconnected, so nobody receives this answer.
    throw error instanceof HttpError ? error : new HttpError(400, 'The body is incomplete')
  }
}

/** The rest of the body is not read, so the connection cannot be used again. */
const tooLarge = () =>
  new HttpError(413, 'Request entity too large', { headers: { Connection: 'close' } })

/**
 * Checks the type and encoding of a body, before it is read.
 *
 * @throws `HttpError` 415 for a form or a compressed body
 */
export function checkBodyType(headers: HeaderReader): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== '' && encoding !== 'identity') {
    throw new HttpError(415, `Unsupported 'Content-Encoding' header. Must be 'identity'.`)
  }
  if (/^\s*multipart\//i.test(headers.get('content-type') ?? '')) {
    throw new HttpError(415, `Unsupported 'Content-Type' header. Must be 'application/json'.`)
  }
}

/**
 * Parses a body as a JSON object; an empty body is an empty object.
 *
 * @throws `HttpError` 400 unless it is a JSON object, nested at most 32 levels deep
 */
export function parseBody(text: string): JsonObject {
  if (text.trim() === '') return {}
  let value: JsonValue
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue
  } catch {
    throw new HttpError(400, 'Problems parsing JSON')
  }
  if (isDeeper(value, DEEPEST)) throw new HttpError(400, 'Problems parsing JSON')
  if (!isObject(value)) throw new HttpError(400, 'Body should be a JSON object')
  return value
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
