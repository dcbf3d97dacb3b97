import { escapeControls, escapeControlsButNewlines } from '../base/escape-controls.ts'

/** A text of an archive, fenced from our own words. */
export interface Writing {
  readonly author: string | null
  readonly url: string | null
  readonly created_at: string | null
  readonly text: string
  /** Characters of the whole text. */
  readonly length: number
  /** Where what follows begins; null if nothing does. */
  readonly next_offset: number | null
}

/** Characters of a text in an answer. */
const MOST_CHARACTERS = 6_000

/** Characters of a name, a title and other short texts. */
const LONGEST_NAME = 300

/** A text as the read model has it. */
interface Written {
  readonly author: string | null
  readonly url: string | null
  readonly created_at: string | null
  readonly body: string | null
}

/**
 * A text with its author, cut to a third of what an answer has room for.
 *
 * @param offset the first character
 */
export function writingOf(written: Written, bytes: number, offset = 0): Writing {
  const whole = written.body ?? ''
  let most = Math.max(MOST_CHARACTERS, Math.floor(bytes / 20))
  let text = ''
  do {
    text = whole.slice(offset, endOf(whole, offset + most))
    most = Math.floor(most / 2)
  } while (text.length > 1 && bytesOf(visible(text, 'text')) > bytes / 3)
  const end = offset + text.length
  return {
    author: nameOrNull(written.author),
    url: nameOrNull(written.url),
    created_at: nameOrNull(written.created_at),
    text,
    length: whole.length,
    next_offset: end < whole.length ? end : null,
  }
}

/** The place after a character, which may have two halves. */
const endOf = (text: string, end: number): number =>
  end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end

/** A short text such as a name, which may be of any length in an archive. */
export const shortName = (name: string): string =>
  name.length <= LONGEST_NAME ? name : `${name.slice(0, endOf(name, LONGEST_NAME))}…`

export const nameOrNull = (name: string | null): string | null =>
  name === null ? null : shortName(name)

/** Names of labels and people that an answer has. */
const MOST_NAMES = 50

export const namesOf = (names: readonly string[]): string[] =>
  names.slice(0, MOST_NAMES).map(shortName)

/**
 * A value of an answer in which control, bidi and invisible characters are written as escapes. Only members named `text` keep
 * their line breaks.
 */
export function visible(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    return name === 'text' ? escapeControlsButNewlines(value) : escapeControls(value)
  }
  if (Array.isArray(value)) return value.map((each) => visible(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [escapeControls(key), visible(each, key)]),
  )
}

/** Bytes that a value takes in an answer, which has it twice: as it is, and as JSON in a text. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value)
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))
}

/** Bytes of an answer around its list. */
const AROUND = 2_000

/** Takes what an answer has room for, at least one; the list that it fills may hold some already. */
export class Room {
  #left: number

  constructor(bytes: number, around: unknown = null) {
    this.#left = bytes - AROUND - bytesOf(visible(around))
  }

  /** Adds an item to a list; false if it does not fit, unless the list is empty. */
  add(list: unknown[], item: unknown): boolean {
    const size = bytesOf(visible(item)) + 1
    if (size > this.#left && list.length > 0) return false
    this.#left -= size
    list.push(item)
    return true
  }
}

/** A page of a list whose items can be read from any offset, in an answer that has `around` as well. */
export function pageOf<Item>(
  {
    total,
    cursor,
    bytes,
    most,
    around,
  }: { total: number; cursor: string | undefined; bytes: number; most: number; around?: unknown },
  read: (offset: number, limit: number) => readonly Item[],
  toAnswer: (item: Item) => unknown,
): { items: unknown[]; next_cursor: string | null } {
  const offset = Math.trunc(Number(cursor ?? 0))
  const room = new Room(bytes, around)
  const items: unknown[] = []
  for (const item of read(offset, most)) if (!room.add(items, toAnswer(item))) break
  const next = offset + items.length
  return { items, next_cursor: next < total && items.length > 0 ? String(next) : null }
}
