import type { Reply } from './reply.ts'

/** A request for a page. */
export interface PageQuestion {
  /** GET or HEAD. */
  readonly method: string
  /** Its parts are still encoded. */
  readonly path: string
  /** The parameters after the `?`. */
  readonly query: URLSearchParams
  /** By names in lowercase. */
  readonly headers: { get(name: string): string | null }
  /** Whether another account of this machine asks: it sees what a stranger may see. */
  readonly isOfOtherUser?: (() => boolean) | undefined
}

/** The address of a kind of page. */
export interface PageRow {
  /** Literal segments and parameters: `:owner` is one segment, `:rest+` one or several. */
  readonly path: string
  /** Whether it is sent whatever a request accepts: browsers do not ask for style sheets and pictures as `text/html`. */
  readonly isBytes?: boolean | undefined
}

/** Answers with pages. The server knows only their addresses. */
export interface PageHandler {
  /** The addresses that have pages. Where two fit a request, the first one answers. */
  readonly rows: readonly PageRow[]
  /** Throws `HttpError`, or `ArchiveError` with `database-busy`. */
  answer(question: PageQuestion): Promise<Reply>
  /** Closes what it has open. */
  close(): void
}
