import type { Column, Kind } from '../records/kinds/kind.ts'
import { KINDS } from '../records/kinds/kinds.ts'

/** The values that a target can hold. A value that it would change goes to `_extra` as well. */
export interface Dialect {
  /** Whether text may have U+0000. */
  readonly nul: boolean
  /** Whether NULL differs from an empty list. */
  readonly nullList: boolean
  /** Whether NULL differs from a struct of NULLs. */
  readonly nullStruct: boolean
  /** Times are kept as text, as they were written. */
  readonly timesAsText?: boolean
  /** JSON loses the order of members and the text of numbers. */
  readonly normalizesJson?: boolean
  /** Columns with an index, and the bytes of the longest text in one. */
  readonly indexed?: { readonly bytes: number; isIndexed(column: string): boolean }
}

/** Parquet and DuckDB hold everything. */
export const EXACT: Dialect = { nul: true, nullList: true, nullStruct: true }

/** Members with an index of their own: URLs that people join and filter by. */
export const isIndexed = (member: string): boolean => INDEXED.has(member)

const INDEXED = new Set([
  'url',
  'repository',
  'labels',
  ...Object.values<Kind>(KINDS).flatMap(({ columns }) =>
    Object.entries<Column>(columns)
      .filter(([, { refersTo }]) => refersTo)
      .map(([name]) => name),
  ),
])

/** ClickHouse has neither a list nor a tuple that is NULL. */
export const CLICKHOUSE_DIALECT: Dialect = { ...EXACT, nullList: false, nullStruct: false }

/** The values that PostgreSQL cannot hold: U+0000, the order and numbers of jsonb, long texts in an index. */
export const POSTGRES_DIALECT: Dialect = {
  nul: false,
  nullList: true,
  nullStruct: true,
  normalizesJson: true,
  indexed: { bytes: 2000, isIndexed },
}

const NO_MEMBERS = '"'

/**
 * Names of members as `_member_order` has them: the inverse of `parseMembers`. A name that not every target holds is
 * written as JSON, and so is one that looks like JSON. An empty list has an element, because not every target tells it
 * from NULL.
 */
export const listMembers = (names: readonly string[]): string[] =>
  names.length === 0
    ? [NO_MEMBERS]
    : names.map((name) =>
        /^"|\0/.test(name) || !name.isWellFormed() ? JSON.stringify(name) : name,
      )

/** The names of members that `_member_order` lists. */
export const parseMembers = (listed: readonly string[]): string[] =>
  listed
    .filter((name) => name !== NO_MEMBERS)
    .map((name) => (name.startsWith('"') ? (JSON.parse(name) as string) : name))
