import type { MediaType } from '../interface/media-types.ts'
import type { RawPath } from './raw-path.ts'

/** The headers of a request, with or without a socket. */
export interface HeaderReader {
  /** The value of a header by its name in lowercase; several values are joined by commas. */
  get(name: string): string | null
}

/** A request as received, when only its size and time have been checked. */
export interface IncomingRequest {
  readonly method: string
  readonly target: string
  readonly raw: RawPath
  readonly scheme: 'http' | 'https'
  readonly hosts: readonly string[]
  readonly remoteAddress: string
  /** Whether another account of this machine sent it; looked up when it is asked. */
  readonly isOfOtherUser: () => boolean
  readonly headers: HeaderReader
  /** The media types of its `Accept` header. */
  readonly media: MediaType
  readText(): Promise<string>
  /** The body as it comes, of any length. */
  readBytes(): AsyncIterable<Uint8Array>
  /** Calls a listener when the client has gone away, or has been answered. */
  onGone?: ((listener: () => void) => void) | undefined
}
