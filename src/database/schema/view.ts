import { quoteName } from '../quote.ts'
import type { Relation } from './relation.ts'

/** A view over one or more tables. */
export interface View {
  name: string
  summary: string
  /** Each column with its description. */
  columns: Record<string, string>
  /**
   * The tables to read, each with an expression for every column where that is not its own name. Columns whose names
   * end with _at are times, which the view gives in UTC.
   */
  parts: readonly { from: string; where?: string; [column: string]: string | undefined }[]
}

/** A view as a relation of the schema. */
export function view({ name, summary, columns, parts }: View): Relation {
  const selectFrom = (
    { from, where, ...expressions }: View['parts'][number],
    more: (from: string) => readonly string[],
  ) => {
    const list = Object.keys(columns).map((column) => {
      const value = expressions[column] ?? quoteName(column)
      const isTime = column.endsWith('_at') && value !== 'NULL'
      return `${isTime ? utcTime(value) : value} AS ${quoteName(column)}`
    })
    return `SELECT ${[...list, ...more(from)].join(', ')}\nFROM ${from}${where ? `\nWHERE ${where}` : ''}`
  }
  const selectAll = (more: (from: string) => readonly string[]) =>
    parts.map((part) => selectFrom(part, more)).join('\nUNION ALL\n')
  return {
    ...viewOf(
      name,
      summary,
      columns,
      selectAll(() => []),
    ),
    sourced: () => selectAll((from) => [`${firstTable(from)}._source`]),
  }
}

/** The name by which the first table of a FROM clause is known there. */
function firstTable(from: string): string {
  const [, table = '', alias = table] = /^(\w+)(?: AS (\w+))?/.exec(from) ?? []
  return alias
}

/** A view with a SELECT of its own. */
export const viewOf = (
  name: string,
  summary: string,
  columns: Readonly<Record<string, string>>,
  select: string,
): Relation => ({
  name,
  type: 'view',
  summary,
  columns: Object.entries(columns).map(([column, description]) => ({
    name: column,
    type: '',
    description,
  })),
  select,
})

/** `YYYY-MM-DDTHH:MM:SSZ`, as the host writes nearly every date. */
const CANONICAL = "'????-??-??T??:??:??Z'"
// SQLite reads much else as a date, such as now, 12:00 and 5.
const DATE_AND_TIME = `'${'[0-9]'.repeat(4)}-[0-9][0-9]-[0-9][0-9]T*'`

/**
 * In SQL, a time in UTC and to the second, whatever its offset, so that times compare as texts. A value that is not a
 * time stays as it is.
 */
export const utcTime = (time: string): string => `CASE
    WHEN ${time} GLOB ${CANONICAL} OR ${time} NOT GLOB ${DATE_AND_TIME} THEN ${time}
    ELSE coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', ${time}), ${time})
  END`
