import { ArchiveError } from '../base/errors.ts'
import { datasetTables } from '../exporters/ddl/dataset-views.ts'
import { makeTemporaryFolder } from '../files/temporary-folder.ts'
import type { Parameters, QueryResult } from '../query/run-query.ts'
import { readTables } from '../query/statement-tables.ts'
import { checkFiles, type DatasetFiles, readDatasetFiles } from './dataset-files.ts'
import {
  createNewest,
  type DatasetView,
  datasetViews,
  isLeftOut,
  mayRepeat,
} from './dataset-relations.ts'
import { type DuckConnection, openDuck } from './duck-connection.ts'
import { createMacro, SPELLINGS } from './spellings.ts'
import { spoolRows } from './spool-rows.ts'
import { translateStatement } from './translate-statement.ts'

export interface DatasetQueryOptions {
  /** The most rows to return; with more, `limit-rows` is thrown. Default: no limit. */
  readonly maxRows?: number | undefined
  /** Bytes that DuckDB may use before it writes to a temporary folder. Default: 512 MB. */
  readonly memory?: number | undefined
}

/** The answer to a query, which is all there: the caller closes it. */
export interface DatasetAnswer extends QueryResult {
  close(): void
}

/**
 * Runs one statement that only reads over datasets, by DuckDB. Tables, views and functions are those of a database; `_archive` and
 * `_source` are the name of the partition. Of records with one URL that of the newest archive counts.
 *
 * @param folders the folders of `marc export --parquet`
 * @param sql one statement that returns rows
 * @param parameters values for its parameters, by name or by position
 * @throws `package-missing`, `dataset-foreign`, `dataset-newer`, `query-invalid`, `query-writes`, `limit-rows`
 * @example
 * const answer = await queryDatasets(['lake'], 'SELECT _source, count(*) FROM issues GROUP BY 1')
 * const rows = [...answer.rows]
 * answer.close()
 */
export async function queryDatasets(
  folders: readonly string[],
  sql: string,
  parameters: Parameters = {},
  { maxRows, memory }: DatasetQueryOptions = {},
): Promise<DatasetAnswer> {
  const files = readDatasetFiles(folders)
  const temporary = makeTemporaryFolder()
  try {
    const duck = await openDuck({ folders, temporary: temporary.path, memory })
    try {
      const statement = translateStatement(sql)
      await prepareViews(duck, files, statement)
      const { columns, batches } = await duck.stream(statement, parameters)
      const { rows, close } = await spoolRows(batches, maxRows)
      return { columns, rows: rows(), close }
    } finally {
      duck.close()
    }
  } finally {
    temporary.remove()
  }
}

/** Whether datasets have rows of a table. */
export const datasetsHave = (folders: readonly string[], table: string): boolean =>
  readDatasetFiles(folders).tables.has(table)

/** Makes the views that a statement names, those that they read, and the macros in them, in one batch. */
async function prepareViews(
  duck: DuckConnection,
  files: DatasetFiles,
  statement: string,
): Promise<void> {
  const views = datasetViews(files)
  const needed = new Map<string, string>()
  const macros = new Set<string>()
  const visit = (text: string) => {
    for (const [, macro = ''] of text.matchAll(/\bsqlite_(\w+)/g)) macros.add(macro)
    for (const name of readTables(text)) {
      const view = views.get(name)
      if (view && !needed.has(name)) add(view)
      else if (isLeftOut(name)) throw leftOut(name)
    }
  }
  const add = (view: DatasetView) => {
    needed.set(view.name, '')
    const select = view.select()
    visit(select)
    // Behind those that it reads.
    needed.delete(view.name)
    needed.set(view.name, select)
  }
  visit(statement)
  const batch = [...macros].filter((name) => Object.hasOwn(SPELLINGS, name)).map(createMacro)
  for (const table of datasetTables([...files.tables.keys()])) {
    const read = files.tables.get(table.name) ?? []
    if (!needed.has(`_typed_${table.name}`) || read.length === 0) continue
    checkFiles(read)
    if (mayRepeat(table, read)) batch.push(createNewest(table.name, read))
  }
  for (const [name, select] of needed) batch.push(`CREATE TEMP VIEW "${name}" AS ${select}`)
  await duck.run(batch.join(';\n'))
}

function leftOut(name: string): ArchiveError {
  return new ArchiveError(
    'query-invalid',
    `a dataset has no table ${name}, which an export leaves out`,
  )
}
