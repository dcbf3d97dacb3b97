import { formatTime, USUAL_TIME } from '../base/format-time.ts'
import { isOid } from '../git/parse/git-object.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import { isObject } from '../records/json/json.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import { isRefName } from '../rules/ref-name.ts'

/** Reports a member of a source with a value of another type than expected. */
export type Fault = (member: string) => void

/**
 * Takes the members of a JSON object by type. A value of another type is left where it is, reported, and read as null.
 * What was not taken is kept in the record.
 */
export class Members {
  readonly #object: JsonObject
  readonly #taken = new Set<string>()
  readonly #added = new Map<string, JsonValue>()
  readonly #fault: Fault
  readonly #wrong = new Map<string, JsonValue>()

  constructor(object: JsonObject, fault: Fault) {
    this.#object = object
    this.#fault = fault
  }

  /** Takes a member of any type; null if it is absent. */
  take(name: string): JsonValue {
    const value = this.see(name)
    this.#taken.add(name)
    this.#added.delete(name)
    return value
  }

  /** The value of a member, which stays to be kept. */
  see(name: string): JsonValue {
    const added = this.#added.get(name)
    if (added !== undefined) return added
    const isThere = Object.hasOwn(this.#object, name) && !this.#taken.has(name)
    return isThere ? (this.#object[name] as JsonValue) : null
  }

  /** The names of the members that were not taken. */
  names(): string[] {
    const found = Object.keys(this.#object).filter((name) => !this.#taken.has(name))
    return this.#added.size === 0 ? found : [...new Set([...found, ...this.#added.keys()])]
  }

  /** Keeps a value that cannot be used. */
  refuse(name: string, value: JsonValue): null {
    this.#fault(name)
    this.#wrong.set(name, value)
    return null
  }

  /** Adds a member to be kept. */
  keep(name: string, value: JsonValue): void {
    this.#added.set(name, value)
  }

  text(name: string): string | null {
    const value = this.take(name)
    return value === null || typeof value === 'string' ? value : this.refuse(name, value)
  }

  /** The id of a commit, of forty hexadecimal digits. */
  commit(name: string): string | null {
    return this.#textThat(isOid, name)
  }

  /** The name of a branch or a tag, if Git allows it. */
  branch(name: string): string | null {
    return this.#textThat(isRefName, name)
  }

  #textThat(fits: (text: string) => boolean, name: string): string | null {
    const text = this.text(name)
    return text === null || fits(text) ? text : this.refuse(name, text)
  }

  flag(name: string): boolean | null {
    const value = this.take(name)
    return value === null || typeof value === 'boolean' ? value : this.refuse(name, value)
  }

  integer(name: string): number | null {
    const value = this.take(name)
    if (value === null) return null
    // JSON prints -0 as 0.
    return Number.isSafeInteger(value) ? (value as number) + 0 : this.refuse(name, value)
  }

  /** A time in UTC to the second: offsets are converted, fractions cut. */
  time(name: string): string | null {
    const value = this.take(name)
    if (value === null) return null
    return (typeof value === 'string' && timeOf(value)) || this.refuse(name, value)
  }

  object(name: string): JsonObject | null {
    const value = this.take(name)
    return value === null ? null : isObject(value) ? value : this.refuse(name, value)
  }

  /** The objects of a list. Other elements are kept. */
  objects(name: string): JsonObject[] {
    return this.list(name, (element) => (isObject(element) ? element : undefined))
  }

  /** The texts of a list. Other elements are kept. */
  texts(name: string): string[] {
    return this.list(name, (element) => (typeof element === 'string' ? element : undefined))
  }

  /**
   * What is read of the elements of a list.
   *
   * @param read returns undefined for an element that cannot be used, which is kept
   */
  list<T>(name: string, read: (element: JsonValue, index: number) => T | undefined): T[] {
    const value = this.take(name)
    if (value === null) return []
    if (!Array.isArray(value)) {
      this.refuse(name, value)
      return []
    }
    const found: T[] = []
    const others: JsonValue[] = []
    for (const [i, element] of value.entries()) {
      const one = read(element, i)
      if (one === undefined) others.push(element)
      else found.push(one)
    }
    if (others.length > 0) this.refuse(name, others)
    return found
  }

  /**
   * Keeps what a member has beside what was read of it.
   *
   * @param inner the members of its value
   */
  keepRest(name: string, inner: Members, derivable: (name: string) => boolean): void {
    const rest = inner.rest('', derivable)
    if (Object.keys(rest).length > 0) this.keep(name, rest)
  }

  /**
   * The members that were not taken, for a record of a kind. Those whose names the kind or the record needs for other values,
   * and values of the wrong type, are in an object `github`.
   *
   * @param derivable whether a member says nothing that the record does not say
   */
  rest(kind: string, derivable: (name: string) => boolean, record: JsonObject = {}): JsonObject {
    const columns = Object.hasOwn(KINDS, kind) ? KINDS[kind as KindName].columns : {}
    const isOwn = (name: string) => Object.hasOwn(columns, name) || Object.hasOwn(record, name)
    const kept: [string, JsonValue][] = []
    for (const name of this.names()) {
      if (derivable(name)) continue
      const value = this.see(name)
      if (name !== 'type' && name !== 'github' && !isOwn(name)) {
        kept.push([name, value])
      } else if (value !== null) this.#wrong.set(name, value)
    }
    if (this.#wrong.size > 0) kept.push(['github', Object.fromEntries(this.#wrong)])
    return Object.fromEntries(kept)
  }

  /**
   * The members that were not taken, and those with a value of the wrong type, in their order; undefined for none. Nulls say
   * nothing and are left out.
   */
  unused(derivable: (name: string, value: JsonValue) => boolean): JsonObject | undefined {
    const kept: [string, JsonValue][] = []
    for (const name of new Set([...Object.keys(this.#object), ...this.#added.keys()])) {
      const value = this.#wrong.get(name) ?? this.see(name)
      if (value !== null && !derivable(name, value)) kept.push([name, value])
    }
    return kept.length > 0 ? Object.fromEntries(kept) : undefined
  }
}

const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
/** As most exports of other hosts have it: making a date of each takes much longer. */
const IN_UTC = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]00:?00)$/
const ANY = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/

/** A time in UTC to the second; undefined for a text that is no time with a zone. */
export function timeOf(text: string): string | undefined {
  if (USUAL_TIME.test(text)) return text
  const [, day, clock] = IN_UTC.exec(text) ?? []
  const cut = `${day}T${clock}Z`
  if (day !== undefined && USUAL_TIME.test(cut)) return cut
  if (!ANY.test(text)) return undefined
  const time = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  if (Number.isNaN(time)) return undefined
  const found = formatTime(time)
  // Date.parse makes another day of one that does not exist.
  if (SECOND.test(text)) return found === text ? text : undefined
  return SECOND.test(found) ? found : undefined
}

/** The commit of what names none. */
export const NO_COMMIT = '0'.repeat(40)

/** The branch or tag of what names none. */
export const NO_BRANCH = 'unknown'
