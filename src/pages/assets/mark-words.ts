import { joinUnspaced, splitUnspaced, wordsOf } from '../../search/grammar/words.ts'
import { isPhraseAt, type SoughtPhrase } from './find-texts.ts'

/** A part of a text, and whether it was searched for. */
export type MarkedPart = [text: string, isMarked: boolean]

/** A run of letters and digits. It may be several words, such as the characters of a Chinese one. */
interface Token {
  readonly start: number
  readonly end: number
  readonly words: readonly string[]
  /** Where the phrase ends that begins here, or has this word; 0 if it was not searched for. */
  until: number
}

/**
 * Splits a text into parts that were searched for and parts that were not.
 *
 * @param column `TITLE` or `BODY`: phrases of the other are not marked
 * @param limit words to show of a longer text, around those that were searched for
 */
export function markWords(
  text: string,
  wanted: readonly SoughtPhrase[],
  column: number,
  limit = Number.POSITIVE_INFINITY,
): MarkedPart[] {
  const spaced = splitUnspaced(text)
  const tokens = tokensOf(spaced)
  markTokens(tokens, wanted, column)
  const [from, to] = limit < tokens.length ? windowOf(tokens, limit) : [0, tokens.length]
  const parts: MarkedPart[] = []
  const add = (part: string, isMarked: boolean) => {
    const shown = joinUnspaced(part).replace(/\s+/g, ' ')
    if (shown !== '') parts.push([shown, isMarked])
  }
  const shown = tokens.slice(from, to)
  const last = to < tokens.length ? (shown.at(-1)?.end ?? 0) : spaced.length
  let end = from > 0 ? (shown[0]?.start ?? 0) : 0
  if (from > 0) add('…', false)
  for (const { start, until } of shown) {
    if (until === 0 || start < end) continue
    add(spaced.slice(end, start), false)
    end = Math.min(until, last)
    add(spaced.slice(start, end), true)
  }
  add(spaced.slice(end, last) + (to < tokens.length ? '…' : ''), false)
  return parts
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)].map(({ 0: piece, index }) => ({
    start: index,
    end: index + piece.length,
    words: wordsOf(piece),
    until: 0,
  }))

function markTokens(
  tokens: readonly Token[],
  wanted: readonly SoughtPhrase[],
  column: number,
): void {
  const owners = tokens.flatMap((token) => token.words.map(() => token))
  const words = tokens.flatMap((token) => token.words)
  for (const phrase of wanted) {
    if ((phrase.columns & column) === 0) continue
    for (let i = 0; i < words.length; i++) {
      if (!isPhraseAt(words, i, phrase)) continue
      const marked = owners.slice(i, i + phrase.words.length)
      const end = marked.at(-1)?.end ?? 0
      for (const token of marked) token.until = Math.max(token.until, end)
    }
  }
}

/** The part of a text with the most different words that were searched for, in its middle. */
function windowOf(tokens: readonly Token[], limit: number): [from: number, to: number] {
  const counts = new Map<string, number>()
  const count = (token: Token, step: 1 | -1) => {
    if (token.until === 0) return
    const [word = ''] = token.words
    const now = (counts.get(word) ?? 0) + step
    if (now === 0) counts.delete(word)
    else counts.set(word, now)
  }
  let best = 0
  let first = 0
  let last = 0
  for (const [i, token] of tokens.entries()) {
    const leaving = tokens[i - limit]
    if (leaving) count(leaving, -1)
    count(token, 1)
    if (counts.size > best) [best, first, last] = [counts.size, Math.max(0, i - limit + 1), i]
  }
  if (best === 0) return [0, limit]
  while (tokens[first]?.until === 0) first++
  const before = Math.floor((limit - (last - first + 1)) / 2)
  const from = Math.max(0, Math.min(tokens.length - limit, first - before))
  return [from, from + limit]
}
