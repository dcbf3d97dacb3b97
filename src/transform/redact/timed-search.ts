import { createContext, Script } from 'node:vm'

/** The place of a match in a text. */
export type Match = readonly [start: number, end: number]

/** Milliseconds that all searches of one pattern may take, and characters for each further one. */
const PATIENCE = 5000
const CHARACTERS = 100
/** The binary logarithm of steps that take some milliseconds. */
const FEW_STEPS = 22

const SEARCH = new Script('search()')

/**
 * Creates a search for all matches of a pattern that people wrote. It takes time linear in all texts, or throws: a pattern that
 * backtracks may need the square of a text, or more.
 *
 * @param pattern a global one
 * @param tooSlow makes the error for a pattern that takes too long
 * @param patience milliseconds that all searches may take, however little they read
 */
export function createTimedSearch(
  pattern: RegExp,
  tooSlow: () => Error,
  patience = PATIENCE,
): (text: string) => readonly Match[] {
  const stepsFor = stepsOf(pattern.source)
  let context: { search?: () => void } | undefined
  let left = patience
  return (text) => {
    left += text.length / CHARACTERS
    const begun = performance.now()
    let matches: readonly Match[] = []
    const search = () => {
      matches = matchesOf(pattern, text)
    }
    if (stepsFor(text.length) <= FEW_STEPS) search()
    else {
      context ??= createContext({})
      context.search = search
      try {
        SEARCH.runInContext(context, { timeout: Math.max(1, Math.ceil(left)) })
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw tooSlow()
        throw error
      }
    }
    left -= performance.now() - begun
    if (left < 0) throw tooSlow()
    return matches
  }
}

function matchesOf(pattern: RegExp, text: string): Match[] {
  const matches: Match[] = []
  for (const { 0: value, index } of text.matchAll(pattern)) {
    if (value !== '') matches.push([index, index + value.length])
  }
  return matches
}

/** `*`, `+`, `{2,}`, a reference to a group; `{2,5}`; `?` and `|`. */
const CHOICES = /\\[1-9k]|\\.|\[(?:\\.|[^\]\\])*\]|[*+]|\{\d+,\}|\{(?:\d+,)?(\d+)\}|\?|\|/gs

/**
 * The binary logarithm of the most steps that a pattern takes in a text of some length, if nothing that is repeated holds a
 * choice: it starts at each character, and each of its choices is made in every way.
 */
function stepsOf(source: string): (length: number) => number {
  let powers = 1
  let others = Math.log2(source.length)
  for (const [choice, most] of source.matchAll(CHOICES)) {
    if (/^(?:\\[1-9k]|[*+]|\{\d+,\})$/.test(choice)) powers++
    else if (most !== undefined) others += Math.log2(Number(most) + 1)
    else if (/^[?|]$/.test(choice)) others++
  }
  return (length) => powers * Math.log2(length + 1) + others
}
