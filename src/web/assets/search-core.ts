import { BODY, DIGITS, TITLE } from '../site/search-words.ts'
import { SEARCH_SYNTAX } from './search-syntax.ts'

/**
 * Finds texts in the index of a site: words come in, numbers of texts go out, the best first. `load` returns what a script of the
 * index holds. It is text, because the pages of a site have nothing but scripts.
 */
export const SEARCH_CORE = String.raw`${SEARCH_SYNTAX}
const digits = '${DIGITS}'
const postingsOf = (text, add) => {
  let number = 0
  for (let i = 0; i < text.length; ) {
    let [value, power, digit] = [0, 1, 32]
    while (digit >= 32 && i < text.length) {
      digit = digits.indexOf(text[i++])
      value += (digit % 32) * power
      power *= 32
    }
    number += Math.floor(value / 4)
    add(number, value % 4)
  }
}
const MOST_SHARDS = 100
const shardsOf = ({ words }, term, isPrefix) => {
  let first = words.findIndex(([start]) => order(start, term) >= 0)
  first = Math.max(0, (first < 0 ? words.length : first) - 1)
  const shards = []
  for (let i = first; i < words.length && shards.length < MOST_SHARDS; i++) {
    const [start, name] = words[i]
    if (i > first && order(start, term) > 0 && !(isPrefix && start.startsWith(term))) break
    shards.push(name)
  }
  return shards
}
const matchesOf = async (index, term, isPrefix, load) => {
  const found = new Map()
  const lists = await Promise.all(shardsOf(index, term, isPrefix).map(load))
  for (const line of lists.flatMap((list) => list.split('\n'))) {
    const [word, postings] = line.split('\t')
    if (word === term || (isPrefix && word.startsWith(term))) postingsOf(postings, (id, columns) => found.set(id, found.get(id) | columns))
  }
  return found
}
const foundOf = async (index, { words, isPrefix, columns }, load) => {
  const [first = new Map(), ...others] = await Promise.all(
    words.map((word, i) => matchesOf(index, word, isPrefix && i === words.length - 1, load)),
  )
  const found = new Map()
  for (const [id, where] of first) {
    const common = others.reduce((all, one) => all & one.get(id), where & columns)
    if (common) found.set(id, common)
  }
  return found
}
const leavesOf = (node, isWanted = true) => {
  if (node.any) return node.any.flatMap((one) => leavesOf(one, isWanted))
  if (node.all) return [...node.all.flatMap((one) => leavesOf(one, isWanted)), ...node.but.flatMap((one) => leavesOf(one, false))]
  return [{ leaf: node, isWanted }]
}
const isPhrase = ({ words }) => words.length > 1
const isExact = (node) => !leavesOf(node).some(({ leaf }) => isPhrase(leaf))
/** Texts that may fit, with how well: of a phrase, those that have its words. */
const rank = (index, node) => {
  const scores = new Map()
  if (node.any) {
    for (const one of node.any) for (const [id, score] of rank(index, one)) scores.set(id, (scores.get(id) || 0) + score)
  } else if (node.all) {
    const all = node.all.map((one) => rank(index, one)).sort((a, b) => a.size - b.size)
    const none = node.but.filter(isExact).map((one) => rank(index, one))
    for (const id of all[0].keys()) {
      if (all.every((one) => one.has(id)) && !none.some((one) => one.has(id))) scores.set(id, all.reduce((sum, one) => sum + one.get(id), 0))
    }
  } else {
    const weight = Math.log(1 + index.count / (1 + node.found.size))
    for (const [id, columns] of node.found) scores.set(id, weight * (columns & ${TITLE} ? 5 : 1))
  }
  return scores
}
const isAt = (words, start, leaf) =>
  start + leaf.words.length <= words.length &&
  leaf.words.every((word, i) => word === words[start + i] || (leaf.isPrefix && i === leaf.words.length - 1 && words[start + i].startsWith(word)))
const hasPhrase = (text, leaf) => {
  const words = wordsIn(text)
  return words.some((_, start) => isAt(words, start, leaf))
}
const fits = (node, id, text) => {
  if (node.any) return node.any.some((one) => fits(one, id, text))
  if (node.all) return node.all.every((one) => fits(one, id, text)) && !node.but.some((one) => fits(one, id, text))
  const columns = node.found.get(id)
  if (!columns || !isPhrase(node)) return Boolean(columns)
  const { title, body } = text
  return Boolean((columns & ${TITLE} && hasPhrase(title, node)) || (columns & ${BODY} && hasPhrase(body, node)))
}
const textsOf = async (index, ids, load) => {
  const partOf = (id) => {
    let [low, high] = [0, index.texts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (index.texts[middle][0] <= id) low = middle
      else high = middle
    }
    return index.texts[low]
  }
  const parts = new Map(ids.map((id) => [id, partOf(id)]))
  const loaded = new Map(await Promise.all([...new Set(parts.values())].map(async (part) => [part, await load(part[1])])))
  return ids.map((id) => {
    const [path, kind, place, author, time, heading, body, title = heading] = loaded.get(parts.get(id))[id - parts.get(id)[0]]
    return { path, kind, place, author, time, heading, body, title }
  })
}
/** Texts that are looked at for a phrase, the best first. */
const MOST_CHECKED = 1000
const find = async (index, typed, load) => {
  const { words, filters } = parseFilters(typed)
  const tree = words === '' && filters.length > 0 ? undefined : parseWords(words)
  const leaves = tree ? leavesOf(tree) : []
  const narrowed = await Promise.all(
    filters.map(([name, value]) => matchesOf(index, name + ':' + fold(value).replace(/\s+/g, ' ').trim(), false, load)),
  )
  for (const { leaf } of leaves) leaf.found = await foundOf(index, leaf, load)
  const [least, ...others] = narrowed.sort((a, b) => a.size - b.size)
  const scores = tree ? rank(index, tree) : new Map([...least.keys()].map((id) => [id, 0]))
  const sets = tree ? narrowed : others
  let ids = [...scores.keys()].filter((id) => sets.every((one) => one.has(id)))
  ids.sort((a, b) => scores.get(b) - scores.get(a) || b - a)
  const isCut = leaves.some(({ leaf }) => isPhrase(leaf)) && ids.length > MOST_CHECKED
  if (tree && !isExact(tree)) {
    const texts = await textsOf(index, ids.slice(0, MOST_CHECKED), load)
    ids = ids.slice(0, MOST_CHECKED).filter((id, i) => fits(tree, id, texts[i]))
  }
  const wanted = leaves.flatMap(({ leaf, isWanted }) => (isWanted ? [leaf] : []))
  if (ids.length > 0 || !/(?:^|[\s(])[\p{L}\p{N}]{2,}$/u.test(typed)) return { ids, wanted, isCut, isBegun: false }
  // Nothing has the last word: what begins with it may be meant, also while people type.
  return { ...(await find(index, typed + '*', load)), isBegun: true }
}

/** A text as parts, each with whether it was searched for. */
const markedOf = (text, wanted, column, most) => {
  const spaced = split(text)
  const tokens = [...spaced.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)].map(({ 0: piece, index }) => ({ start: index, end: index + piece.length, words: wordsIn(piece) }))
  const flat = tokens.flatMap((token) => token.words.map((word) => ({ word, token })))
  const words = flat.map(({ word }) => word)
  for (const leaf of wanted) {
    if (!(leaf.columns & column)) continue
    for (let i = 0; i < words.length; i++) {
      if (!isAt(words, i, leaf)) continue
      const last = flat[i + leaf.words.length - 1].token
      for (let k = i; k < i + leaf.words.length; k++) flat[k].token.until = Math.max(flat[k].token.until || 0, last.end)
    }
  }
  const [from, to] = most < tokens.length ? windowOf(tokens, most) : [0, tokens.length]
  const parts = []
  const add = (part, isMarked) => {
    const shown = part.replaceAll('\u200b', '').replace(/\s+/g, ' ')
    if (shown !== '') parts.push([shown, isMarked])
  }
  let end = from > 0 ? tokens[from].start : 0
  const last = to < tokens.length ? tokens[to - 1].end : spaced.length
  if (from > 0) add('…', false)
  for (const { start, until } of tokens.slice(from, to)) {
    if (!until || start < end) continue
    add(spaced.slice(end, start), false)
    end = Math.min(until, last)
    add(spaced.slice(start, end), true)
  }
  add(spaced.slice(end, last) + (to < tokens.length ? '…' : ''), false)
  return parts
}
/** The part of a text with the most different words that were searched for, in its middle. */
const windowOf = (tokens, most) => {
  const counts = new Map()
  let [best, first, last] = [0, 0, 0]
  for (const [i, { until, words: [word] }] of tokens.entries()) {
    const gone = tokens[i - most]
    if (gone && gone.until) {
      counts.set(gone.words[0], counts.get(gone.words[0]) - 1)
      if (counts.get(gone.words[0]) === 0) counts.delete(gone.words[0])
    }
    if (until) counts.set(word, (counts.get(word) || 0) + 1)
    if (counts.size > best) [best, first, last] = [counts.size, Math.max(0, i - most + 1), i]
  }
  while (best > 0 && !tokens[first].until) first++
  const from = Math.max(0, Math.min(tokens.length - most, first - Math.floor((most - (last - first + 1)) / 2)))
  return [best > 0 ? from : 0, (best > 0 ? from : 0) + most]
}
`
