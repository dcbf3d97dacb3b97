import { writeOwnFile } from '../files/own-file.ts'
import { writeSearchIndex } from '../search/search-index-file.ts'
import type { Context } from '../work/run.ts'

/** The index that is to be made. */
export interface SearchOrder {
  readonly database: string
  /** The file of the index, which gets its name when it is complete. */
  readonly path: string
  readonly key: string
}

/**
 * Makes the search index of a database.
 *
 * @param context told the part that is done, from 0 to 1
 */
export function makeSearchIndex(
  { database, path, key }: SearchOrder,
  { progress }: Pick<Context<number>, 'progress'>,
): void {
  writeOwnFile(path, (partial) =>
    writeSearchIndex(partial, database, key, (done, total) => progress(done / Math.max(1, total))),
  )
}
