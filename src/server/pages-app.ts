import { answerPage } from './answer-page.ts'
import type { App } from './create-app.ts'
import { deliver, toResponse } from './deliver.ts'
import { describeIncoming, describeWebRequest } from './describe-request.ts'
import type { HostRules } from './http/check-host.ts'
import type { PageHandler } from './page-handler.ts'

/** An application that has pages and no interface: there is nothing to index before it answers. */
export function createPagesApp(pages: PageHandler, rules: HostRules): App {
  return {
    async handle(incoming, outgoing) {
      const request = describeIncoming(incoming, outgoing)
      const { reply } = await answerPage(request, pages, rules)
      await deliver(reply, request.method, outgoing)
    },
    async fetch(given) {
      const request = describeWebRequest(given)
      const { reply } = await answerPage(request, pages, rules)
      return toResponse(reply, request.method)
    },
  }
}
