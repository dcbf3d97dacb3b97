import type { Database } from '../database/open-database.ts'
import type { Fault, Faults } from './check.ts'

/** Faults shown one by one; the rest are counted, so that memory stays bounded. */
export const MOST_PLACES = 20

// A place is to be found and read by people; what somebody put there may have any length.
const LONGEST = 500

/** Counts faults and keeps the first. */
export function gatherFaults(database: Database): Faults & { count: number; places: Fault[] } {
  return {
    count: 0,
    places: [],
    add({ kind = null, url = null, entry = null, record = null, message }) {
      this.count++
      if (this.places.length === MOST_PLACES) return
      this.places.push({
        ...{ kind, url: url === null ? null : shorten(url), entry },
        ...{ record, message: shorten(message) },
      })
    },
    addAll(select, ...values) {
      // Without the places, SQLite need not even look at most columns, and most often there are none.
      const count = database
        .prepare(`SELECT count(*) FROM (${select})`)
        .pluck()
        .get(...values)
      if (count === 0) return
      const before = this.count
      const first = database.prepare(`${select} LIMIT ${MOST_PLACES - this.places.length}`)
      for (const fault of first.all(...values) as Fault[]) this.add(fault)
      this.count = before + (count as number)
    },
  }
}

const shorten = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\p{Cs}$/u, '')}…`
