import { closestMatch } from '../../base/closest-match.ts'

/**
 * The remedy for a word that is not one of a list: a question with the closest one, after `before`. Undefined if none is
 * close.
 */
export function didYouMean(
  text: string,
  words: readonly string[],
  before = '',
): string | undefined {
  const word = closestMatch(text, words)
  return word === undefined ? undefined : `Did you mean ${before}${word}?`
}
