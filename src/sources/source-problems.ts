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
    { code: ProblemCode; reason: string; entry: string; places: string[]; times: number }
  >()
  return {
    add(code, reason, entry, member) {
      const place = member === undefined ? entry : `${entry} (${member})`
      const text = found.size < MOST_REASONS ? reason : 'and other reasons'
      const key = `${code} ${text}`
      const one = found.get(key)
      if (one === undefined) {
        found.set(key, { code, reason: text, entry, places: [place], times: 1 })
        return
      }
      one.times++
      if (one.places.length < MOST_NAMED) one.places.push(place)
    },
    finish() {
      for (const { code, reason, entry, places, times } of found.values()) {
        const more = times > places.length ? ' and others' : ''
        const message = `${reason}: ${places.join(', ')}${more}`
        report?.({ code, place: { entry }, message, ...(times > 1 && { times }) })
      }
      found.clear()
    },
  }
}
