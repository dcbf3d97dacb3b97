import { randomUUID } from 'node:crypto'
import { checkHost, type HostRules } from '../http/host.ts'
import { HttpError } from '../http/http-error.ts'
import { type PagePath, settlePagePath } from '../http/raw-path.ts'
import { type Answered, type Reply, replyOrError, textReply } from '../http/reply.ts'
import type { IncomingRequest } from '../http/request.ts'
import type { FoundPage } from '../pages/page.ts'
import type { PageHandler } from '../pages/page-handler.ts'

/**
 * Answers a request for a page. It never throws.
 *
 * @param path the path, if it was settled already
 * @param found the page of the path, if it was looked up already; null if there is none
 */
export async function answerPage(
  request: IncomingRequest,
  pages: PageHandler,
  rules: HostRules,
  { path, hasSlash }: PagePath = settlePagePath(request.raw, request.target),
  found?: FoundPage | null,
): Promise<Answered> {
  const { method, raw, headers, isOfOtherUser } = request
  const { reply, fault } = await replyOrError(answer, textReply)
  return { reply, requestId: randomUUID(), login: undefined, fault }

  async function answer(): Promise<Reply> {
    checkHost(request.hosts, request.target, rules)
    if (method !== 'GET' && method !== 'HEAD') {
      throw new HttpError(405, 'Pages are only read.', { headers: { Allow: 'GET, HEAD' } })
    }
    if (hasSlash) {
      return { status: 301, headers: { Location: path + raw.search, 'Content-Length': '0' } }
    }
    const query = new URLSearchParams(raw.search)
    return pages.answer({ path, found, query, headers, isOfOtherUser })
  }
}
