import { ArchiveError } from '../base/errors.ts'
import type { SearchFilter } from './filter-sources.ts'
import { InvalidSearch } from './grammar/invalid-search.ts'
import * as grammar from './grammar/parse-filters.ts'
import { parseWords, type SearchTree } from './grammar/parse-words.ts'
import { splitUnspaced } from './grammar/words.ts'

/**
 * Separates filters such as `repo:owner/name` and `label:"good first issue"` from the words of a search. Throws
 * `search-invalid` for an unknown value, and for a filter inside a larger expression.
 */
export function parseFilters(text: string): { words: string; filter: SearchFilter } {
  const { words, filters } = orSearchInvalid(() => grammar.parseFilters(text))
  const { repo, kind, ...others } = Object.fromEntries(filters)
  const filter = {
    ...others,
    ...(repo !== undefined && { repository: repo }),
    ...(kind !== undefined && { kinds: [kind] }),
  }
  return { words, filter }
}

/** Translates the words of a search into an expression of FTS5. Throws `search-invalid`. */
export const parseSearch = (text: string): string => print(orSearchInvalid(() => parseWords(text)))

/** The same; undefined if the search has no words but a filter, such as an author. */
export const parseSearchWithFilter = (text: string, filter: object): string | undefined =>
  text.trim() === '' && Object.values(filter).some((value) => value !== undefined)
    ? undefined
    : parseSearch(text)

function print(tree: SearchTree): string {
  switch (tree.type) {
    case 'any':
      return joined(tree.any, ' OR ')
    case 'all': {
      const all = joined(tree.all, ' AND ')
      return tree.but.length === 0 ? all : `(${all} NOT ${joined(tree.but, ' OR ')})`
    }
    case 'phrase': {
      // In quotes: FTS5 would take its punctuation for syntax.
      const phrase = `"${splitUnspaced(tree.text)}"${tree.isPrefix ? ' *' : ''}`
      return tree.column === undefined ? phrase : `${tree.column}: ${phrase}`
    }
  }
}

function joined(trees: readonly SearchTree[], operator: string): string {
  const expression = trees.map(print).join(operator)
  return trees.length === 1 ? expression : `(${expression})`
}

function orSearchInvalid<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof InvalidSearch)) throw error
    throw new ArchiveError('search-invalid', error.message)
  }
}
