import type { JsonObject, JsonValue } from '../json/json.ts'
import type { Derivation } from './derivation.ts'

/** What a column holds: JSON's string, string that is a date, boolean, integer; any object or array. */
export type Storage = 'text' | 'time' | 'flag' | 'integer' | 'json'

/** One known member of a kind's records. `T` is the member's type in a record; it has no value. */
export interface Column<T = unknown> {
  readonly storage: Storage
  readonly description: string
  /** A member that real records leave out rather than set to null; so NULL in its column means absent. */
  readonly optional: boolean
  /** The tables one of which has the record (or label) that this url names. */
  readonly refersTo?: readonly string[]
  /** What the elements of a list are: one thing by its name in the singular, or objects with members. */
  readonly list?: List
  /** What the members of an object are. */
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

/** A reference: the url of a record in one of `tables`. It may lead nowhere. */
export const refersTo = (
  tables: string | readonly string[],
  description: string,
): Column<string | null> => ({
  ...column<string | null>('text', description),
  refersTo: typeof tables === 'string' ? [tables] : tables,
})

/** A list of one thing, such as references, called `name` in the singular. */
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

/** Marks a member that real records leave out where it does not apply, or did before some year. */
export const optional = <T>(column: Column<T>): Column<T | undefined> => ({
  ...column,
  optional: true,
})

function column<T>(storage: Storage, description: string): Column<T> {
  return { storage, description, optional: false }
}

/** What a kind of record is: the one entry from which table, types, reading and help follow. */
export interface Kind<Type extends string = string, M extends Members = Members> {
  /** The `type` that its records name. */
  readonly type: Type
  readonly summary: string
  /** Known members in the order in which the host writes them; `type` comes first and is not listed. */
  readonly columns: M
  /** Columns that follow from others, to make SQL pleasant. */
  readonly derived: { readonly [column: string]: Derived }
}

export interface Derived {
  readonly storage: Storage
  readonly description: string
  readonly from: Derivation
}

/** What `make` makes of a kind, made once. */
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

/** A record of a kind as TypeScript sees it. Real records may also have members unknown here. */
export type RecordOf<K> =
  K extends Kind<infer Type, infer M> ? { type: Type } & Values<M> & JsonObject : never
