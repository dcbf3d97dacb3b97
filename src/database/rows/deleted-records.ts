import type { Database } from '../open-database.ts'
import type { Places } from '../record-files/place-records.ts'

/** The kinds of which some file has fewer placed records than it was loaded with. */
export function kindsWithDeleted(database: Database, { recordFiles, runs }: Places): Set<string> {
  const placed = new Map<number, number>()
  const counts = database
    .prepare<[], [position: number, count: number]>(
      'SELECT position, count(*) FROM temp.places GROUP BY stem, "table", position',
    )
    .raw()
    .all()
  for (const [position, count] of counts) {
    placed.set(position, (placed.get(position) ?? 0) + count)
  }
  const fewer = recordFiles.filter(
    ({ stem, position, records }) => !runs.has(stem) && records > (placed.get(position) ?? 0),
  )
  return new Set(fewer.map(({ stem }) => stem))
}
