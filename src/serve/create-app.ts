import type { IncomingMessage, ServerResponse } from 'node:http'
import { deliver, lengthOf, piecesOf, toResponse } from '../http/deliver.ts'
import { describeIncoming, describeWebRequest } from '../http/describe-request.ts'
import type { HostRules } from '../http/host.ts'
import type { Answered } from '../http/reply.ts'
import type { IncomingRequest } from '../http/request.ts'
import { withoutSecrets } from '../http/request-log.ts'
import type { PageHandler } from '../pages/page-handler.ts'
import { answerRequest } from '../rest/answer-request.ts'
import { answerGit, type GitHost } from '../rest/git/answer-git.ts'
import type { ServerParts } from '../rest/request-context.ts'
import type { ServeOptions } from '../rest/serve-options.ts'
import { answerPage } from './answer-page.ts'
import { createDoor, type Way } from './door.ts'

/** Answers requests. */
export interface App {
  /** Answers a request on a socket. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
}

/** Answers one request. It never throws. */
export type AnswerOne = (request: IncomingRequest) => Promise<Answered>

/** What is behind the door besides the interface. */
interface Behind {
  readonly pages: PageHandler | undefined
  readonly gitHost: GitHost
  readonly rules: HostRules
}

/** Lets the door say who answers a request. */
export function answerAtDoor(parts: ServerParts, { pages, gitHost, rules }: Behind): AnswerOne {
  const door = createDoor(pages?.rows)
  const answerBy = (way: Way, request: IncomingRequest): Promise<Answered> => {
    if (way.face === 'git') return answerGit(request, way.address, gitHost, parts, rules)
    if (way.face === 'rest') return answerRequest(request, way.route, parts, rules)
    return answerPage(request, pages as PageHandler, rules, way.path, way.found)
  }
  return async (request) => {
    const [first, second] = door.find(request)
    const answered = await answerBy(first, request)
    return second && answered.reply.status === 404 ? answerBy(second, request) : answered
  }
}

/**
 * Makes an application, which lets each request be answered, and sends and logs the answer.
 *
 * @param log receives each request when it has been answered, with the time of `clock`
 */
export function createApp(
  answer: AnswerOne,
  { log, clock = () => new Date() }: Pick<ServeOptions, 'log' | 'clock'> = {},
): App {
  const writeLog = (
    { method, target }: IncomingRequest,
    { reply, requestId, login, fault }: Answered,
    { bytes, started }: { bytes: number; started: number },
  ) =>
    log?.({
      time: clock(),
      method,
      path: withoutSecrets(target),
      status: reply.status,
      bytes,
      milliseconds: performance.now() - started,
      login,
      requestId,
      fault,
    })
  return {
    async handle(incoming, outgoing) {
      const started = performance.now()
      const request = describeIncoming(incoming, outgoing)
      const answered = await answer(request)
      const bytes = await deliver(answered.reply, request.method, outgoing)
      writeLog(request, answered, { bytes, started })
    },
    async fetch(given) {
      const started = performance.now()
      const request = describeWebRequest(given)
      const answered = await answer(request)
      const response = toResponse(answered.reply, request.method)
      const { body } = answered.reply
      const pieces = body && given.method !== 'HEAD' ? piecesOf(body) : undefined
      const bytes = lengthOf(pieces ?? [])
      writeLog(request, answered, { bytes, started })
      return response
    },
  }
}
