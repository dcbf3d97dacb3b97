import { ArchiveError } from '../errors.ts'
import { SEARCH_KINDS, SEARCH_STATES, type SearchFilter } from './filter-sources.ts'

const FILTERS = {
  repo: (repository) => ({ repository }),
  author: (author) => ({ author }),
  label: (label) => ({ label }),
  kind: (kind) => ({ kinds: [oneOf('kind', kind, SEARCH_KINDS)] }),
  state: (state) => ({ state: oneOf('state', state, SEARCH_STATES) }),
} as const satisfies Record<string, (value: string) => SearchFilter>

type FilterName = keyof typeof FILTERS

/** Short forms of `state:` and `kind:`, as on GitHub: `is:open`, `is:pr`. */
export const IS: ReadonlyMap<string, readonly [FilterName, string]> = new Map<
  string,
  readonly [FilterName, string]
>([
  ...SEARCH_STATES.map((state) => [state, ['state', state]] as const),
  ...SEARCH_KINDS.map((kind) => [kind, ['kind', kind]] as const),
  ['pr', ['kind', 'pull_request']],
])

/** A phrase, which is kept, or a filter with its value, which may be quoted. */
export const PART = new RegExp(
  `"[^"]*"?|(?<![^\\s(])(-?)(${Object.keys(FILTERS).join('|')}|is):(?:"([^"]*)"|([^\\s()"]+))`,
  'g',
)

/**
 * Separates filters such as `repo:owner/name` and `label:"good first issue"` from the words of a search. Throws
 * `search-invalid` for an unknown value, and for a filter inside a larger expression.
 */
export function parseFilters(text: string): { words: string; filter: SearchFilter } {
  const found = new Map<FilterName, string>()
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
    if (minus) throw invalid(`${part} cannot be excluded: only words and phrases can`)
    const given = quoted ?? (plain as string)
    const [name, value] = word === 'is' ? meaningOf(given) : [word as FilterName, given]
    if (found.has(name)) throw invalid(`${name}: is given twice`)
    if (isPartOfMore(words, text.slice(end))) {
      throw invalid(`${part} narrows the whole search: write it without AND, OR, NOT, parentheses`)
    }
    found.set(name, value)
  }
  const filters = [...found].map(([name, value]): SearchFilter => FILTERS[name](value))
  const filter = Object.assign({}, ...filters) as SearchFilter
  words = `${words}${text.slice(end)}`.trim()
  return { words, filter }
}

function isPartOfMore(before: string, after: string): boolean {
  const outside = before.replace(/"[^"]*"/g, '')
  const depth = outside.split('(').length - outside.split(')').length
  return depth > 0 || /(^|\s)(AND|OR|NOT)\s*$/.test(outside) || /^\s*(AND|OR)(\s|$)/.test(after)
}

const meaningOf = (value: string): readonly [FilterName, string] =>
  IS.get(value) ?? ['state', oneOf('is', value, [...IS.keys()])]

function oneOf(name: string, value: string, values: readonly string[]): string {
  if (values.includes(value)) return value
  throw invalid(`${name}: takes ${values.join(', ')}, not ${JSON.stringify(value)}`)
}

const invalid = (message: string) => new ArchiveError('search-invalid', message)
