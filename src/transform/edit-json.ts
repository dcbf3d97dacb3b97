/** Where a string stands in a JSON text. */
export interface JsonPlace {
  /** The member with all on the way to it: `emails[].address`, or `emails[].address{}` for a name of a member. */
  path: string
  /** Its own name: `address`; that of the list for an element, and `{}` for a name of a member. */
  name: string
}

/** The new value of a string; the same if it stays. */
export type EditJsonString = (value: string, place: JsonPlace) => string | null

/**
 * Edits the strings of a JSON text where they stand, and leaves every other character as it is. The values are never held
 * together: those of a text of many megabytes would take ten times its size. In a text that is not JSON, some strings may stay.
 *
 * @param place where the text stands
 * @param names whether to edit names of members as well
 * @example editJson('{"id": 1.0, "body": "x"}', (value) => value.toUpperCase()) // '{"id": 1.0, "body": "X"}'
 */
export function editJson(
  text: string,
  edit: EditJsonString,
  { place = { path: '', name: '' }, names = false }: { place?: JsonPlace; names?: boolean } = {},
): string {
  const parts: string[] = []
  let from = 0
  /** The places of the lists and objects around, and whether each is an object. */
  const outer: { place: JsonPlace; isObject: boolean }[] = []
  let around = { place, isObject: false }
  let here = place
  let isName = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at)
        if (end < 0) return text
        const value = stringOf(text, at, end)
        if (value === undefined) return text
        let now: string | null = value
        if (isName) {
          const { path } = around.place
          here = { path: path === '' ? value : `${path}.${value}`, name: value }
          if (names) now = edit(value, { path: `${here.path}{}`, name: '{}' }) ?? value
        } else now = edit(value, here)
        if (now !== value) {
          parts.push(text.slice(from, at), JSON.stringify(now))
          from = end
        }
        at = end - 1
        break
      }
      case OBJECT:
      case LIST: {
        const isObject = text.charCodeAt(at) === OBJECT
        outer.push(around)
        around = { place: here, isObject }
        isName = isObject
        if (!isObject) here = { path: `${here.path}[]`, name: here.name }
        break
      }
      case END_OF_OBJECT:
      case END_OF_LIST:
        around = outer.pop() ?? around
        here = around.place
        isName = false
        break
      case COLON:
        isName = false
        break
      case COMMA:
        isName = around.isObject
        if (!isName) here = { path: `${around.place.path}[]`, name: around.place.name }
        break
      default:
    }
  }
  if (from === 0) return text
  parts.push(text.slice(from))
  return parts.join('')
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BACKSLASH = 0x5c

/** Where the string ends that begins at a quote; -1 if it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end + 1
  }
  return -1
}

/** The value of the string from its first to its last quote; undefined if it is none. */
function stringOf(text: string, start: number, end: number): string | undefined {
  const written = text.slice(start + 1, end - 1)
  if (!written.includes('\\')) return written
  try {
    return JSON.parse(`"${written}"`) as string
  } catch {
    return undefined
  }
}
