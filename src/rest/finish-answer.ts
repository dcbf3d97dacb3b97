import { notModified } from '../http/etag.ts'
import type { RawPath } from '../http/raw-path.ts'
import { Rendered, render } from '../http/rendered.ts'
import { jsonHeaders, type Reply } from '../http/reply.ts'
import type { JsonValue } from '../records/json/json.ts'
import { linkOfPage } from './paging.ts'
import type { Answer, RequestHead } from './request-context.ts'
import { inForm } from './text-forms.ts'

/** Makes a reply from the answer of a handler: the page of a list with its `Link`, the ETag, or 304. */
export async function finishAnswer(
  answer: Answer,
  head: RequestHead,
  raw: RawPath,
): Promise<Reply> {
  const { status, headers = {} } = answer
  if (answer.bytes) return { status, headers, body: answer.bytes }
  const rendered = await renderAnswer(answer, head)
  if (!rendered) return { status, headers }
  const { pieces } = rendered
  if (status !== 200 || head.endpoint.method !== 'GET') {
    return { status, headers: jsonHeaders(rendered, headers), body: pieces }
  }
  const { list, lastModified } = answer
  const link = list && linkOfPage(head.base + raw.path, raw.search, head.page, list)
  const changed = head.endpoint.list === 'feed' ? lastModified : undefined
  const etag = headers.ETag ?? rendered.etag(link)
  const tagged = {
    ...(link !== undefined && { Link: link }),
    ETag: etag,
    ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }),
    ...headers,
  }
  return (
    notModified(head.headers, tagged, changed) ?? {
      status,
      headers: jsonHeaders(rendered, tagged),
      body: pieces,
    }
  )
}

async function renderAnswer(
  { body, text, list }: Answer,
  head: RequestHead,
): Promise<Rendered | undefined> {
  if (text !== undefined) return new Rendered(Buffer.from(text))
  const { page, perPage } = head.page
  const value = list ? list.items((page - 1) * perPage, perPage) : body
  if (value === undefined) return undefined
  return inForm(value instanceof Rendered ? value : render(value as JsonValue), head)
}
