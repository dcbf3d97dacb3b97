/** Tables whose records are items. Reviews that only hold replies are none, but for faces that list each review. */
export const SOURCES = [
  'comment',
  'event',
  'review',
  'review_thread',
  'replies',
  'discussion_comment',
] as const

export type Source = (typeof SOURCES)[number]

/** Where the items of a thread are, in their order: each as an index of `SOURCES`, and its rowid there. */
export interface Order {
  readonly sources: Uint8Array
  readonly ids: BigInt64Array
}

/** Where an item is. */
export interface Place {
  readonly source: Source
  readonly id: bigint
}

/** The order of the items, and that of everything. */
export interface Orders {
  readonly items: Order
  readonly all: Order
}

/** The order of the items, from that of everything. */
export const toOrders = (all: Order): Orders => ({ all, items: withoutReplies(all) })

/** Collects places in few bytes each: a thread may have a million of them. */
export class PlaceList {
  #sources = new Uint8Array(8)
  #ids = new BigInt64Array(8)
  #length = 0

  add({ source, id }: Place): void {
    const length = this.#length++
    if (length === this.#ids.length) {
      this.#sources = extended(new Uint8Array(2 * length), this.#sources)
      this.#ids = extended(new BigInt64Array(2 * length), this.#ids)
    }
    this.#sources[length] = SOURCES.indexOf(source)
    this.#ids[length] = id
  }

  order(): Order {
    return {
      sources: this.#sources.slice(0, this.#length),
      ids: this.#ids.slice(0, this.#length),
    }
  }
}

function extended<List extends Uint8Array | BigInt64Array>(list: List, start: List): List {
  list.set(start as never)
  return list
}

function withoutReplies(all: Order): Order {
  const isItem = (_: unknown, i: number) => SOURCES[all.sources[i] ?? 0] !== 'replies'
  const ids = all.ids.filter(isItem)
  return ids.length === all.ids.length ? all : { sources: all.sources.filter(isItem), ids }
}
