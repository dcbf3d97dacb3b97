/** A number in a text. */
interface Span {
  start: number
  end: number
}

const LONGEST = 400
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** The name of a member, or an element of a list. The quotes of JSON within JSON have backslashes. */
const BEFORE = /(?:"\s{0,99}:|\[|(?:[\]}"\d]|true|false|null)\s{0,99},)\s{0,99}$/
const BEHIND = /^\s{0,99}[,}\]]/

/**
 * The number of a JSON text that has a place, if there is one: a text in its stead is no JSON.
 *
 * @example jsonNumberAround('{"id":12345}', { start: 7, end: 9 }) // { start: 6, end: 11 }
 */
export function jsonNumberAround(text: string, { start, end }: Span): Span | undefined {
  const isPart = (at: number) => /[\w.+-]/.test(text[at] ?? ' ')
  let [from, to] = [start, end]
  while (from > start - LONGEST && isPart(from - 1)) from--
  while (to < end + LONGEST && isPart(to)) to++
  if (!NUMBER.test(text.slice(from, to))) return undefined
  if (!BEFORE.test(text.slice(Math.max(0, from - LONGEST), from))) return undefined
  return BEHIND.test(text.slice(to, to + LONGEST)) ? { start: from, end: to } : undefined
}
