import type { SchemaFile } from '../dataset/dataset-schema.ts'
import { viewedFolder } from '../ddl/dataset-views.ts'
import { excerpts, type Inspection } from './definitions.ts'
import type { ExportDifference } from './export-difference.ts'

/**
 * Compares what a dataset holds apart from its partitions.
 *
 * @param schema the columns and views in `_marc`, as they have to be and as they are
 * @param foreign files that belong to no partition, and are read with all of them
 */
export function inspectFiles(
  schema: readonly SchemaFile[],
  foreign: readonly string[],
): Inspection {
  return {
    differences: [
      ...schema.filter(({ text, found }) => text !== found).map(differenceOf),
      ...foreign.map((path) => ({ fact: 'file', expected: null, found: path })),
    ],
    notCompared: ['files whose names begin with a dot or _, which engines pass over'],
    tables: [],
    isReadable: () => true,
  }
}

function differenceOf({ path, text, found }: SchemaFile): ExportDifference {
  const [here, there] = [viewedFolder(text), viewedFolder(found ?? '')]
  // A dataset that was moved.
  if (here !== undefined && there !== undefined && here !== there) {
    return { fact: `${path}, the dataset that it reads`, expected: here, found: there }
  }
  const [left, right] = excerpts(text, found)
  return { fact: path, expected: left, found: right }
}
