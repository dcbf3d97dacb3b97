import type { ProblemCode, Report } from '../base/errors.ts'

/** Problems of a foreign source: one for each code and reason, with a count and the first places. */
export interface SourceProblems {
  /** Counts one more. `entry` is the path of the file in the source, `reason` a sentence about all of them. */
  add(code: ProblemCode, reason: string, entry: string, member?: string): void
  /** Reports all problems. */
  finish(): void
}

/** Places that a problem names. */
const MOST_NAMED = 3
/** Reasons that are told apart: a member of a hostile source may have any name. */
const MOST_REASONS = 1000

export function collectProblems(report: Report | undefined): SourceProblems {
  const found = new Map<
    string,
    {
      code: ProblemCode
      reason: string
      entry: string
      places: string[]
      hasMore: boolean
      times: number
    }
  >()
  return {
    add(code, reason, entry, member) {
      const place = member === undefined ? entry : `${entry} (${member})`
      const text = found.size < MOST_REASONS ? reason : 'and other reasons'
      const key = `${code} ${text}`
      const one = found.get(key)
      if (one === undefined) {
        const places = [place]
        found.set(key, { code, reason: text, entry, places, hasMore: false, times: 1 })
        return
      }
      one.times++
      if (one.places.includes(place)) return
      if (one.places.length < MOST_NAMED) one.places.push(place)
      else one.hasMore = true
    },
    finish() {
      for (const { code, reason, entry, places, hasMore, times } of found.values()) {
        const more = hasMore ? ' and others' : ''
        const message = `${reason}: ${places.join(', ')}${more}`
        report?.({ code, place: { entry }, message, ...(times > 1 && { times }) })
      }
      found.clear()
    },
  }
}
