import { inPeriod } from '../database/rows/period.ts'
import {
  isSearched,
  MOST_SOURCES,
  TEXT_SOURCES,
  type TextSource,
} from '../database/schema/search-tables.ts'

/** Which texts to find. A text must match every filter. */
export interface SearchFilter {
  /** owner/name of the repository. */
  repository?: string | undefined
  /** Login of the author; for commits, the author's name or e-mail address. */
  author?: string | undefined
  /** Name of a label of the issue, pull request or discussion, comments included. */
  label?: string | undefined
  /** Kinds of text: issue, comment, review, … (`SEARCH_KINDS`) */
  kinds?: readonly string[] | undefined
  /** State of the issue or pull request, comments included; published or draft for releases. */
  state?: string | undefined
  /** Written at this time or later. */
  since?: Date | undefined
  /** Written at this time or earlier. */
  until?: Date | undefined
}

/** The tables that a filter selects, and its other conditions as SQL on `id`, the rowid in the index. */
export function filterSources(
  sources: readonly number[],
  { kinds, ...filter }: SearchFilter,
  id: string,
): { asked: number[]; isMet?: string; parameters: Record<string, string | number> } {
  const parameters: Record<string, string | number> = {}
  const asked = sources.filter(
    (id) => kinds === undefined || kinds.includes((TEXT_SOURCES[id] as TextSource).kind),
  )
  const cases = asked.flatMap((number) => {
    const { table, ...columns } = TEXT_SOURCES[number] as TextSource
    const conditions = conditionsOf(columns, filter, parameters)
    if (conditions.length === 0) return []
    return `WHEN ${number} THEN EXISTS (
      SELECT 1 FROM ${table} AS o WHERE o.rowid = ${id} / ${MOST_SOURCES} AND ${conditions.join(' AND ')})`
  })
  return {
    asked,
    ...(cases.length > 0 && { isMet: `CASE ${id} % ${MOST_SOURCES} ${cases.join(' ')} END` }),
    parameters,
  }
}

/** SQL for the texts that match a filter: their ids in the index (`id`), and when they were written (`at`). */
export function selectTexts(
  sources: readonly number[],
  { kinds, ...filter }: SearchFilter,
): { select: string; parameters: Record<string, string | number> } {
  const parameters: Record<string, string | number> = {}
  const selects = sources.flatMap((number) => {
    const source = TEXT_SOURCES[number] as TextSource
    if (kinds !== undefined && !kinds.includes(source.kind)) return []
    const conditions = [isSearched(source), ...conditionsOf(source, filter, parameters)]
    return `SELECT o.rowid * ${MOST_SOURCES} + ${number} AS id, unixepoch(${source.date}) AS at
      FROM ${source.table} AS o WHERE ${conditions.join(' AND ')}`
  })
  return {
    select: selects.join(' UNION ALL ') || 'SELECT 0 AS id, 0 AS at WHERE false',
    parameters,
  }
}

function conditionsOf(
  { isOfRepository, isByAuthor, labels, state, date }: Omit<TextSource, 'table'>,
  filter: SearchFilter,
  parameters: Record<string, string | number>,
): string[] {
  const conditions: string[] = []
  const demand = (name: string, value: string | number | undefined, condition: string) => {
    if (value === undefined) return
    parameters[name] = value
    conditions.push(`(${condition})`)
  }
  demand('repository', filter.repository, isOfRepository)
  demand('author', filter.author, isByAuthor)
  conditions.push(...inPeriod(`unixepoch(${date})`, filter))
  demand('label', filter.label, hasLabel(labels))
  // A comment has the state of its issue or pull request.
  demand('state', filter.state, `${state} = :state`)
  return conditions
}

const hasLabel = (labels: string) => `EXISTS (
  SELECT 1 FROM json_each(CASE WHEN json_valid(${labels}) THEN ${labels} END) AS e
  WHERE e.value IN (SELECT url FROM labels WHERE name = :label COLLATE NOCASE))`
