import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { asBytes } from '../../base/streams.ts'
import { attemptSync } from '../../files/attempt.ts'
import { hasInnerFolder, isPlainFile, readPlainFile } from '../../files/inner-folder.ts'
import { writeFile } from '../../files/write-file.ts'
import { datasetTables, datasetViews } from '../ddl/dataset-views.ts'
import { dbtSources } from '../ddl/dbt-sources.ts'
import { ENGINE_NAMES, type EngineName } from '../ddl/engine.ts'
import { DATASET_VERSION } from './manifest.ts'
import { lockPartition } from './partition-lock.ts'

/**
 * Brings `_marc/schema.json` and the views for each engine up to date with the tables that have Parquet files. Writes
 * nothing if they are.
 *
 * @throws `interrupted`, `output-full`, `output-refused`
 */
export async function updateSchema(
  dataset: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (outdated(dataset).length === 0) return
  const release = await lockPartition(join(dataset, '_marc', 'schema.lock'), { signal })
  try {
    // Others may have added tables since: the last one to have the lock sees all of them.
    for (const { path, text } of outdated(dataset)) {
      await writeFile(path, asBytes([Buffer.from(text)]), { force: true })
    }
  } finally {
    release()
  }
}

/** The statements that make views over a dataset in an engine. */
export const viewsOf = (dataset: string, engine: EngineName): string =>
  datasetViews(engine, resolve(dataset), tablesWithFiles(dataset))

/**
 * The views and columns in `_marc` as they are, and as they have to be.
 *
 * @param present the tables that have a Parquet file
 */
export function schemaFilesOf(
  dataset: string,
  present: readonly string[] = tablesWithFiles(dataset),
): SchemaFile[] {
  return schemaFiles(present, (engine) => datasetViews(engine, resolve(dataset), present)).map(
    ([name, text]) => {
      const path = join(dataset, '_marc', name)
      return { path, text, found: isPlainFile(path) ? readPlainFile(path) : null }
    },
  )
}

/** A file in `_marc`: its text as it has to be, and as it is. */
export interface SchemaFile {
  readonly path: string
  readonly text: string
  readonly found: string | null
}

const outdated = (dataset: string) =>
  schemaFilesOf(dataset).filter(({ text, found }) => text !== found)

/** The files in `_marc` that follow from the tables: the columns, a source of dbt, and views for each engine. */
export const schemaFiles = (
  present: readonly string[],
  viewsFor: (engine: EngineName) => string,
): [name: string, text: string][] => [
  ['schema.json', `${JSON.stringify(describe(present), null, 2)}\n`],
  ['sources.yml', dbtSources(present)],
  ...ENGINE_NAMES.map((engine): [string, string] => [`${engine}.sql`, viewsFor(engine)]),
]

/** The columns of all tables. `since` is the version of the layout that brought the column: so far there is one. */
const describe = (present: readonly string[]) => ({
  dataset: DATASET_VERSION,
  tables: Object.fromEntries(
    datasetTables(present).map(({ name, columns }) => [
      name,
      columns.map((column) => ({ ...column, since: DATASET_VERSION })),
    ]),
  ),
})

function tablesWithFiles(dataset: string): string[] {
  const names = attemptSync(dataset, () => readdirSync(dataset))
  return names
    .filter((name) => name.startsWith('kind=') && hasInnerFolder(dataset, [name]))
    .filter((name) => hasFile(join(dataset, name)))
    .map((name) => name.slice('kind='.length))
    .sort()
}

const hasFile = (table: string): boolean =>
  readdirSync(table).some((partition) => existsSync(join(table, partition, 'data.parquet')))
