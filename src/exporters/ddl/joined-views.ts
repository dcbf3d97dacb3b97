import { PEOPLE } from '../../database/schema/facts/people.ts'
import type { View } from '../../database/schema/view.ts'
import { type PersonSql, threadsView, timelineView } from '../../database/schema/views.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import { type ExportType, exportColumns } from '../column-types.ts'
import type { Engine } from './engine.ts'

/** A view of an engine: its name and its SELECT. */
export interface EngineView {
  readonly name: string
  readonly summary: string
  readonly select: string
  readonly columns: readonly { readonly name: string; readonly description: string }[]
}

/** `threads`, `timeline` and `people` as the database has them, and the partition of each row. */
export function joinedViews(engine: Pick<Engine, 'quote' | 'type'>): EngineView[] {
  const { quote } = engine
  // Some engines allow no subquery in a SELECT list, so people are joined.
  const sql: PersonSql = {
    login: (column) =>
      `coalesce(${[...PEOPLE_TABLES.map((table) => `_${table}_login`), quote(`${column}_login`)].join(', ')})`,
    isBot: (column) => `coalesce(_bots_url IS NOT NULL OR ${quote(column)} LIKE '%[bot]', FALSE)`,
  }
  return [threadsView(sql), timelineView(sql), PEOPLE].map((view) => ({
    name: view.name,
    summary: view.summary,
    columns: Object.entries({ ...view.columns, _archive: 'The archive that the row is from.' }).map(
      // A database has lists as JSON.
      ([name, text]) => ({ name, description: text.replace('a JSON array', 'a list') }),
    ),
    select: view.parts.map((part) => selectPart(engine, view, part)).join('\nUNION ALL\n'),
  }))
}

function selectPart(
  { quote, type }: Pick<Engine, 'quote' | 'type'>,
  view: View,
  part: View['parts'][number],
): string {
  const columns = [...Object.keys(view.columns), '_archive'].map((name) => {
    const given = part[name]
    const value =
      given === 'NULL' ? `CAST(NULL AS ${type(typeIn(view, name))})` : (given ?? quote(name))
    return `${value} AS ${quote(name)}`
  })
  const user = quote(part.user ?? 'user')
  const people = PEOPLE_TABLES.map(
    (table) => `
LEFT JOIN (SELECT url AS _${table}_url, nullif(max(login), '') AS _${table}_login FROM ${table} WHERE url IS NOT NULL GROUP BY url) AS ${table}_by_url ON ${table}_by_url._${table}_url = o.${user}`,
  )
  const from = `FROM ${quote(part.from)} AS o${'user_login' in view.columns ? people.join('') : ''}`
  return `SELECT ${columns.join(', ')}\n${from}`
}

/** The type of a column: that of the first table that has it under its own name. */
function typeIn({ parts }: View, name: string): ExportType {
  for (const part of parts) {
    if (part[name] !== undefined) continue
    const found = exportColumns(KINDS[part.from as keyof typeof KINDS]).find(
      (column) => column.name === name,
    )
    if (found) return found.type
  }
  return { is: 'text' }
}
