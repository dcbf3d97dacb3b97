import { describePlace, type Problem } from '../../errors.ts'
import { isRuleCode } from '../../rule-codes.ts'
import type { Io } from '../command/io.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { type SafeText, safe } from '../output/safe-text.ts'

/** Lines shown of what is worth knowing, unless all are asked for. */
const MOST = 20

export interface BreachOptions {
  /** List all, each as it comes. */
  verbose?: boolean | undefined
  /** The same, each as JSON on a line. */
  json?: boolean | undefined
  /** Makes room for a line. */
  clear: () => void
}

/**
 * Takes what was written although it breaks a rule, and what was odd about the files of a folder: counts all,
 * and lists it on standard error.
 */
export function listBreaches({ stderr }: Pick<Io, 'stderr'>, options: BreachOptions) {
  const { verbose = false, json = false, clear } = options
  const first: SafeText[] = []
  let count = 0
  let breaches = 0
  const write = (line: SafeText) => {
    clear()
    stderr.write(safe`${line}\n`)
  }
  return {
    report(problem: Problem): void {
      if (isRuleCode(problem.code)) breaches++
      count++
      if (json) write(escapeControlsInJson(JSON.stringify({ problem })))
      else if (verbose) write(describe(problem))
      else if (count <= MOST) first.push(describe(problem))
    },
    /** Rules that were broken. */
    count: () => breaches,
    /** Lists what was kept to be listed in the end. */
    finish(): void {
      for (const line of first) write(line)
      const more = count - first.length
      if (first.length === MOST && more > 0) {
        write(safe`and ${formatCount(more)} more, which --verbose lists`)
      }
    },
  }
}

/** The code, the place, what is wrong. */
const describe = ({ code, place, message }: Problem): SafeText =>
  escapeControls(`${code}: ${describePlace(place)}: ${message}`)
