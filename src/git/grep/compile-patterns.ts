import { createContext, Script } from 'node:vm'
import { ArchiveError } from '../../base/errors.ts'
import { escapePattern } from '../../base/text.ts'

export interface PatternOptions {
  /** The patterns are plain text. Default: regular expressions of JavaScript with the flag u. */
  fixed?: boolean | undefined
  ignoreCase?: boolean | undefined
  /** Only whole words match. */
  words?: boolean | undefined
  /** Seconds for the patterns to look at one file. Default 5. */
  seconds?: number | undefined
}

/** Patterns that are looked for in each line. */
export interface Matcher {
  /** The numbers of the lines that match one of the patterns, from 0. Throws `limit-time`. */
  find(lines: readonly string[]): number[]
  /** Texts, as bytes: a file without any of them cannot match. Undefined if there are no such texts. */
  readonly hints: readonly Buffer[] | undefined
}

/** The most characters of all patterns together. */
const LONGEST = 10_000
const MOST_SECONDS = 5

/**
 * Compiles patterns. A regular expression may take exponential time, so each search is stopped after some seconds.
 * Throws `option-invalid` for an invalid pattern.
 */
export function compilePatterns(
  patterns: readonly string[],
  { fixed = false, ignoreCase = false, words = false, seconds = MOST_SECONDS }: PatternOptions = {},
): Matcher {
  if (patterns.reduce((sum, { length }) => sum + length, 0) > LONGEST) {
    throw new ArchiveError('option-invalid', `the patterns have more than ${LONGEST} characters`)
  }
  const sources = patterns.map((pattern) => {
    const source = fixed ? escapePattern(pattern) : pattern
    compile(source, pattern, '')
    return `(?:${source})`
  })
  const either = sources.join('|')
  const whole = words ? `(?<![\\p{L}\\p{N}_])(?:${either})(?![\\p{L}\\p{N}_])` : either
  const expression = compile(whole, patterns.join('|'), ignoreCase ? 'i' : '')
  const find = (lines: readonly string[]): number[] => {
    const found: number[] = []
    for (let i = 0; i < lines.length; i++) if (expression.test(lines[i] as string)) found.push(i)
    return found
  }
  const isPlain = fixed || patterns.every((pattern) => /^[\w \-/:;,"'<>=@#&!~%]*$/.test(pattern))
  return {
    // Only repetitions take long.
    find: /[*+{]|\\[1-9]/.test(whole) && !isPlain ? inTime(find, seconds) : find,
    hints:
      isPlain && !ignoreCase
        ? patterns.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'latin1')])
        : undefined,
  }
}

function compile(source: string, pattern: string, flags: string): RegExp {
  try {
    const expression = new RegExp(source, `${flags}u`)
    // One that is too large fails only when it is used.
    expression.test('')
    return expression
  } catch (error) {
    const why = (error as Error).message.replace(/^.*\/[a-z]*: /s, '')
    const message = `the pattern ${JSON.stringify(pattern)} is wrong: ${why}`
    throw new ArchiveError('option-invalid', message, {}, error)
  }
}

/** The same search, stopped if it takes too long: only V8 itself can interrupt a regular expression. */
function inTime(search: Matcher['find'], seconds: number): Matcher['find'] {
  const script = new Script('search()')
  const context = createContext({ search: () => [] as number[] })
  return (lines) => {
    context.search = () => search(lines)
    try {
      return script.runInContext(context, { timeout: seconds * 1000 }) as number[]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const message = `the pattern takes more than ${seconds} s for one file`
      throw new ArchiveError('limit-time', message, {}, error)
    }
  }
}
