import { createHash } from 'node:crypto'
import type { JsonValue } from '../records/json/json.ts'

/** JSON as it is sent, with its hash, so that a cached answer is neither printed nor hashed again. */
export class Rendered {
  /** The bytes in one piece or several: those of a list are those of its elements, which caches keep. */
  readonly pieces: readonly Uint8Array[]
  readonly length: number
  #sha256: string | undefined
  #tag: { link: string; tag: string } | undefined

  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces
    this.length = pieces.reduce((sum, { length }) => sum + length, 0)
  }

  #hash(): string {
    const sum = createHash('sha256')
    for (const piece of this.pieces) sum.update(piece)
    return sum.digest('hex')
  }

  /** The ETag of this body with this `Link` header, its quotes included. */
  etag(link: string | undefined = ''): string {
    if (this.#tag?.link === link) return this.#tag.tag
    this.#sha256 ??= this.#hash()
    const sum = createHash('sha256').update(`${this.#sha256}\n${link}`).digest('hex')
    this.#tag = { link, tag: `"${sum.slice(0, 32)}"` }
    return this.#tag.tag
  }
}

/** Renders a value as compact JSON. Handlers may keep the result and answer with it again. */
export const render = (value: JsonValue | readonly JsonValue[]): Rendered =>
  new Rendered(Buffer.from(JSON.stringify(value)))

/** An element of a list as JSON in UTF-8, in one piece or several. */
export type RenderedElement = readonly Uint8Array[]

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
]

/** Renders a list of elements that were rendered before: their bytes are neither encoded again nor copied. */
export const renderList = (elements: readonly RenderedElement[]): Rendered =>
  new Rendered(
    OPEN,
    ...elements.flatMap((element, i) => (i === 0 ? element : [COMMA, ...element])),
    CLOSE,
  )
