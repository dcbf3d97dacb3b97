import { createStatement } from '../../database/schema/relation.ts'
import { countDatasets, describeDatasets } from '../../datasets/describe-datasets.ts'
import { datasetsHave, queryDatasets } from '../../datasets/query-dataset.ts'
import { namesInDatasets } from '../sources/dataset-names.ts'
import { explainDatasetCount, explainDatasetQuery } from '../sources/explain-query.ts'
import { knownNames } from '../sources/known-names.ts'
import type { AskedSource } from './asked-source.ts'

/**
 * Lets a shell ask datasets. Loaded on demand: a shell over a database needs none of it.
 *
 * @param folders the folders of `marc export --parquet`
 */
export const datasetSource = (folders: readonly string[]): AskedSource => ({
  describe: () => describeDatasets(folders),
  async count(all) {
    const relations = describeDatasets(folders).filter(({ listOf }) => all || listOf === undefined)
    const names = relations.map(({ name }) => name)
    const rows = await countDatasets(folders, names).catch((error) => {
      throw explainDatasetCount(error)
    })
    return relations
      .map(({ name, type, summary }) => ({ name, type, summary, rows: rows.get(name) ?? null }))
      .filter((table) => all || table.rows !== 0)
  },
  statements: (table) =>
    describeDatasets(folders)
      .filter(({ name }) => table === undefined || name === table)
      .map((relation) => createStatement({ ...relation, type: 'table' })),
  has: (table) => datasetsHave(folders, table),
  openNames: async () => knownNames(namesInDatasets(folders)),
  ask: (sql, parameters) => queryDatasets(folders, sql, parameters),
  explain: explainDatasetQuery,
})
