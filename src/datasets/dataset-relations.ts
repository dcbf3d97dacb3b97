import { quoteName, quoteText } from '../database/quote.ts'
import type { Relation } from '../database/schema/relation.ts'
import { RELATIONS } from '../database/schema/schema.ts'
import { utcTime } from '../database/schema/view.ts'
import { SOURCE_COLUMN, withSource } from '../database/schema/with-source.ts'
import type { ExportColumn, ExportType } from '../exporters/column-types.ts'
import { datasetTables, plainGlob } from '../exporters/ddl/dataset-views.ts'
import { ENGINES } from '../exporters/ddl/engine.ts'
import type { ExportTable } from '../exporters/table.ts'
import type { Members } from '../records/kinds/kind.ts'
import { isColumn } from '../records/kinds/member-paths.ts'
import type { DatasetFile, DatasetFiles } from './dataset-files.ts'
import { translateStatement } from './translate-statement.ts'

/** A view of DuckDB over a dataset. */
export interface DatasetView {
  readonly name: string
  /** Its columns, which have the descriptions of the database. */
  readonly relation: Pick<Relation, 'name' | 'summary' | 'columns'>
  /** Writes its SELECT. Views that it reads are words in it. */
  select(): string
}

/** Tables of a database that an export leaves out, and what reads them. */
const LEFT_OUT = new Set([
  'record_files',
  'entries',
  'tar_headers',
  'file_chunks',
  'chunks',
  'git_packs',
  'problems',
  'row_checksums',
  'event_types',
  'commits_files',
  'git_repositories',
])

/** The prefix of a view with the columns as the files have them. */
const TYPED = '_typed_'

/**
 * The tables and views that statements may name, in the form of a database: times as texts, flags as 0 and 1, lists as JSON.
 * For each table of records, rows that a newer archive replaces are left out.
 */
export function datasetViews(files: DatasetFiles): Map<string, DatasetView> {
  const views = new Map<string, DatasetView>()
  const add = (relation: DatasetView['relation'], select: () => string, name = relation.name) =>
    views.set(name, { name, relation, select })
  const relations = RELATIONS.filter(({ name }) => !LEFT_OUT.has(name))
  const known = new Map(relations.map((relation) => [relation.name, relation]))
  for (const table of datasetTables([...files.tables.keys()])) {
    const relation = exportedPart(known.get(table.name) ?? unknownRelation(table), table)
    const typed = `${TYPED}${table.name}`
    add(relation, () => selectFiles(table, files.tables.get(table.name) ?? []), typed)
    add(relation, () => selectShaped(relation, table, files.extraMembers(table.name), typed))
    for (const [member, column] of Object.entries(table.kind?.columns ?? {})) {
      const list = known.get(`${table.name}_${member}`)
      const { element } = column.list ?? {}
      if (list && element) add(list, () => selectList(list, table, member, element))
    }
  }
  add(archivesRelation(known.get('archives') as Relation), () => selectArchives(files))
  for (const view of relations.filter(({ type }) => type === 'view')) {
    if (!views.has(view.name))
      add(view, () => translateStatement(withSource(view).select as string))
  }
  return views
}

/** The tables of a database that a dataset has not. */
export const isLeftOut = (name: string): boolean => LEFT_OUT.has(name)

const unknownRelation = ({ name, columns }: ExportTable): DatasetView['relation'] => ({
  name,
  summary: 'Records of a kind without a table of its own.',
  columns: columns.map((column) => ({
    name: column.name,
    type: '',
    description: column.description,
  })),
})

const { quote, type: typeIn } = ENGINES.duckdb

/** The rows of the files of a table, without those that a newer archive replaces. */
function selectFiles(table: ExportTable, files: readonly DatasetFile[]): string {
  const { name, columns } = table
  const there = columns.filter((column) => files.some((file) => file.columns.has(column.name)))
  const list = columns.map((column) =>
    there.includes(column)
      ? quote(column.name)
      : `CAST(NULL AS ${typeIn(column.type)}) AS ${quote(column.name)}`,
  )
  if (files.length === 0) return `SELECT ${list.join(', ')} FROM (SELECT 1) AS nothing WHERE false`
  const areAlike = files.every((file) => file.columns.size === there.length)
  const paths = pathsOf(files)
  const read = `read_parquet([${paths}], union_by_name = ${!areAlike}, hive_partitioning = false)`
  const select = `SELECT ${list.join(', ')} FROM ${read}`
  if (!mayRepeat(table, files)) return select
  return `${select} AS o LEFT JOIN ${newestTable(name)} AS n ON n._url = o.url
WHERE n._url IS NULL OR n._newest = o.file_index`
}

/** Whether several archives may have a record with one URL. */
export const mayRepeat = ({ kind }: ExportTable, files: readonly DatasetFile[]): boolean =>
  kind !== undefined && files.length > 1

const pathsOf = (files: readonly DatasetFile[]) =>
  files.map(({ path }) => quoteText(plainGlob(path))).join(', ')

const newestTable = (name: string) => quoteName(`_newest_${name}`)

/** The statement that lists the URLs that several files have, with the number of the newest. It reads nothing else. */
export const createNewest = (
  name: string,
  files: readonly DatasetFile[],
): string => `CREATE TEMP TABLE ${newestTable(name)} AS
SELECT url AS _url, max(file_index) AS _newest FROM read_parquet([${pathsOf(files)}], hive_partitioning = false)
WHERE url IS NOT NULL GROUP BY url HAVING count(*) > 1`

/** A table with the columns that a dataset has as well. */
function exportedPart(
  relation: DatasetView['relation'],
  table: ExportTable,
): DatasetView['relation'] {
  const exported = new Set(table.columns.map(({ name }) => name))
  const isThere = (name: string) =>
    exported.has(EXPORTED_AS[table.name]?.[name] ?? name) || MADE[table.name]?.[name] !== undefined
  return { ...relation, columns: relation.columns.filter(({ name }) => isThere(name)) }
}

/** The columns of a table as a database has them. */
function selectShaped(
  { columns }: DatasetView['relation'],
  table: ExportTable,
  extra: ReadonlySet<string>,
  typed: string,
): string {
  const exported = new Map(table.columns.map((column) => [column.name, column]))
  const list = columns.map(({ name }) => {
    const column = exported.get(EXPORTED_AS[table.name]?.[name] ?? name)
    return `${column ? shaped(column, extra) : MADE[table.name]?.[name]} AS ${quote(name)}`
  })
  return `SELECT ${list.join(', ')}, _archive AS ${SOURCE_COLUMN} FROM ${quote(typed)}`
}

/** Columns of a database that an export calls otherwise. */
const EXPORTED_AS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  files: { repository: 'full_name', archive: '_archive' },
  refs: { repository: 'full_name', archive: '_archive' },
  commits: { repository: 'full_name', archive: '_archive' },
}

/** Columns of a database that follow from those of an export. */
const MADE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  files: { id: 'row_number() OVER (ORDER BY _archive, path)', stored: '0' },
}

const AS_TEXT = '%Y-%m-%dT%H:%M:%SZ'

function shaped({ name, type }: ExportColumn, extra: ReadonlySet<string>): string {
  const column = quote(name)
  switch (type.is) {
    case 'time': {
      const text = `strftime(CAST(${column} AS TIMESTAMP), '${AS_TEXT}')`
      // A time that is written in another way is there as it stood.
      const member = `TRY_CAST(_extra AS JSON) -> ${quoteText(`$."${name}"`)}`
      return extra.has(name)
        ? `coalesce(CASE json_type(${member}) WHEN 'VARCHAR' THEN (${member}) ->> '$' END, ${text})`
        : text
    }
    case 'flag':
      return `CAST(${column} AS BIGINT)`
    case 'list':
    case 'struct':
    case 'json':
      return `CAST(to_json(${withJson(column, type)}) AS VARCHAR)`
    default:
      return column
  }
}

/** A nested value whose members of any shape, which files have as the text of JSON, are JSON. */
function withJson(value: string, type: ExportType): string {
  if (type.is === 'list' && type.element.is === 'struct') {
    return `list_transform(${value}, lambda e: ${withJson('e', type.element)})`
  }
  if (type.is !== 'struct') return value
  const members = type.members.map(({ name, type: { is } }) => {
    const member = `${value}.${quote(name)}`
    // DuckDB does not take half of a surrogate pair for JSON.
    const read =
      is === 'json' ? `coalesce(TRY_CAST(${member} AS JSON), to_json(${member}))` : member
    return `${quote(name)} := ${read}`
  })
  return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${members.join(', ')}) END`
}

/** A row for each element of a list. */
function selectList(
  view: Relation,
  { name: table, kind, columns }: ExportTable,
  member: string,
  element: Members[string] | Members,
): string {
  const type = columns.find((column) => column.name === member)?.type as ExportType
  const owner = view.columns.slice(
    0,
    view.columns.findIndex(({ name }) => name === 'position'),
  )
  const others = view.columns.slice(owner.length + 1)
  const value = (name: string) => {
    if (isColumn(element))
      return element.storage === 'time' ? translateStatement(utcTime('e')) : 'e'
    const { storage } = element[name] as Members[string]
    const inner = `e.${quote(name)}`
    if (storage === 'flag') return `CAST(${inner} AS BIGINT)`
    return storage === 'time' ? translateStatement(utcTime(inner)) : inner
  }
  const list = [
    `url AS ${quote(owner[0]?.name ?? '')}`,
    ...owner.slice(1).map(({ name }) => quote(name)),
    'i - 1 AS position',
    ...others.map(({ name }) => `${value(name)} AS ${quote(name)}`),
  ]
  if (!kind || type.is !== 'list') throw new Error(`${table}.${member} is no list`)
  const read = ['url', ...owner.slice(1).map(({ name }) => quote(name)), '_archive']
  return `SELECT ${list.join(', ')}, _archive AS ${SOURCE_COLUMN} FROM (
  SELECT ${read.join(', ')}, unnest(${quote(member)}) AS e, generate_subscripts(${quote(member)}, 1) AS i
  FROM ${quote(TYPED + table)})`
}

const ARCHIVE_COLUMNS = ['id', 'name', 'size', 'sha256', 'state', 'exported_at']

const archivesRelation = (archives: Relation): Relation => ({
  ...archives,
  columns: archives.columns.filter(({ name }) => ARCHIVE_COLUMNS.includes(name)),
})

/** The partitions, numbered from the oldest. */
function selectArchives({ archives }: DatasetFiles): string {
  const rows = archives.map(({ name, size, sha256, state, newest }, i) =>
    [i + 1, ...[name, size, sha256, state, newest].map((value) => literal(value))].join(', '),
  )
  const values =
    rows.length > 0 ? `VALUES (${rows.join('),\n(')})` : 'VALUES (0, NULL, NULL, NULL, NULL, NULL)'
  const list = ARCHIVE_COLUMNS.join(', ')
  return `SELECT ${list}, name AS ${SOURCE_COLUMN} FROM (${values}) AS a (${list}) WHERE id > 0`
}

const literal = (value: string | number | null | undefined) =>
  typeof value === 'number' ? String(value) : value == null ? 'NULL' : quoteText(value)
