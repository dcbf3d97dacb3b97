import { quoteName } from '../quote.ts'

/** A table or view of the database, with its documentation. */
export interface Relation {
  readonly name: string
  readonly type: 'table' | 'view'
  readonly summary: string
  readonly columns: readonly RelationColumn[]
  /** The table whose list the view expands. */
  readonly listOf?: string
  /** The SELECT of a view. */
  readonly select?: string
  /** The SELECT of a view with the column `_source` at the end, if each table that it reads has that column. */
  readonly sourced?: () => string
  /** Created after the rows are inserted. */
  readonly indexes?: readonly Index[]
}

export interface RelationColumn {
  readonly name: string
  /** SQL type with constraints; empty in a view. */
  readonly type: string
  readonly description: string
  /** The expression of a generated column. */
  readonly generated?: string
  /** The tables whose URLs or ids it holds. */
  readonly refersTo?: readonly string[]
}

export interface Index {
  readonly name: string
  readonly on: string
  readonly unique?: boolean
  readonly where?: string
}

/**
 * The statement that creates a view, or a table: with all columns (`whole`) or only the stored ones. `completeTables`
 * adds the generated ones later.
 */
export function createStatement(relation: Relation, { whole = false } = {}): string {
  const known = whole ? WHOLE : BARE
  const statement = known.get(relation) ?? writeStatement(relation, whole)
  known.set(relation, statement)
  return statement
}

// Each load needs each statement several times.
const WHOLE = new WeakMap<Relation, string>()
const BARE = new WeakMap<Relation, string>()

function writeStatement(
  { name, type, summary, columns, select }: Relation,
  whole: boolean,
): string {
  if (type === 'view') return `CREATE VIEW ${quoteName(name)} AS -- ${summary}\n${select}`
  const stored = columns.filter(({ generated }) => generated === undefined)
  const others = whole ? columns.filter(({ generated }) => generated !== undefined) : []
  const lines = [...stored, ...others].map((column, i, all) => {
    const { type, generated } = column
    const from = generated === undefined ? '' : ` GENERATED ALWAYS AS (${generated}) VIRTUAL`
    const comma = i < all.length - 1 ? ',' : ''
    return `  ${quoteName(column.name)} ${type}${from}${comma} -- ${column.description}`
  })
  return `CREATE TABLE ${quoteName(name)} ( -- ${summary}\n${lines.join('\n')}\n)`
}

export function indexStatement(table: string, { name, on, unique, where }: Index): string {
  const filter = where === undefined ? '' : ` WHERE ${where}`
  const kind = unique ? 'UNIQUE INDEX' : 'INDEX'
  return `CREATE ${kind} IF NOT EXISTS ${quoteName(name)} ON ${quoteName(table)} (${on})${filter}`
}
