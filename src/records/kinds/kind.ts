import type { JsonObject, JsonValue } from '../json/json.ts'
import type { Derivation } from './derivation.ts'

/** The values of a column: strings, dates, booleans, integers, or any objects and arrays. */
export type Storage = 'text' | 'time' | 'flag' | 'integer' | 'json'

/** One known member of a kind's records. `T` is the member's type in a record; it has no value. */
export interface Column<T = unknown> {
  readonly storage: Storage
  readonly description: string
  /** Real records omit this member rather than set it to null, so NULL in its column means absent. */
  readonly optional: boolean
  /** The tables that may have the record (or label) with this URL. */
  readonly refersTo?: readonly string[]
  /** The elements of a list: values with a name in the singular, or objects with members. Their order means nothing. */
  readonly list?: List
  /** The members of an object. */
  readonly members?: Members
  readonly value?: T
}

export interface List {
  readonly name?: string
  readonly element: Column | Members
}

export type Members = { readonly [member: string]: Column }

export const text = (description: string): Column<string | null> => column('text', description)
export const time = (description: string): Column<string | null> => column('time', description)
export const flag = (description: string): Column<boolean | null> => column('flag', description)
export const integer = (description: string): Column<number | null> =>
  column('integer', description)
export const json = (description: string): Column<JsonValue> => column('json', description)

/** A reference: the URL of a record in one of `tables`. It may dangle. */
export const refersTo = (
  tables: string | readonly string[],
  description: string,
): Column<string | null> => ({
  ...column<string | null>('text', description),
  refersTo: typeof tables === 'string' ? [tables] : tables,
})

/** A list of values, such as references, called `name` in the singular. */
export const listOf = <T>(
  name: string,
  element: Column<T>,
  description: string,
): Column<NonNullable<T>[]> => ({ ...column('json', description), list: { name, element } })

/** A list of objects with these members. */
export const listOfObjects = <M extends Members>(
  members: M,
  description: string,
): Column<Values<M>[]> => ({ ...column('json', description), list: { element: members } })

/** An object with these members. */
export const object = <M extends Members>(
  members: M,
  description: string,
): Column<Values<M> | null> => ({ ...column('json', description), members })

/** Marks a member that real records omit if it does not apply, or omitted before some year. */
export const optional = <T>(column: Column<T>): Column<T | undefined> => ({
  ...column,
  optional: true,
})

function column<T>(storage: Storage, description: string): Column<T> {
  return { storage, description, optional: false }
}

/** A kind of record. Its table, types, reading and help follow from this. */
export interface Kind<Type extends string = string, M extends Members = Members> {
  /** The `type` that its records name. */
  readonly type: Type
  readonly summary: string
  /** Known members in the order in which GitHub writes them; `type` comes first and is not listed. */
  readonly columns: M
  /** Columns derived from others, for convenience in SQL. */
  readonly derived: { readonly [column: string]: Derived }
}

export interface Derived {
  readonly storage: Storage
  readonly description: string
  readonly from: Derivation
}

/** Caches the result of `make` for each kind. */
export function perKind<T extends object>(make: (kind: Kind) => T): (kind: Kind) => T {
  const made = new WeakMap<Kind, T>()
  return (kind) => {
    let known = made.get(kind)
    if (known === undefined) {
      known = make(kind)
      made.set(kind, known)
    }
    return known
  }
}

export function defineKind<const Type extends string, M extends Members>(
  kind: Kind<Type, M>,
): Kind<Type, M> {
  return kind
}

type Values<M extends Members> = {
  -readonly [K in keyof M as undefined extends ValueOf<M[K]> ? never : K]: ValueOf<M[K]>
} & {
  -readonly [K in keyof M as undefined extends ValueOf<M[K]> ? K : never]?: Exclude<
    ValueOf<M[K]>,
    undefined
  >
}

type ValueOf<C> = C extends Column<infer T> ? T : never

/** The TypeScript type of a kind's records. Real records may have other members as well. */
export type RecordOf<K> =
  K extends Kind<infer Type, infer M>
    ? {
        /** The type of the record, in the singular. */
        type: Type
      } & Values<M> &
        JsonObject
    : never
