import type { JsonObject } from '../../records/json/json.ts'
import { perKind, type Storage } from '../../records/kinds/kind.ts'

/** A value of SQLite. Integers beyond 2^53 are bigints, blobs are bytes. */
export type SqlValue = string | number | bigint | null | Uint8Array

/** The stored values of a record: the columns of its kind in order, then `_extra` and `_member_order`. */
export type Row = SqlValue[]

/** The columns of a kind by position: 0 is `type`, which is not stored; the columns start at 1. */
export interface RowLayout {
  readonly type: string
  readonly names: readonly string[]
  readonly storages: readonly Storage[]
  readonly isList: readonly boolean[]
  readonly optional: readonly boolean[]
  readonly positionOf: ReadonlyMap<string, number>
  /** For each position, the next position (or itself) of a required member. */
  readonly nextRequired: readonly number[]
  /**
   * A record with all members null, to be copied and filled: a copy keeps the fast layout of parsed objects in V8, while
   * an object that grows by more than twelve members becomes a slow dictionary.
   */
  readonly blank: JsonObject
}

/** The row layout of a kind. */
export const rowLayoutOf = perKind((kind): RowLayout => {
  const columns = Object.values(kind.columns)
  const names = ['type', ...Object.keys(kind.columns)]
  const optional = [false, ...columns.map((column) => column.optional)]
  const nextRequired = [names.length]
  for (let i = names.length - 1; i >= 0; i--) {
    nextRequired.unshift(optional[i] ? (nextRequired[0] as number) : i)
  }
  return {
    type: kind.type,
    names,
    storages: ['text', ...columns.map((column) => column.storage)],
    isList: [false, ...columns.map((column) => column.list !== undefined)],
    optional,
    positionOf: new Map(names.map((name, position) => [name, position])),
    nextRequired,
    blank: JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))),
  }
})
