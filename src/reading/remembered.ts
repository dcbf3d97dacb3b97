import { createLruCache, type LruCache } from '../base/lru-cache.ts'

/** Values of one type that a reader has remembered, under keys of its own. Two readers with equal keys do not meet. */
export class Memo<Value> {
  static #count = 0
  /** Begins its keys; no other memo has the same one. */
  readonly prefix = `${Memo.#count++} `
  readonly bytesOf: (value: Value) => number

  /** @param bytesOf the approximate size of a value */
  constructor(bytesOf: (value: Value) => number = () => 200) {
    this.bytesOf = bytesOf
  }
}

interface Entry {
  readonly value: unknown
  readonly bytes: number
}

/** Values of all memos, stores and libraries that share this room. */
interface Room {
  readonly entries: LruCache<string, Entry>
  parts: number
}

/** Bytes of all that a library remembers. */
const ROOM = 32 * 2 ** 20

/** Memory that an entry takes in addition to its key and value. */
const ENTRY = 200

/** What was made from rows and may be needed again, as long as there is room: what was not used for longest goes first. */
export class Remembered {
  readonly #room: Room
  readonly #prefix: string

  constructor(
    room: Room = { entries: createLruCache(ROOM, ({ bytes }: Entry) => bytes), parts: 0 },
  ) {
    this.#room = room
    this.#prefix = `${room.parts++} `
  }

  /** The same room with other keys: neither finds the values of the other. */
  apart(): Remembered {
    return new Remembered(this.#room)
  }

  /** The value, which may be undefined, if it is remembered. */
  find<Value>(memo: Memo<Value>, key: string): { readonly value: Value } | undefined {
    const entry = this.#room.entries.get(this.#keyOf(memo, key))
    return entry as { readonly value: Value } | undefined
  }

  /** The remembered value, or what `make` returns. */
  remember<Value>(memo: Memo<Value>, key: string, make: () => Value): Value {
    const known = this.find(memo, key)
    if (known) return known.value
    const value = make()
    const bytes = memo.bytesOf(value) + 2 * key.length + ENTRY
    this.#room.entries.set(this.#keyOf(memo, key), { value, bytes })
    return value
  }

  /** Forgets everything in the room. */
  forget(): void {
    this.#room.entries.clear()
  }

  #keyOf = ({ prefix }: Memo<never>, key: string): string => prefix + this.#prefix + key
}
