import { parseFilters } from '../../search/grammar/parse-filters.ts'
import { type Phrase, parseWords, type SearchTree } from '../../search/grammar/parse-words.ts'
import { wordsOf } from '../../search/grammar/words.ts'
import {
  BODY,
  filterTerm,
  type IndexedText,
  readPostings,
  type SiteIndex,
  TITLE,
} from '../site/search-format.ts'

/** Loads the data of a script of the index by its name. */
export type Load = <Data>(name: string) => Promise<Data>

/** A word or phrase as it is looked up. */
export interface SoughtPhrase {
  readonly words: readonly string[]
  readonly isPrefix: boolean
  /** `TITLE`, `BODY` or both. */
  readonly columns: number
}

/** Numbers of texts, each with the columns that have a word. */
type Matches = ReadonlyMap<number, number>

/** A phrase, with the texts that have its words. */
interface Leaf extends SoughtPhrase {
  readonly type: 'phrase'
  readonly matches: Matches
}

/** A search, with the texts that have its words. */
type Node =
  | Leaf
  | { readonly type: 'any'; readonly any: readonly Node[] }
  | { readonly type: 'all'; readonly all: readonly Node[]; readonly but: readonly Node[] }

/** Scripts that the words of one prefix may be in. */
const MOST_SHARDS = 100
/** Texts that are looked at for a phrase, the best first. */
export const MOST_CHECKED = 1_000
/** A word in a title counts as much as this many in a body. */
const TITLE_WEIGHT = 5

export interface FoundTexts {
  /** Numbers of texts, the best first. */
  readonly ids: readonly number[]
  /** The phrases that are marked in a result. */
  readonly wanted: readonly SoughtPhrase[]
  /** Whether more texts have the words of a phrase than were looked at. */
  readonly isCut: boolean
  /** Whether nothing has the last word, and words were found that begin with it. */
  readonly isBegun: boolean
}

/**
 * Finds texts in the index of a site. Throws `InvalidSearch`.
 *
 * @param text a search as people type it
 */
export async function findTexts(index: SiteIndex, text: string, load: Load): Promise<FoundTexts> {
  const { words, filters } = parseFilters(text)
  const tree =
    words === '' && filters.size > 0 ? undefined : await lookUp(index, parseWords(words), load)
  const narrowed = await Promise.all(
    [...filters].map(([name, value]) => matchesOf(index, filterTerm(name, value), false, load)),
  )
  const scores = tree ? rank(index, tree) : new Map([...intersect(narrowed)].map((id) => [id, 0]))
  let ids = [...scores.keys()].filter((id) => narrowed.every((matches) => matches.has(id)))
  ids.sort((left, right) => (scores.get(right) ?? 0) - (scores.get(left) ?? 0) || right - left)
  const leaves = tree ? leavesOf(tree) : []
  const isCut = leaves.some(({ leaf }) => isPhrase(leaf)) && ids.length > MOST_CHECKED
  if (tree && !isExact(tree)) {
    ids = ids.slice(0, MOST_CHECKED)
    const texts = await textsOf(index, ids, load)
    ids = ids.filter((id, i) => fits(tree, id, texts[i] as ShownText))
  }
  const wanted = leaves.flatMap(({ leaf, isWanted }) => (isWanted ? [leaf] : []))
  if (ids.length > 0 || !/(?:^|[\s(])[\p{L}\p{N}]{2,}$/u.test(text)) {
    return { ids, wanted, isCut, isBegun: false }
  }
  // Nothing has the last word: words that begin with it may be meant, also while people type.
  return { ...(await findTexts(index, `${text}*`, load)), isBegun: true }
}

/** A text as a result shows it. */
export interface ShownText {
  /** Empty if the site has no page of it. */
  readonly path: string
  readonly kind: string
  readonly place: string
  readonly author: string
  readonly time: string
  readonly heading: string
  readonly body: string
  readonly title: string
}

/** Reads texts by their numbers. */
export async function textsOf(
  index: SiteIndex,
  ids: readonly number[],
  load: Load,
): Promise<ShownText[]> {
  const parts = ids.map((id) => partOf(index, id))
  const names = new Set(parts.map(([, name]) => name))
  const loaded = new Map(
    await Promise.all(
      [...names].map(async (name) => [name, await load<IndexedText[]>(name)] as const),
    ),
  )
  return ids.map((id, i) => {
    const [first, name] = parts[i] as [number, string]
    const text = loaded.get(name)?.[id - first] as IndexedText
    const [path, kind, place, author, time, heading, body, title = heading] = text
    return { path, kind, place, author, time, heading, body, title }
  })
}

/** The script that has a text: the last that does not begin after it. */
function partOf({ texts }: SiteIndex, id: number): [first: number, name: string] {
  let low = 0
  let high = texts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((texts[middle]?.[0] ?? 0) <= id) low = middle
    else high = middle
  }
  return texts[low] as [number, string]
}

async function lookUp(index: SiteIndex, tree: SearchTree, load: Load): Promise<Node> {
  const all = (trees: readonly SearchTree[]) =>
    Promise.all(trees.map((inner) => lookUp(index, inner, load)))
  switch (tree.type) {
    case 'any':
      return { type: 'any', any: await all(tree.any) }
    case 'all':
      return { type: 'all', all: await all(tree.all), but: await all(tree.but) }
    case 'phrase':
      return lookUpPhrase(index, tree, load)
  }
}

async function lookUpPhrase(
  index: SiteIndex,
  { column, text, isPrefix }: Phrase,
  load: Load,
): Promise<Leaf> {
  const words = wordsOf(text)
  const columns = column === undefined ? TITLE | BODY : column === 'title' ? TITLE : BODY
  const found = await Promise.all(
    words.map((word, i) => matchesOf(index, word, isPrefix && i === words.length - 1, load)),
  )
  const matches = new Map<number, number>()
  for (const id of intersect(found)) {
    const common = found.reduce((all, each) => all & (each.get(id) ?? 0), columns)
    if (common !== 0) matches.set(id, common)
  }
  return { type: 'phrase', words, isPrefix, columns, matches }
}

function* intersect(found: readonly Matches[]): Generator<number> {
  const [least, ...others] = found.toSorted((left, right) => left.size - right.size)
  for (const id of least?.keys() ?? []) if (others.every((matches) => matches.has(id))) yield id
}

async function matchesOf(
  index: SiteIndex,
  term: string,
  isPrefix: boolean,
  load: Load,
): Promise<Matches> {
  const matches = new Map<number, number>()
  const names = shardsOf(index, term, isPrefix)
  const lists = await Promise.all(names.map((name) => load<string>(name)))
  for (const line of lists.flatMap((list) => list.split('\n'))) {
    const [word = '', postings = ''] = line.split('\t')
    if (word !== term && !(isPrefix && word.startsWith(term))) continue
    readPostings(postings, (id, columns) => matches.set(id, (matches.get(id) ?? 0) | columns))
  }
  return matches
}

/** Names of the scripts that may have a word. */
function shardsOf({ words }: SiteIndex, term: string, isPrefix: boolean): string[] {
  const next = words.findIndex(([start]) => compareCodePoints(start, term) >= 0)
  const first = Math.max(0, (next < 0 ? words.length : next) - 1)
  const shards: string[] = []
  for (const [i, [start, name]] of words.entries()) {
    if (i < first) continue
    const isAfter = i > first && compareCodePoints(start, term) > 0
    if (isAfter && !(isPrefix && start.startsWith(term))) break
    shards.push(name)
    if (shards.length === MOST_SHARDS) break
  }
  return shards
}

/** In the order of SQLite, which is that of bytes of UTF-8. */
function compareCodePoints(left: string, right: string): number {
  const [a, b] = [[...left], [...right]]
  for (const [i, character] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
  }
  return a.length - b.length
}

const isPhrase = ({ words }: Leaf) => words.length > 1

function leavesOf(node: Node, isWanted = true): { leaf: Leaf; isWanted: boolean }[] {
  switch (node.type) {
    case 'any':
      return node.any.flatMap((inner) => leavesOf(inner, isWanted))
    case 'all': {
      const wanted = node.all.flatMap((inner) => leavesOf(inner, isWanted))
      return [...wanted, ...node.but.flatMap((inner) => leavesOf(inner, false))]
    }
    case 'phrase':
      return [{ leaf: node, isWanted }]
  }
}

/** Whether the index alone says which texts fit: it does not know which words follow each other. */
const isExact = (node: Node) => !leavesOf(node).some(({ leaf }) => isPhrase(leaf))

/** Texts that may fit, with how well: of a phrase, those that have its words. */
function rank(index: SiteIndex, node: Node): Map<number, number> {
  const scores = new Map<number, number>()
  switch (node.type) {
    case 'any':
      for (const inner of node.any) {
        for (const [id, score] of rank(index, inner)) scores.set(id, (scores.get(id) ?? 0) + score)
      }
      break
    case 'all': {
      const all = node.all.map((inner) => rank(index, inner))
      const but = node.but.filter(isExact).map((inner) => rank(index, inner))
      for (const id of intersect(all)) {
        if (but.some((excluded) => excluded.has(id))) continue
        scores.set(
          id,
          all.reduce((sum, inner) => sum + (inner.get(id) ?? 0), 0),
        )
      }
      break
    }
    case 'phrase': {
      const weight = Math.log(1 + index.count / (1 + node.matches.size))
      for (const [id, columns] of node.matches) {
        scores.set(id, columns & TITLE ? weight * TITLE_WEIGHT : weight)
      }
    }
  }
  return scores
}

function fits(node: Node, id: number, text: ShownText): boolean {
  switch (node.type) {
    case 'any':
      return node.any.some((inner) => fits(inner, id, text))
    case 'all':
      return (
        node.all.every((inner) => fits(inner, id, text)) &&
        !node.but.some((inner) => fits(inner, id, text))
      )
    case 'phrase': {
      const columns = node.matches.get(id) ?? 0
      if (columns === 0 || !isPhrase(node)) return columns !== 0
      const isIn = (column: number, words: string) =>
        (columns & column) !== 0 && hasPhrase(wordsOf(words), node)
      return isIn(TITLE, text.title) || isIn(BODY, text.body)
    }
  }
}

const hasPhrase = (words: readonly string[], phrase: SoughtPhrase) =>
  words.some((_, start) => isPhraseAt(words, start, phrase))

/** Whether words have a phrase at a position. */
export const isPhraseAt = (
  words: readonly string[],
  start: number,
  { words: sought, isPrefix }: SoughtPhrase,
): boolean =>
  start + sought.length <= words.length &&
  sought.every((word, i) => {
    const found = words[start + i] as string
    return word === found || (isPrefix && i === sought.length - 1 && found.startsWith(word))
  })
