import { formatTime } from '../../base/format-time.ts'
import { compareTexts } from '../../base/text.ts'
import { newestRecord } from '../archive-dates.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'

/** A database that is asked with others as one. */
export interface MergedPart {
  /** The path of the database. */
  readonly path: string
  /** The name of the source in the column `_source`. */
  readonly source: string
}

/** Tables whose rows have an id of their own. */
export const NUMBERED = ['archives', 'entries', 'files'] as const
export type Numbered = (typeof NUMBERED)[number]

export interface OrderedPart extends MergedPart {
  /** The highest ids in the older databases, together, in digits: a file may have any. */
  readonly before: Readonly<Record<Numbered, string>>
}

/**
 * Sorts databases by when they were exported, as a load does that keeps the newest records: by the times of their record
 * files, or by their newest record if that is later or the times are equal. Of the same age the name decides.
 *
 * @param check called with each of them
 * @throws as `openDatabase` does
 */
export function oldestFirst(
  parts: readonly MergedPart[],
  check?: (database: Database) => void,
): OrderedPart[] {
  const dated = parts
    .map((part) => ({ part, ...factsOf(part.path, check) }))
    .sort(
      (a, b) =>
        compareTexts(a.age, b.age) ||
        compareTexts(a.newest, b.newest) ||
        compareTexts(a.part.source, b.part.source),
    )
  const before = { archives: 0n, entries: 0n, files: 0n }
  return dated.map(({ part, ids }) => {
    const { archives, entries, files } = before
    for (const name of NUMBERED) before[name] += ids[name]
    return {
      ...part,
      before: { archives: `${archives}`, entries: `${entries}`, files: `${files}` },
    }
  })
}

/** The age of a database, and its highest ids. Opening it rolls back a load that was killed. */
function factsOf(path: string, check?: (database: Database) => void) {
  const database = openDatabase(path)
  try {
    check?.(database)
    const highest = (table: Numbered) =>
      database
        .prepare<[], bigint | null>(`SELECT max(id) FROM ${table}`)
        .pluck()
        .safeIntegers()
        .get() ?? 0n
    const exported = database
      .prepare<[], string | null>('SELECT max(exported_at) FROM archives')
      .pluck()
      .get()
    const newest = newestRecord(database)
    const made = newest === 0 ? '' : formatTime(newest)
    return {
      age: exported && exported > made ? exported : made,
      newest: made,
      ids: { archives: highest('archives'), entries: highest('entries'), files: highest('files') },
    }
  } finally {
    database.close()
  }
}
