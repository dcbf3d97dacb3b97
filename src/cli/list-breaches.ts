import { describePlace, type Problem } from '../errors.ts'
import { escapeControls } from './output/escape-controls.ts'
import { formatCount } from './output/quantities.ts'

/** Lines shown of what is worth knowing. */
const MOST = 20

/**
 * Takes what was written although it breaks a rule, and what was odd about the files of a folder: counts all,
 * keeps the first to be listed.
 */
export function gatherBreaches() {
  const first: Problem[] = []
  let count = 0
  let breaches = 0
  return {
    report(problem: Problem): void {
      if (problem.code.startsWith('rule-')) breaches++
      if (count++ < MOST) first.push(problem)
    },
    /** Rules that were broken. */
    count: () => breaches,
    /** One line each: the code, the place, what is wrong. */
    lines(): string[] {
      const lines = first.map(({ code, place, message }) =>
        escapeControls(`${code}: ${describePlace(place)}: ${message}`),
      )
      const more = count - first.length
      return more > 0 ? [...lines, `and ${formatCount(more)} more`] : lines
    },
  }
}
