import type { Database } from '../../database/open-database.ts'
import type { Fault, Faults, GivenFault } from '../../rules/rule.ts'
import { type RecordSelect, selectStatement } from '../../rules/sql/record-select.ts'

/** Places kept per finding by default. All others are counted, and read again on demand. */
export const MOST_PLACES = 20

/** Characters kept of a URL or message: people read these, and a record may hold texts of any length. */
const LONGEST = 500

type CountOf = (select: RecordSelect) => number

/** Finds the name of the archive that a fault is in; null if there is only one, or it is unknown. */
type ArchiveOf = (fault: Pick<GivenFault, 'archive' | 'entry'>) => string | null

/** The archives of faults. Without a number the only archive that has the entry counts. */
export function findArchives(database: Database): ArchiveOf {
  const names = new Map(
    database
      .prepare<[], [number, string]>('SELECT id, CAST(name AS TEXT) FROM archives')
      .raw()
      .all(),
  )
  if (names.size < 2) return () => null
  const having = database
    .prepare<[string, string], number>(
      "SELECT DISTINCT archive FROM entries WHERE path IN (?, ? || '/') LIMIT 2",
    )
    .pluck()
  const idOf = (entry: string | null | undefined): number | undefined => {
    const ids = entry == null ? [] : having.all(entry, entry)
    return ids.length === 1 ? ids[0] : undefined
  }
  return ({ archive, entry }) => {
    const name = names.get(archive ?? idOf(entry) ?? -1)
    return name === undefined ? null : shorten(name)
  }
}

/** A source of faults, which can be counted and read more than once. */
interface FaultSource {
  count(countOf: CountOf): number
  read(): Iterable<GivenFault>
}

/** The faults that a check reports. */
export interface Gathering extends Faults {
  /** Selects to be counted together with those of other checks. */
  readonly selects: RecordSelect[]
  /** Counts all faults and keeps the first `limit` places. */
  gather(countOf: CountOf, limit: number): { count: number; places: Fault[] }
  /** Every place, read from the database while it is consumed. */
  allPlaces(): Generator<Fault>
}

export function gatherFaults(database: Database, archiveOf = findArchives(database)): Gathering {
  const selects: RecordSelect[] = []
  const sources: FaultSource[] = []
  const read = (sql: string, values: unknown[] = []) =>
    database.prepare<unknown[], GivenFault>(sql).iterate(...values)
  return {
    selects,
    add: (fault) => sources.push({ count: () => 1, read: () => [fault] }),
    addEach: (read) => sources.push({ count: () => countOf(read()), read }),
    addAll(select, ...values) {
      if (typeof select === 'string') {
        sources.push({
          count: () => countAll(database, select, values),
          read: () => read(select, values),
        })
      } else {
        selects.push(select)
        sources.push({
          count: (countOf) => countOf(select),
          read: () => read(selectStatement(select)),
        })
      }
    },
    gather(countOf, most) {
      const places: Fault[] = []
      let sum = 0
      for (const source of sources) {
        // Counting is faster than reading: SQLite skips most columns, and usually there is no fault.
        const count = source.count(countOf)
        sum += count
        if (count === 0 || places.length >= most) continue
        for (const fault of source.read()) {
          places.push(toFault(fault, archiveOf))
          if (places.length >= most) break
        }
      }
      return { count: sum, places }
    },
    *allPlaces() {
      for (const source of sources)
        for (const fault of source.read()) yield toFault(fault, archiveOf)
    },
  }
}

function countOf(faults: Iterable<GivenFault>): number {
  let count = 0
  for (const _ of faults) count++
  return count
}

const countAll = (database: Database, select: string, values: readonly unknown[]): number =>
  database
    .prepare<unknown[], number>(`SELECT count(*) FROM (${select})`)
    .pluck()
    .get(...values) ?? 0

type FoundFault = Omit<GivenFault, 'message'> & { message: string | null }

const toFault = (
  { archive = null, kind = null, url = null, entry = null, record = null, message }: FoundFault,
  archiveOf: ArchiveOf,
): Fault => ({
  archive: archiveOf({ archive, entry }),
  kind,
  url: url === null ? null : shorten(url),
  entry,
  // A message that quotes NULL is NULL in SQL.
  record,
  message: shorten(message ?? 'a value is NULL that this check quotes'),
})

const shorten = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\p{Cs}$/u, '')}…`
