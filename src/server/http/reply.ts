import type { JsonValue } from '../../records/json/json.ts'
import type { Answer, RequestHead } from '../request-context.ts'
import { isNotModified } from './conditional.ts'
import { linkOfPage } from './pages.ts'
import type { RawPath } from './raw-path.ts'
import { Rendered, render } from './rendered.ts'

/** An answer as it is sent: all headers, and bytes or a stream of them. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** A reply with a JSON body. */
export function replyWith(
  status: number,
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { bytes } = render(body)
  return { status, headers: jsonHeaders(bytes, headers), body: bytes }
}

const jsonHeaders = (bytes: Uint8Array, headers: Readonly<Record<string, string>>) => ({
  'Content-Type': JSON_TYPE,
  'Content-Length': String(bytes.length),
  ...headers,
})

/** Makes a reply from the answer of a handler: the page of a list with its `Link`, the ETag, or 304. */
export function finishAnswer(answer: Answer, head: RequestHead, raw: RawPath): Reply {
  const { status, headers = {} } = answer
  if (answer.bytes) return { status, headers, body: answer.bytes }
  const rendered = renderAnswer(answer, head)
  if (!rendered) return { status, headers }
  const { bytes } = rendered
  if (status !== 200 || head.endpoint.method !== 'GET') {
    return { status, headers: jsonHeaders(bytes, headers), body: bytes }
  }
  const { list, lastModified } = answer
  const link = list && linkOfPage(head.base + raw.path, raw.search, head.page, list)
  const changed = head.endpoint.list === 'feed' ? lastModified : undefined
  const etag = headers.ETag ?? rendered.etag(link)
  const tagged: Record<string, string> = {
    ...(link !== undefined && { Link: link }),
    ETag: etag,
    ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }),
    ...headers,
  }
  if (isNotModified(head.headers, etag, changed)) {
    for (const name in tagged) if (name.startsWith('Content-')) delete tagged[name]
    return { status: 304, headers: tagged }
  }
  return { status, headers: jsonHeaders(bytes, tagged), body: bytes }
}

function renderAnswer({ body, text, list }: Answer, { page }: RequestHead): Rendered | undefined {
  if (text !== undefined) return new Rendered(Buffer.from(text))
  const value = list ? list.items((page.page - 1) * page.perPage, page.perPage) : body
  if (value === undefined) return undefined
  return value instanceof Rendered ? value : render(value as JsonValue)
}
