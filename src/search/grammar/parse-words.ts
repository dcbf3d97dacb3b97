import { InvalidSearch } from './invalid-search.ts'

/** A word or a phrase; `text` has a letter or digit, and no quotation marks. */
export interface Phrase {
  readonly type: 'phrase'
  /** The only column to look in, if it is one. */
  readonly column: 'title' | 'body' | undefined
  readonly text: string
  /** Whether its last word is the beginning of one. */
  readonly isPrefix: boolean
}

/** A search: any of some; all of some and none of others; or a phrase. */
export type SearchTree =
  | Phrase
  | { readonly type: 'any'; readonly any: readonly [SearchTree, ...SearchTree[]] }
  | {
      readonly type: 'all'
      readonly all: readonly [SearchTree, ...SearchTree[]]
      readonly but: readonly SearchTree[]
    }

/** A parenthesis, a phrase or a word of a search. */
const TOKEN = /\s*(\(|\)|-?(?:(?:title|body):)?"[^"]*"?\*?|[^\s()"]+)/gy
/** The same as NOT; a word may begin with more than one. */
const MINUS = /^-(?=[^-*])/
const DEEPEST = 50
/** Words and phrases that a search may have, and how many of them may be prefixes: each of these reads a part of the index. */
const MOST_WORDS = 100
const MOST_PREFIXES = 10
const OPERATORS = ['AND', 'OR', 'NOT']
const SYNTAX = new Set([...OPERATORS, '(', ')'])

/**
 * Parses the words of a search. All must occur, unless `"a phrase"`, `prefix*`, `title:word`, `OR`, `NOT` or `-word`, `AND` or
 * parentheses say otherwise. Throws `InvalidSearch`.
 */
export function parseWords(text: string): SearchTree {
  const tokens = [...text.matchAll(TOKEN)].map(([, token]) => token as string)
  // FTS5 stops reading at the first NUL.
  if (text.includes('\0')) throw new InvalidSearch('a word must not contain NUL')
  if (tokens.length === 0) throw new InvalidSearch('there are no words to look for')
  const words = tokens.filter((token) => !SYNTAX.has(token))
  requireAtMost(MOST_WORDS, words.length, 'words')
  const prefixes = words.filter((token) => token.endsWith('*'))
  requireAtMost(MOST_PREFIXES, prefixes.length, 'words that end in *')
  let at = 0
  let depth = 0
  const next = () => tokens[at]

  function parseAny(): SearchTree {
    const first = parseAll()
    const others: SearchTree[] = []
    while (next() === 'OR') {
      at++
      others.push(parseAll())
    }
    return others.length === 0 ? first : { type: 'any', any: [first, ...others] }
  }

  function parseAll(): SearchTree {
    const all: SearchTree[] = []
    const but: SearchTree[] = []
    for (
      let token = next();
      token !== undefined && token !== ')' && token !== 'OR';
      token = next()
    ) {
      if (token === 'AND') {
        if (all.length + but.length === 0) throw missing('before', token)
        at++
        if (isEnd(next()) && next() !== 'NOT') throw missing('after', token)
      } else if (token === 'NOT') {
        at++
        if (isEnd(next())) throw missing('after', token)
        but.push(parseOne())
      } else if (MINUS.test(token)) {
        at++
        but.push(phraseOf(token.slice(1)))
      } else {
        all.push(parseOne())
      }
    }
    const [first, ...others] = all
    if (first === undefined) {
      if (but.length > 0) {
        throw new InvalidSearch('NOT excludes results of other words, and there are none')
      }
      throw next() === 'OR' ? missing('before', 'OR') : missing('after', tokens[at - 1] ?? ')')
    }
    return all.length === 1 && but.length === 0
      ? first
      : { type: 'all', all: [first, ...others], but }
  }

  function parseOne(): SearchTree {
    const token = next() as string
    at++
    if (token !== '(') return phraseOf(token)
    if (++depth > DEEPEST) {
      throw new InvalidSearch(`parentheses are nested more than ${DEEPEST} deep`)
    }
    const inner = parseAny()
    if (next() !== ')') throw new InvalidSearch('a parenthesis is not closed')
    depth--
    at++
    return inner
  }

  const tree = parseAny()
  if (next() === ')') throw new InvalidSearch('a parenthesis is closed that was not opened')
  return tree
}

const isEnd = (token: string | undefined) =>
  token === undefined || token === ')' || OPERATORS.includes(token)

function phraseOf(token: string): Phrase {
  const [, column, rest = ''] = /^(?:(title|body):)?(.*)$/su.exec(token) ?? []
  if (rest.startsWith('"') && !/^"[^"]*"\*?$/.test(rest)) {
    throw new InvalidSearch('a quotation mark is not closed')
  }
  const text = rest.replaceAll('"', '').replace(/\*$/, '')
  if (!/[\p{L}\p{N}\p{Co}]/u.test(text)) {
    const word = JSON.stringify(token)
    throw new InvalidSearch(`${word} has no letters or digits; nothing else is indexed`)
  }
  return {
    type: 'phrase',
    column: column as Phrase['column'],
    text,
    isPrefix: rest.endsWith('*'),
  }
}

function requireAtMost(limit: number, count: number, noun: string): void {
  if (count > limit) {
    throw new InvalidSearch(`a search takes at most ${limit} ${noun}, and this has ${count}`)
  }
}

const missing = (where: 'before' | 'after', token: string) =>
  new InvalidSearch(`a word is missing ${where} ${token}`)
