import type { QueryParameter } from '../../query/parse-saved-query.ts'
import type { QueryResult } from '../../query/run-query.ts'
import type { NamedQuery } from '../../query/saved-queries.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls, escapeControlsButNewlines } from '../output/escape-controls.ts'
import { formatColumns } from '../output/format-columns.ts'
import { isShipped } from '../sources/saved-queries.ts'

/** The list of saved queries for people. */
export function describeSavedQueries(queries: readonly NamedQuery[], folder: string): SafeText {
  const section = (title: SafeText, listed: readonly NamedQuery[]) =>
    listed.length === 0
      ? []
      : [
          title,
          formatColumns(listed.map(({ name, summary }) => [shown(name), shown(summary)])),
          safe``,
        ]
  const own = queries.filter((query) => !isShipped(query))
  return [
    ...section(safe`Saved queries:`, queries.filter(isShipped)),
    ...section(safe`Your own queries, in ${shown(folder)}:`, own),
    safe`Run one:                marc query <database> --saved <name> [-p name value]`,
    safe`Its parameters and SQL: marc query --saved <name>`,
    ...(own.length > 0
      ? []
      : [safe`Save your own queries as .sql files in:`, safe`  ${shown(folder)}`]),
    safe``,
  ].join('\n')
}

/** One saved query: its summary, parameters and SQL. */
export function describeSavedQuery({ name, summary, parameters, path, ...rest }: NamedQuery) {
  const { needs, sql } = rest
  const rows = parameters.map(
    (parameter) =>
      [
        shown(`-p ${parameter.name} <${placeholder(parameter)}>`),
        shown(describeParameter(parameter)),
      ] as const,
  )
  return [
    safe`${shown(name)}: ${shown(summary)}\n`,
    ...(rows.length > 0 ? [safe`Parameters:\n${formatColumns(rows)}\n`] : []),
    ...(needs ? [safe`Needs the table ${shown(needs.table)}: ${shown(needs.command)}\n`] : []),
    safe`${shown(path)}:\n`,
    escapeControlsButNewlines(sql),
  ].join('\n')
}

/** The saved queries as rows. */
export const savedQueryRows = (queries: readonly NamedQuery[]): QueryResult => ({
  columns: ['name', 'summary', 'parameters', 'needs', 'path'],
  rows: queries.map(({ name, summary, parameters, needs, path }) => [
    name,
    summary,
    parameters.map(nameAndStandard).join(' ') || null,
    needs?.table ?? null,
    path,
  ]),
})

const shown = escapeControls

const placeholder = ({ type }: QueryParameter): string =>
  type === 'thread' ? 'number' : (type ?? 'value')

const describeParameter = (parameter: QueryParameter): string => {
  const { description, standard } = parameter
  if (standard === undefined) return `${description} (required)`
  return standard === null ? description : `${description} [${standard}]`
}

const nameAndStandard = ({ name, standard }: QueryParameter): string =>
  standard === undefined || standard === null ? name : `${name}=${standard}`
