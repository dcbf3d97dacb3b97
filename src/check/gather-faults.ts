import type { Database } from '../database/open-database.ts'
import type { Fault, Faults } from './check.ts'
import { type RecordSelect, selectRecords } from './select-records.ts'

/** Faults shown one by one; the rest are counted, so that memory stays bounded. */
export const MOST_PLACES = 20

// A place is to be found and read by people; what somebody put there may have any length.
const LONGEST = 500

type CountOf = (select: RecordSelect) => number

/** What a check gives, and what it asks to be looked for. */
export interface Gathering extends Faults {
  /** Of records whose faults are to be counted. */
  readonly selects: RecordSelect[]
  /** Looks for them. Of all faults the first are kept. */
  gather(countOf: CountOf): { count: number; places: Fault[] }
}

export function gatherFaults(database: Database): Gathering {
  const places: Fault[] = []
  let given = 0
  const keep = ({ kind = null, url = null, entry = null, record = null, message }: GivenFault) => {
    if (places.length === MOST_PLACES) return
    places.push({
      ...{ kind, url: url === null ? null : shorten(url), entry },
      ...{ record, message: shorten(message) },
    })
  }
  const selects: RecordSelect[] = []
  const asked: { sql: string; values: unknown[]; count: (countOf: CountOf) => number }[] = []
  return {
    selects,
    add(fault) {
      given++
      keep(fault)
    },
    addAll(select, ...values) {
      if (typeof select === 'string') {
        asked.push({ sql: select, values, count: () => countAll(database, select, values) })
      } else {
        selects.push(select)
        asked.push({ sql: selectRecords(select), values, count: (countOf) => countOf(select) })
      }
    },
    gather(countOf) {
      let sum = given
      for (const { sql, values, count } of asked) {
        // Without the places, SQLite need not even look at most columns, and most often there are none.
        const found = count(countOf)
        sum += found
        if (found === 0 || places.length === MOST_PLACES) continue
        const first = database.prepare(`${sql} LIMIT ${MOST_PLACES - places.length}`)
        for (const fault of first.all(...values) as Fault[]) keep(fault)
      }
      return { count: sum, places }
    },
  }
}

type GivenFault = Parameters<Faults['add']>[0]

const countAll = (database: Database, select: string, values: readonly unknown[]): number =>
  database
    .prepare<unknown[], number>(`SELECT count(*) FROM (${select})`)
    .pluck()
    .get(...values) ?? 0

const shorten = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\p{Cs}$/u, '')}…`
