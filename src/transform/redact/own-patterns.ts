import { ArchiveError } from '../../base/errors.ts'
import { escapePattern } from '../../base/text.ts'
import type { Finding } from './finding.ts'
import { createTimedSearch } from './timed-search.ts'

/** Finds the words and patterns of a user. */
export interface OwnPatterns {
  find(text: string): Iterable<Finding>
  /** Words of ASCII, of which every text with a finding has one; undefined if there may be others. */
  hints: readonly string[] | undefined
}

/** Characters of a pattern, at most, and of a word, which is read as a whole near any of its parts (`files/spans.ts`). */
const LONGEST_PATTERN = 500
const LONGEST_WORD = 2500

/**
 * Parses words and /patterns/, one on each line, into a finder. Throws `option-invalid` with the line for a word or pattern that
 * is too long, and for a pattern that does not compile, matches the empty text, or has a quantifier within a quantified group,
 * which may take exponential time; while it finds, for one that takes much more time than others.
 */
export function parseOwnPatterns(lines: readonly string[], file = 'also'): OwnPatterns | undefined {
  const hints: (string | undefined)[] = []
  const searches = lines.flatMap((line, i) => {
    const typed = line.trim()
    if (typed === '' || typed.startsWith('#')) return []
    const fail = (message: string, cause?: unknown) =>
      new ArchiveError('option-invalid', `${file}, line ${i + 1}: ${message}`, {}, cause)
    const [, pattern, flags = ''] = /^\/(.+)\/([iu]*)$/.exec(typed) ?? []
    const [what, longest] =
      pattern === undefined ? ['word', LONGEST_WORD] : ['pattern', LONGEST_PATTERN]
    if ((pattern ?? typed).length > longest) {
      throw fail(`the ${what} has more than ${longest} characters`)
    }
    const compiled = pattern === undefined ? wordPattern(typed) : parsePattern(pattern, flags, fail)
    hints.push(pattern === undefined ? hintOf(typed) : undefined)
    return createTimedSearch(compiled, () =>
      fail(`the ${what} takes too long to search for; bound its quantifiers, as in \\w{1,64}`),
    )
  })
  if (searches.length === 0) return undefined
  return {
    hints: hints.every((hint) => hint !== undefined) ? hints : undefined,
    *find(text) {
      for (const search of searches) {
        for (const [start, end] of search(text)) {
          yield { type: 'own', start, end, value: text.slice(start, end) }
        }
      }
    },
  }
}

/** The longest run of ASCII letters and digits in a word, if it is long enough to be searched for. */
const hintOf = (word: string): string | undefined =>
  [...word.matchAll(/[A-Za-z0-9]{3,}/g)]
    .map(([run]) => run)
    .sort((a, b) => b.length - a.length)
    .at(0)

/** A pattern that finds all matches. */
function parsePattern(
  pattern: string,
  flags: string,
  fail: (message: string, cause?: unknown) => Error,
): RegExp {
  if (hasNestedQuantifier(pattern)) {
    throw fail('a quantifier within a quantified group may take exponential time')
  }
  let matchesNothing: boolean
  try {
    matchesNothing = new RegExp(pattern, flags).test('')
  } catch (error) {
    throw fail((error as Error).message, error)
  }
  if (matchesNothing) throw fail('the pattern matches the empty text')
  return new RegExp(pattern, `${flags}g`)
}

/** A word, whatever its case, not within another word. */
const wordPattern = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${escapePattern(word)}(?![\\p{L}\\p{N}_])`, 'giu')

/** Whether a group that is repeated holds something that is repeated or optional, or alternatives. */
function hasNestedQuantifier(pattern: string): boolean {
  const groups: { hasQuantifier: boolean }[] = []
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] as string
    if (character === '\\') i++
    else if (character === '[') {
      while (i < pattern.length && pattern[i] !== ']') i += pattern[i] === '\\' ? 2 : 1
    } else if (character === '(') groups.push({ hasQuantifier: false })
    else if (character === ')') {
      const group = groups.pop()
      const isRepeated = /^(?:[*+]|\{\d*,?\d*\})/.test(pattern.slice(i + 1))
      if (isRepeated && group?.hasQuantifier) return true
      const outer = groups.at(-1)
      if (outer && (group?.hasQuantifier || isRepeated)) outer.hasQuantifier = true
    } else if (/[*+{|?]/.test(character) && pattern[i - 1] !== '(') {
      const group = groups.at(-1)
      if (group) group.hasQuantifier = true
    }
  }
  return false
}
