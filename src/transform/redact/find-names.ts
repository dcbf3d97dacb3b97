import type { Finding } from './finding.ts'

/** Finds full names in a text. */
export type NameFinder = (text: string) => Iterable<Finding>

const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}'’-]*/gu

/**
 * Creates a finder of full names of two words or more, by their first word: the time does not depend on their number. The
 * case of letters does not count, nor does the white space between words.
 */
export function createNameFinder(names: Iterable<string>): NameFinder | undefined {
  const byFirst = new Map<string, string[][]>()
  for (const name of names) {
    const words = wordsOf(name)
    if (words.length < 2) continue
    const [first = ''] = words
    const known = byFirst.get(first) ?? []
    known.push(words)
    byFirst.set(first, known)
  }
  if (byFirst.size === 0) return undefined
  for (const known of byFirst.values()) known.sort((a, b) => b.length - a.length)
  const clean = remember(cleanWord)
  return function* (text) {
    // Two words have something between them.
    if (!/[\s.]/.test(text)) return
    const words: { key: string; length: number; start: number }[] = []
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const { key, length } = clean(word)
      words.push({ key, length, start: index })
    }
    if (!words.some(({ key }) => byFirst.has(key))) return
    for (let i = 0; i < words.length; i++) {
      const { key, start } = words[i] as { key: string; start: number }
      const match = byFirst.get(key)?.find((name) => isAt(words, i, name, text))
      if (!match) continue
      const last = words[i + match.length - 1] as { start: number; length: number }
      const end = last.start + last.length
      yield { type: 'name', start, end, value: text.slice(start, end) }
      i += match.length - 1
    }
  }
}

/** The words of a name, as they are compared. */
export const wordsOf = (name: string): string[] =>
  [...name.matchAll(WORD)].map(([word]) => cleanWord(word).key)

interface Clean {
  key: string
  length: number
}

/** Words come again and again. */
const MOST_KNOWN = 20_000

function remember(clean: (word: string) => Clean): (word: string) => Clean {
  const known = new Map<string, Clean>()
  return (word) => {
    let cleaned = known.get(word)
    if (cleaned === undefined) {
      cleaned = clean(word)
      if (known.size < MOST_KNOWN && word.length < 40) known.set(word, cleaned)
    }
    return cleaned
  }
}

const QUOTES = "'’-"

/** A word without quotes and the ending of a genitive. */
function cleanWord(word: string): Clean {
  // A pattern that ends at $ would look at each run of quotes from each of its characters.
  let end = word.length
  while (end > 0 && QUOTES.includes(word[end - 1] as string)) end--
  const bare = word.slice(0, end).replace(/['’]s$/, '')
  return { key: bare.normalize('NFC').toLowerCase(), length: bare.length }
}

function isAt(
  words: readonly { key: string; start: number; length: number }[],
  at: number,
  name: readonly string[],
  text: string,
): boolean {
  return name.every((key, i) => {
    const word = words[at + i]
    if (word?.key !== key) return false
    if (i === 0) return true
    const before = words[at + i - 1] as { start: number; length: number }
    // Other text between two words parts them; an initial may have its full stop.
    return /^(?:\.?\s{1,3}|\.)$/.test(text.slice(before.start + before.length, word.start))
  })
}
