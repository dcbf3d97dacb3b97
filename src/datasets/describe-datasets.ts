import { quoteName, quoteText } from '../database/quote.ts'
import type { Relation } from '../database/schema/relation.ts'
import { RELATIONS } from '../database/schema/schema.ts'
import { readDatasetFiles } from './dataset-files.ts'
import { datasetViews } from './dataset-relations.ts'
import { queryDatasets } from './query-dataset.ts'

const KNOWN = new Map(RELATIONS.map((relation) => [relation.name, relation]))

/** Every table and view of datasets with its columns, as those of a database; tables of unknown kinds at the end. */
export function describeDatasets(folders: readonly string[]): Relation[] {
  const views = datasetViews(readDatasetFiles(folders))
  const names = new Set([...KNOWN.keys(), ...views.keys()])
  return [...names].flatMap((name) => {
    const { relation } = views.get(name) ?? {}
    // A view with the columns of the files has the name of its table.
    if (relation?.name !== name) return []
    const known = KNOWN.get(name)
    const { type = 'table', listOf } = known ?? {}
    const columns = relation.columns.map(({ generated, ...column }) => column)
    return [{ ...relation, columns, type, ...(listOf !== undefined && { listOf }) }]
  })
}

/** Counts the rows of tables and views of datasets, by name. Throws as `queryDatasets` does. */
export async function countDatasets(
  folders: readonly string[],
  names: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const counts = names
      .slice(at, at + AT_ONCE)
      .map((name) => `SELECT ${quoteText(name)}, count(*) FROM ${quoteName(name)}`)
    const { rows, close } = await queryDatasets(folders, counts.join(' UNION ALL '))
    for (const [name, count] of rows) found.set(String(name), Number(count))
    close()
  }
  return found
}

/** Tables that are counted at once: DuckDB keeps memory for each until the last is counted. */
const AT_ONCE = 16
