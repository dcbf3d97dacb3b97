import type { SearchText, SearchTexts } from '../../reading/threads/all-texts.ts'
import { wordsOf } from '../../search/grammar/words.ts'
import { BODY, filterTerm, TITLE } from './search-format.ts'

/** Different words of a text in the index, in addition to those of its title. */
const TELLING = 256
/** Different words of a text that are examined. */
const MOST = 20_000
/** Characters of a label. */
const LONGEST_LABEL = 1_000
/** Texts from which the frequency of a word is estimated. */
const SAMPLES = 4_000

/** The terms of a text, and where it has them: `TITLE`, `BODY`, or both. */
export type WordChooser = (text: SearchText) => ReadonlyMap<string, number>

/**
 * Chooses the words by which a text is found: all words of its title, and those of its body. From a very long body it
 * chooses the words that are frequent there and rare elsewhere. How rare a word is, is estimated from a sample of all
 * texts, in a table of fixed size.
 */
export function createWordChooser(all: SearchTexts): WordChooser {
  const texts = new Uint32Array(2 ** 20)
  const step = Math.max(1, Math.ceil(all.count / SAMPLES))
  let samples = 0
  const sample = () => {
    for (let id = 0; id < all.count; id += step) {
      const [text] = all.following(id, 1)
      if (!text) continue
      samples++
      for (const word of countWords(text.body).keys()) {
        const slot = hashOf(word) % texts.length
        texts[slot] = (texts[slot] ?? 0) + 1
      }
    }
  }
  const rarity = (word: string) =>
    Math.log((samples + 1) / ((texts[hashOf(word) % texts.length] ?? 0) + 1))
  return (text) => {
    const terms = filtersOf(text)
    const add = (word: string, where: number) => terms.set(word, (terms.get(word) ?? 0) | where)
    for (const word of wordsOf(text.title ?? '')) add(word, TITLE)
    const counts = countWords(text.body)
    // Most sites have no text that is so long.
    if (counts.size > TELLING && samples === 0) sample()
    for (const word of counts.size <= TELLING ? counts.keys() : telling(counts, rarity)) {
      add(word, BODY)
    }
    return terms
  }
}

const telling = (counts: ReadonlyMap<string, number>, rarity: (word: string) => number): string[] =>
  [...counts]
    .map(([word, count]): [string, number] => [word, scoreOf(word, count, rarity(word))])
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, TELLING)
    .map(([word]) => word)

/** Commit hashes and other long numbers score low: nobody searches for them. */
const scoreOf = (word: string, count: number, rarity: number): number =>
  Math.log1p(count) * rarity * (/^(?=(?:\D*\d){3}).{12}/s.test(word) ? 0.1 : 1)

/** The terms of a text for filters. */
function filtersOf({ repository, kind, state, author, labels }: SearchText): Map<string, number> {
  const filters: [string, string | null][] = [
    ['repo', repository.fullName],
    ['kind', kind],
    ['state', state],
    ['author', author],
    ...labels.map((name): [string, string] => ['label', name.slice(0, LONGEST_LABEL)]),
  ]
  return new Map(
    filters.flatMap(([name, value]) => (value === null ? [] : [[filterTerm(name, value), BODY]])),
  )
}

/** How often a text contains each word. */
function countWords(text: string | null): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text ?? '')) {
    const count = counts.get(word)
    if (count !== undefined || counts.size < MOST) counts.set(word, (count ?? 0) + 1)
  }
  return counts
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
