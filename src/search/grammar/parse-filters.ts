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

/** The orders of a list of threads. */
export const LIST_SORTS = [
  'created-desc',
  'created-asc',
  'updated-desc',
  'updated-asc',
  'comments-desc',
  'comments-asc',
] as const

/** Filters of a list of threads, which has more than a search of texts. */
const LIST_FILTERS = {
  ...FILTERS,
  assignee: null,
  milestone: null,
  sort: LIST_SORTS,
} as const satisfies Record<string, readonly string[] | null>

export type ListFilterName = keyof typeof LIST_FILTERS

/** Short forms of `state:` and `kind:`, as on GitHub: `is:open`, `is:pr`. */
const IS: ReadonlyMap<string, readonly [FilterName, string]> = new Map<
  string,
  readonly [FilterName, string]
>([
  ...SEARCH_STATES.map((state) => [state, ['state', state]] as const),
  ...SEARCH_KINDS.map((kind) => [kind, ['kind', kind]] as const),
  ['pr', ['kind', 'pull_request']],
])

/** Other filters of the host. Taken for words they would find nothing, as if there were nothing to find. */
const OF_HOST = [
  'archived',
  'assignee',
  'base',
  'closed',
  'commenter',
  'comments',
  'created',
  'draft',
  'head',
  'in',
  'involves',
  'language',
  'linked',
  'mentions',
  'merged',
  'milestone',
  'no',
  'org',
  'project',
  'reactions',
  'reason',
  'review',
  'review-requested',
  'reviewed-by',
  'sort',
  'status',
  'team',
  'updated',
  'user',
]

/** A phrase, which is kept, or one of these filters with its value, which may be quoted. */
const PART = new RegExp(
  `"[^"]*"?|(?<![^\\s(])(-?)(${[...Object.keys(LIST_FILTERS), 'is', 'type', ...OF_HOST].join('|')}):(?:"([^"]*)"|([^\\s()"]+))`,
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
  const { words, filters } = separate(text, FILTERS)
  const single = new Map<FilterName, string>()
  for (const [name, value] of filters) {
    if (single.has(name as FilterName)) throw new InvalidSearch(`${name}: is given twice`)
    single.set(name as FilterName, value)
  }
  for (const [name, value] of single) requireValue(name, value, FILTERS[name])
  return { words, filters: single }
}

/** The query of a list of threads: words, and filters in their order. */
export interface ListQueryText {
  readonly words: string
  readonly filters: readonly (readonly [ListFilterName, string])[]
}

/**
 * Separates the filters of a list of threads from the words, as `parseFilters` does; labels may be repeated. Throws
 * `InvalidSearch`.
 */
export function parseListQuery(text: string): ListQueryText {
  const { words, filters } = separate(text, LIST_FILTERS)
  for (const [i, [name, value]] of filters.entries()) {
    const isRepeated = filters.findIndex(([other]) => other === name) < i
    if (isRepeated && name !== 'label') throw new InvalidSearch(`${name}: is given twice`)
    requireValue(name, value, LIST_FILTERS[name])
  }
  return { words, filters }
}

function separate(
  text: string,
  known: object,
): { words: string; filters: (readonly [ListFilterName, string])[] } {
  const filters: (readonly [ListFilterName, string])[] = []
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
    // The host also calls `is:` of a kind `type:`.
    const isShort = word === 'is' || word === 'type'
    if (!isShort && !(word in known)) {
      throw new InvalidSearch(`${word}: is no filter here; in quotes it is searched for as a text`)
    }
    if (isPartOfMore(words, text.slice(end))) {
      const message = `${part} narrows the whole search: write it without AND, OR, NOT, parentheses`
      throw new InvalidSearch(message)
    }
    filters.push(isShort ? meaningOf(written) : [word as ListFilterName, written])
  }
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
