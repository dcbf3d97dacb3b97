import type { Place, ProblemCode, Report } from '../errors.ts'

/** Beyond this number, problems are aggregated by code alone, so that memory stays bounded. */
const MOST = 1000
const OTHERS = 'others, too many to list'

/** Aggregates problems that many records share, so that each is reported once, with its first place. */
export interface ProblemAggregator {
  note(code: ProblemCode, what: string, place: Place): void
  /** Reports the aggregated problems. */
  flush(): void
}

/** Shortens names: archives may have names of megabytes, and a thousand are held. */
const LONGEST = 300

const shorten = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text

const placeOf = (place: Place, member: string | undefined): Place =>
  member === undefined ? place : { ...place, member: shorten(member) }

export function createProblemAggregator(report: Report): ProblemAggregator {
  const noted = new Map<string, { code: ProblemCode; what: string; place: Place; times: number }>()
  return {
    note(code, whole, { member, ...place }) {
      const what = shorten(whole)
      const words = noted.size < MOST || noted.has(`${code} ${what}`) ? what : OTHERS
      const key = `${code} ${words}`
      const known = noted.get(key)
      if (known) known.times++
      else noted.set(key, { code, what: words, place: placeOf(place, member), times: 1 })
    },
    flush() {
      for (const { code, what, place, times } of noted.values()) {
        if (times === 1) report({ code, place, message: what })
        else {
          const message = `${what}, in ${times} records; this is the first`
          report({ code, place, message, times })
        }
      }
      noted.clear()
    },
  }
}
