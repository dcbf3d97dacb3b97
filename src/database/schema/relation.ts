import { quoteName } from '../quote.ts'

/** A table or view of the database with what a person wants to know of it. */
export interface Relation {
  readonly name: string
  readonly type: 'table' | 'view'
  readonly summary: string
  readonly columns: readonly RelationColumn[]
  /** The table whose list a view opens. */
  readonly listOf?: string
  /** The SELECT of a view. */
  readonly select?: string
  /** Names of indexes and the columns (or expressions) they are on; made after the rows. */
  readonly indexes?: readonly Index[]
}

export interface RelationColumn {
  readonly name: string
  /** SQLite's type with constraints; empty in a view. */
  readonly type: string
  readonly description: string
  /** The expression that it follows from, for a generated column. */
  readonly generated?: string
  /** The tables whose identity it holds. */
  readonly refersTo?: readonly string[]
}

export interface Index {
  readonly name: string
  readonly on: string
  readonly unique?: boolean
  readonly where?: string
}

/**
 * The statement that makes a view, or a table: `whole`, or only with the columns that are stored, to which
 * `completeRelations` adds the others.
 */
export function createStatement(relation: Relation, { whole = false } = {}): string {
  const known = whole ? WHOLE : BARE
  const statement = known.get(relation) ?? writeStatement(relation, whole)
  known.set(relation, statement)
  return statement
}

// Each is asked for several times in a load, and again by the next one.
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
