import { parseLink } from '../interface/link-header.ts'
import type { JsonValue } from '../records/json/json.ts'
import { ClientError } from './client-error.ts'
import { type Answer, leftOutOrganizations } from './read-refusal.ts'

const MOST_PAGES = 10_000

/**
 * All elements of a list, page by page, as `Link` leads.
 *
 * @param first the address of the first page
 * @param ask requests a page
 * @param notice receives what the list leaves out
 * @throws `server-failed` for something other than a list, and for a list without an end or on several servers
 */
export async function* listPages(
  first: URL,
  ask: (url: URL) => Promise<Answer>,
  notice: (text: string) => void,
): AsyncGenerator<JsonValue> {
  const leftOut = new Set<string>()
  const read = new Set<string>()
  for (let url: URL | undefined = first; url; ) {
    if (read.size === MOST_PAGES) throw failed('the list has no end')
    if (read.has(url.href)) throw failed(`page ${read.size + 1} of the list was read before`)
    read.add(url.href)
    const { body, headers } = await ask(url)
    if (!Array.isArray(body)) throw failed('the server sent something other than a list')
    for (const id of leftOutOrganizations({ headers })) leftOut.add(id)
    yield* body
    url = nextPage(headers, url)
    if (url && url.origin !== first.origin) {
      throw failed(`the next page is on another server, ${url.origin}`)
    }
  }
  if (leftOut.size === 0) return
  const ids = [...leftOut].join(', ')
  notice(`the list is incomplete: the token is not authorized for the organizations ${ids}`)
}

function nextPage(headers: Headers, from: URL): URL | undefined {
  const { next } = parseLink(headers.get('link'))
  return next !== undefined && URL.canParse(next, from.href) ? new URL(next, from.href) : undefined
}

const failed = (message: string) => new ClientError('server-failed', message)
