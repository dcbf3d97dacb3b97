import type { SearchText } from '../../reading/threads/all-texts.ts'
import { wordsOf } from '../../search/grammar/words.ts'
import { BODY, filterTerm, TITLE } from './search-format.ts'

/** Characters of a label. */
const LONGEST_LABEL = 1_000

/** The terms by which a text is found, all its words and its filters, and where it has them: `TITLE`, `BODY`, or both. */
export function termsOf(text: SearchText): ReadonlyMap<string, number> {
  const terms = filtersOf(text)
  const add = (word: string, where: number) => terms.set(word, (terms.get(word) ?? 0) | where)
  for (const word of wordsOf(text.title ?? '')) add(word, TITLE)
  for (const word of wordsOf(text.body ?? '')) add(word, BODY)
  return terms
}

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
