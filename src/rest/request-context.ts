import type { Accounts } from '../http/access/accounts.ts'
import type { Caller } from '../http/access/caller.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Rendered } from '../http/rendered.ts'
import type { HeaderReader } from '../http/request.ts'
import type { Endpoint } from '../interface/endpoint.ts'
import type { MediaType } from '../interface/media-types.ts'
import type { Reference } from '../reading/markdown/references.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { ThreadedGit } from './git-worker/threaded-git.ts'
import type { PageRequest } from './paging.ts'
import type { ServeOptions } from './serve-options.ts'
import type { State } from './state/state.ts'

/**
 * Renders Markdown as safe HTML, as on pages.
 *
 * @param addressOf the address of what a text refers to; undefined if it is not to be linked
 */
export type RenderText = (
  text: string,
  addressOf: (reference: Reference) => string | undefined,
) => Promise<string>

/** The parts of the server; the same for all requests. */
export interface ServerParts {
  readonly catalog: Catalog
  readonly accounts: Accounts
  readonly state: State
  readonly rateLimit: RateLimit
  /** Compares and packs many files. */
  readonly gitWorker: ThreadedGit
  readonly renderText: RenderText
  readonly options: ServeOptions
  /** The time of the interface. */
  readonly clock: () => Date
}

/** A request before its body is read. */
export interface RequestHead {
  readonly endpoint: Endpoint
  /** `HEAD` is answered like `GET`, but no body is sent. */
  readonly method: string
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The address before the path of every API address, with `/api/v3` if the request came below it. */
  readonly base: string
  /** The same without `/api/v3`. */
  readonly origin: string
  /** Undefined for a stranger. */
  readonly caller: Caller | undefined
  /** The address of the other end, for limits on strangers. */
  readonly remoteAddress: string
  readonly media: MediaType
  /** The time of the server's clock, the same during the whole request. */
  readonly now: Date
  readonly page: PageRequest
  /** For headers that only one handler needs. */
  readonly headers: HeaderReader
  readonly server: ServerParts
}

export interface RequestContext extends RequestHead {
  /** The JSON body; empty if there is none. */
  readonly body: JsonObject
  /** The body as text, for the few endpoints that do not take JSON. */
  readonly text: string
  /** The body as it comes, for endpoints that take bytes. */
  readonly readBytes: () => AsyncIterable<Uint8Array>
}

/** One page of a longer list. */
export interface List {
  readonly total: number
  /** More items follow than were counted: no page is known to be the last. */
  readonly isOpen?: boolean
  items(offset: number, limit: number): readonly JsonValue[] | Rendered
}

/** The answer of a handler. */
export interface Answer {
  readonly status: number
  /** JSON, or JSON that was rendered before; `text` and `bytes` for everything else. Nothing for 204. */
  readonly body?: JsonValue | Rendered
  readonly text?: string
  readonly bytes?: AsyncIterable<Uint8Array>
  /** A list, of which the requested page is sent. */
  readonly list?: List
  readonly headers?: Readonly<Record<string, string>>
  readonly lastModified?: Date | undefined
}

/**
 * Answers one endpoint. `find` runs before `Accept` and the body are checked, and throws `notFound()` if the caller may
 * not see the subject of the path. A handler that is a function has nothing to find.
 */
export type Handler =
  | ((context: RequestContext) => Answer | Promise<Answer>)
  | {
      find(head: RequestHead): void | Promise<void>
      answer(context: RequestContext): Answer | Promise<Answer>
    }
