import type { Place, ProblemCode, Report } from '../base/errors.ts'
import { shorten } from '../base/text.ts'

/** Beyond this number, problems are aggregated by code alone, so that memory stays bounded. */
const MOST = 1000
const OTHERS = 'others, too many to list'

/** Aggregates problems that many records share, so that each is reported once, with its first place. */
export interface ProblemAggregator {
  note(code: ProblemCode, message: string, place: Place): void
  /** Reports the aggregated problems. */
  flush(): void
}

/** Shortens names: archives may have names of megabytes, and a thousand are held. */
const LONGEST = 300

const placeOf = (place: Place, member: string | undefined): Place =>
  member === undefined ? place : { ...place, member: shorten(member, LONGEST) }

export function createProblemAggregator(report: Report): ProblemAggregator {
  const noted = new Map<
    string,
    { code: ProblemCode; message: string; place: Place; times: number }
  >()
  return {
    note(code, text, { member, ...place }) {
      const short = shorten(text, LONGEST)
      const message = noted.size < MOST || noted.has(`${code} ${short}`) ? short : OTHERS
      const key = `${code} ${message}`
      const known = noted.get(key)
      if (known) known.times++
      else noted.set(key, { code, message, place: placeOf(place, member), times: 1 })
    },
    flush() {
      for (const { code, message, place, times } of noted.values()) {
        if (times === 1) report({ code, place, message })
        else {
          const counted = `${message}, in ${times} records; this is the first`
          report({ code, place, message: counted, times })
        }
      }
      noted.clear()
    },
  }
}
