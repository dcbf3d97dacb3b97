import type { ExportTable } from '../table.ts'
import { selectLatest } from './dataset-views.ts'
import type { Engine } from './engine.ts'
import { joinedViews } from './joined-views.ts'

const ARCHIVES = `SELECT name, manifest ->> 'state' AS state, manifest -> 'source' ->> 'newest' AS newest
FROM _exports`

/**
 * The views over tables that an engine keeps itself: `archives`, joined kinds, and `latest_…`.
 *
 * @param archives a SELECT of name, state and newest time of each partition
 */
export function tableViews(
  engine: Engine,
  tables: readonly ExportTable[],
  archives: string = ARCHIVES,
): { name: string; select: string }[] {
  return [
    { name: 'archives', select: archives },
    ...joinedViews(engine),
    ...tables
      .filter(({ kind }) => kind)
      .map((table) => ({
        name: `latest_${table.name}`,
        select: selectLatest(engine.quote, table, table.name),
      })),
  ]
}
