import type { Problem, ProblemCode, Report } from '../base/errors.ts'

/** Problems of a foreign source: one for each code and reason, with a count and the first places. */
export interface SourceProblems {
  /** Counts one more. `entry` is the path of the file in the source, `reason` a sentence about all of them. */
  add(code: ProblemCode, reason: string, entry: string, member?: string): void
  /** Reports all problems. */
  finish(): void
}

/** A file of the source, and what in it. */
type Place = Pick<Problem['place'], 'entry' | 'member'>

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
      places: Place[]
      hasMore: boolean
      times: number
    }
  >()
  return {
    add(code, reason, entry, member) {
      const text = found.size < MOST_REASONS ? reason : 'and other reasons'
      const key = `${code} ${text}`
      const one = found.get(key)
      if (one === undefined) {
        const places = [{ entry, member }]
        found.set(key, { code, reason: text, entry, places, hasMore: false, times: 1 })
        return
      }
      one.times++
      if (one.places.some((place) => place.entry === entry && place.member === member)) return
      if (one.places.length < MOST_NAMED) one.places.push({ entry, member })
      else one.hasMore = true
    },
    finish() {
      for (const { code, reason, entry, places, hasMore, times } of found.values()) {
        const more = hasMore ? ' and others' : ''
        const message = `${reason}: ${namesOf(places)}${more}`
        report?.({ code, place: { entry }, message, ...(times > 1 && { times }) })
      }
      found.clear()
    },
  }
}

/** Each file once, with all that is meant in it: `issues.json (issue 1, issue 7), pulls.json`. */
const namesOf = (places: readonly Place[]): string =>
  [...Map.groupBy(places, ({ entry }) => entry)]
    .map(([entry, within]) => {
      const members = within.flatMap(({ member }) => member ?? [])
      return members.length > 0 ? `${entry} (${members.join(', ')})` : entry
    })
    .join(', ')
