import { quoteName, quoteText } from '../../../database/quote.ts'
import { unknownKind } from '../../../database/schema/unknown-kind.ts'
import { isColumn } from '../../../records/kinds/member-paths.ts'
import { datasetTables } from '../../ddl/dataset-views.ts'
import { postgres } from '../../ddl/engine.ts'
import { tableViews } from '../../ddl/table-views.ts'
import { isIndexed } from '../../dialect.ts'
import { type ExportTable, tableOfKind } from '../../table.ts'
import { COUNTING_VIEWS } from './counting-views.ts'

const SHARD = '_shard'

/** The tables that a schema always has. */
export const schemaTables = (): ExportTable[] => datasetTables([])

/** The table of an unknown kind. */
export const unknownTable = (name: string): ExportTable =>
  tableOfKind(name, unknownKind(name), { raw: true })

/** The columns of a table with their types. */
export const columnsOf = ({ columns }: ExportTable): string[] => [
  ...columns.map(
    ({ name, type }) => `${quoteName(name)} ${name === '_extra' ? 'json' : postgres.type(type)}`,
  ),
  `${SHARD} text`,
]

/** The comments on a table and its columns. */
export function describeTable({ name, columns, kind }: ExportTable): string[] {
  const table = quoteName(name)
  return [
    ...(kind?.summary ? [`COMMENT ON TABLE ${table} IS ${quoteText(kind.summary)};`] : []),
    ...columns.map(
      (column) =>
        `COMMENT ON COLUMN ${table}.${quoteName(column.name)} IS ${quoteText(column.description)};`,
    ),
  ]
}

/** The statement that makes a table, and adds columns that an older one lacks. */
export function createTable(table: ExportTable): string {
  const name = quoteName(table.name)
  const columns = columnsOf(table)
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (\n  ${columns.join(',\n  ')}\n);`,
    `ALTER TABLE ${name} ${columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')};`,
    ...describeTable(table),
  ].join('\n')
}

/** The indexes of a table by name. They are made after the rows of the first archive. */
export function indexesOf({ name, columns, kind }: ExportTable): Map<string, string> {
  const indexes = new Map<string, string>()
  const add = (columns: readonly string[], method = '') => {
    const index = `${name}_by_${columns.join('_').replace(/^_/, '')}`
    const list = columns.map(quoteName).join(', ')
    indexes.set(index, `CREATE INDEX ${quoteName(index)} ON ${quoteName(name)} ${method}(${list});`)
  }
  const has = (column: string) => columns.some((one) => one.name === column)
  add(['_archive'])
  if (!kind) return indexes
  for (const member of Object.keys(kind.columns)) {
    if (member === 'labels') add(['labels'], 'USING gin ')
    else if (member === 'repository' && has('number')) add(['repository', 'number'])
    else if (isIndexed(member)) add([member])
  }
  return indexes
}

/** The views of a schema: lists, joined kinds, the newest rows, and counts. */
export function createViews(tables: readonly ExportTable[]): string[] {
  const lists = tables.flatMap(listViews).map(([name, select]) => ({ name, select }))
  return [...lists, ...tableViews(postgres, tables), ...COUNTING_VIEWS].map(
    ({ name, select }) => `CREATE OR REPLACE VIEW ${quoteName(name)} AS\n${select};`,
  )
}

/** A view with a row for each element of a list. */
function listViews({ name, kind }: ExportTable): [name: string, select: string][] {
  return Object.entries(kind?.columns ?? {}).flatMap(([member, { list }]) => {
    if (!list || !kind) return []
    const owner = [
      `o.url AS ${quoteName(kind.type)}`,
      ...['full_name', 'number'].filter((one) => one in kind.derived).map((one) => `o.${one}`),
      'o._archive',
      'e.position - 1 AS position',
    ]
    const taken = [kind.type, 'full_name', 'number']
    const elements = isColumn(list.element)
      ? [`e.value AS ${quoteName(list.name ?? 'value')}`]
      : Object.keys(list.element)
          .filter((one) => !taken.includes(one))
          .map((one) => `e.value ->> ${quoteText(one)} AS ${quoteName(one)}`)
    const open = isColumn(list.element) ? 'unnest' : 'jsonb_array_elements'
    return [
      [
        `${name}_${member}`,
        `SELECT ${[...owner, ...elements].join(', ')}
FROM ${quoteName(name)} AS o, ${open}(o.${quoteName(member)}) WITH ORDINALITY AS e(value, position)`,
      ],
    ]
  })
}

const EXPORTS = `CREATE TABLE IF NOT EXISTS _exports (
  name text PRIMARY KEY,
  manifest json NOT NULL
);`

/** Everything that a schema has before its rows. */
export const createSchema = (schema: string): string =>
  [
    `CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};`,
    `SET search_path = ${quoteName(schema)};`,
    createTables(),
  ].join('\n\n')

/** The tables and views that a schema always has. */
export const createTables = (): string =>
  [
    EXPORTS,
    ...schemaTables().map((table) => createTable(table)),
    ...createViews(schemaTables()),
  ].join('\n\n')

/** The same for people, with indexes unless they are not wanted. */
export const describeSchema = (schema: string, { indexes = true } = {}): string =>
  `${[
    createSchema(schema),
    ...(indexes ? schemaTables() : []).map((table) => [...indexesOf(table).values()].join('\n')),
  ].join('\n\n')}\n`
