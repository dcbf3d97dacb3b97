import { InvalidSearch } from './invalid-search.ts'

/** The kinds of text that can be found. */
export const SEARCH_KINDS: readonly string[] = [
  'issue',
  'pull_request',
  'discussion',
  'release',
  'comment',
  'review',
  'review_comment',
  'commit_comment',
  'commit',
]

/** The states that can be searched for. */
export const SEARCH_STATES = ['open', 'closed', 'merged', 'published', 'draft'] as const

/** Filters, with the values that they take; null if any. */
const FILTERS = {
  repo: null,
  author: null,
  label: null,
  kind: SEARCH_KINDS,
  state: SEARCH_STATES,
} as const satisfies Record<string, readonly string[] | null>

export type FilterName = keyof typeof FILTERS

/** Short forms of `state:` and `kind:`, as on GitHub: `is:open`, `is:pr`. */
const IS: ReadonlyMap<string, readonly [FilterName, string]> = new Map<
  string,
  readonly [FilterName, string]
>([
  ...SEARCH_STATES.map((state) => [state, ['state', state]] as const),
  ...SEARCH_KINDS.map((kind) => [kind, ['kind', kind]] as const),
  ['pr', ['kind', 'pull_request']],
])

/** A phrase, which is kept, or a filter with its value, which may be quoted. */
const PART = new RegExp(
  `"[^"]*"?|(?<![^\\s(])(-?)(${Object.keys(FILTERS).join('|')}|is):(?:"([^"]*)"|([^\\s()"]+))`,
  'g',
)

/** A search without its filters, and these by name. */
export interface FilteredSearch {
  readonly words: string
  readonly filters: ReadonlyMap<FilterName, string>
}

/**
 * Separates filters such as `repo:owner/name` and `label:"good first issue"` from the words of a search. Throws
 * `InvalidSearch` for an unknown value, and for a filter inside a larger expression.
 */
export function parseFilters(text: string): FilteredSearch {
  const filters = new Map<FilterName, string>()
  let words = ''
  let end = 0
  for (const match of text.matchAll(PART)) {
    const [part, minus, word, quoted, plain] = match
    words += text.slice(end, match.index)
    end = match.index + part.length
    if (word === undefined) {
      words += part
      continue
    }
    if (minus) throw new InvalidSearch(`${part} cannot be excluded: only words and phrases can`)
    const written = quoted ?? (plain as string)
    const [name, value] = word === 'is' ? meaningOf(written) : [word as FilterName, written]
    if (filters.has(name)) throw new InvalidSearch(`${name}: is given twice`)
    if (isPartOfMore(words, text.slice(end))) {
      const message = `${part} narrows the whole search: write it without AND, OR, NOT, parentheses`
      throw new InvalidSearch(message)
    }
    filters.set(name, value)
  }
  for (const [name, value] of filters) requireValue(name, value, FILTERS[name])
  return { words: `${words}${text.slice(end)}`.trim(), filters }
}

function isPartOfMore(before: string, after: string): boolean {
  const outside = before.replace(/"[^"]*"/g, '')
  const depth = outside.split('(').length - outside.split(')').length
  return depth > 0 || /(^|\s)(AND|OR|NOT)\s*$/.test(outside) || /^\s*(AND|OR)(\s|$)/.test(after)
}

function meaningOf(value: string): readonly [FilterName, string] {
  const meaning = IS.get(value)
  if (!meaning) throw unknownValue('is', value, [...IS.keys()])
  return meaning
}

function requireValue(name: string, value: string, values: readonly string[] | null): void {
  if (values && !values.includes(value)) throw unknownValue(name, value, values)
}

const unknownValue = (name: string, value: string, values: readonly string[]) =>
  new InvalidSearch(`${name}: takes ${values.join(', ')}, not ${JSON.stringify(value)}`)
