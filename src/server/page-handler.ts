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

/** Answers with pages. The server knows only their addresses. */
export interface PageHandler {
  /** Throws `HttpError`, or `ArchiveError` with `database-busy`. */
  answer(question: PageQuestion): Promise<PageAnswer>
  /** Closes what it has open. */
  close(): void
}

/** A page as it is sent: all headers, and bytes or a stream of them. */
export interface PageAnswer {
  /** The HTTP status. */
  readonly status: number
  /** All headers, by name. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of the page; undefined for an empty answer. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
}
