import { ArchiveError } from '../../errors.ts'
import type { Finding } from './finding.ts'

/** Finds the words and patterns of a user. */
export interface OwnPatterns {
  find(text: string): Iterable<Finding>
  /** Words of ASCII, of which every text with a finding has one; undefined if there may be others. */
  hints: readonly string[] | undefined
}

/** Characters of a pattern, at most. */
const LONGEST = 500

/**
 * Parses words and /patterns/, one on each line, into a finder. Throws `option-invalid` with the line for a pattern that does
 * not compile, matches the empty text, or has a quantifier within a quantified group, which may take exponential time.
 */
export function parseOwnPatterns(lines: readonly string[], file = 'also'): OwnPatterns | undefined {
  const hints: (string | undefined)[] = []
  const patterns = lines.flatMap((line, i) => {
    const typed = line.trim()
    if (typed === '' || typed.startsWith('#')) return []
    const [, pattern, flags = ''] = /^\/(.+)\/([iu]*)$/.exec(typed) ?? []
    const fail = (message: string, cause?: unknown) =>
      new ArchiveError('option-invalid', `${file}, line ${i + 1}: ${message}`, {}, cause)
    if (pattern === undefined) {
      hints.push(hintOf(typed))
      return [wordPattern(typed)]
    }
    if (pattern.length > LONGEST) throw fail(`the pattern has more than ${LONGEST} characters`)
    if (hasNestedQuantifier(pattern)) {
      throw fail('a quantifier within a quantified group may take exponential time')
    }
    const compiled = compile(pattern, flags, fail)
    if (compiled.test('')) throw fail('the pattern matches the empty text')
    hints.push(undefined)
    return [new RegExp(pattern, `${flags}g`)]
  })
  if (patterns.length === 0) return undefined
  return {
    hints: hints.every((hint) => hint !== undefined) ? hints : undefined,
    *find(text) {
      for (const pattern of patterns) {
        for (const { 0: value, index } of text.matchAll(pattern)) {
          if (value !== '') yield { type: 'own', start: index, end: index + value.length, value }
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

function compile(pattern: string, flags: string, fail: (message: string, cause: unknown) => Error) {
  try {
    return new RegExp(pattern, flags)
  } catch (error) {
    throw fail((error as Error).message, error)
  }
}

/** A word, whatever its case, not within another word. */
const wordPattern = (word: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_])${word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}_])`,
    'giu',
  )

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
