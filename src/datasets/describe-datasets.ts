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
  const counts = names.map((name) => `SELECT ${quoteText(name)}, count(*) FROM ${quoteName(name)}`)
  const { rows, close } = await queryDatasets(folders, counts.join(' UNION ALL '))
  try {
    return new Map(Array.from(rows, ([name, count]) => [String(name), Number(count)]))
  } finally {
    close()
  }
}
