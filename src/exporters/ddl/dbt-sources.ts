import { RELATIONS } from '../../database/schema/schema.ts'
import { datasetTables, shownTables } from './dataset-views.ts'
import { ENGINES } from './engine.ts'
import { joinedViews } from './joined-views.ts'

/** A table or view as dbt describes it. */
interface Source {
  readonly name: string
  readonly summary: string
  readonly columns: readonly { readonly name: string; readonly description: string }[]
}

/**
 * The tables and views of an export as a source of dbt, in YAML. Their names are the same in all engines; the schema is
 * the variable `marc_schema` of the project.
 *
 * @param present the tables that have a file
 */
export function dbtSources(present: readonly string[]): string {
  const summaries = new Map(RELATIONS.map(({ name, summary }) => [name, summary]))
  const tables = shownTables(datasetTables(present)).map(({ table, name }) => ({
    name,
    isOfRecords: table.kind !== undefined,
    summary: summaries.get(table.name) ?? 'Records of a kind without a table of its own.',
    columns: table.columns,
  }))
  const latest = tables
    .filter(({ isOfRecords }) => isOfRecords)
    .map(({ name, columns }) => ({
      name: `latest_${name}`,
      summary: `Of each URL in ${name}, the row of the newest archive.`,
      columns,
    }))
  const joined = joinedViews(ENGINES.duckdb)
  return `${[
    '# Tables and views of the dataset for dbt, written by marc.',
    'version: 2',
    'sources:',
    '  - name: marc',
    `    schema: "{{ var('marc_schema', 'main') }}"`,
    '    tables:',
    ...[ARCHIVES, ...joined, ...tables, ...latest].flatMap(linesOf),
  ].join('\n')}\n`
}

const ARCHIVES: Source = {
  name: 'archives',
  summary: 'The archives that were exported.',
  columns: [
    { name: 'name', description: 'The partition, as _archive has it.' },
    { name: 'state', description: 'Whether all of it is there.' },
    { name: 'newest', description: 'The newest time in any of its records.' },
  ],
}

const linesOf = ({ name, summary, columns }: Source): string[] => [
  `      - name: ${text(name)}`,
  `        description: ${text(summary)}`,
  '        columns:',
  ...columns.flatMap((column) => [
    `          - name: ${text(column.name)}`,
    `            description: ${text(column.description)}`,
  ]),
]

/** A text of JSON is one of YAML. dbt would take braces for a template. */
const text = (value: string) =>
  JSON.stringify(value).replaceAll('{{', '{ {').replaceAll('{%', '{ %')
