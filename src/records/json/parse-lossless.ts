import { ArchiveError } from '../../base/errors.ts'
import { DEFAULT_LIMITS } from '../../base/limits.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isIndex, type Loss } from './lossless-assembler.ts'
import { parseTokens } from './parse-tokens.ts'

export interface ParseOptions {
  /** Levels of nesting. Default 512. */
  maxDepth?: number
  /** Levels around the text. Default 0. */
  around?: number
  /** Called with each loss. */
  lose?: ((loss: Loss) => void) | undefined
}

/**
 * Parses like `JSON.parse`, but keeps the text of numbers that would print otherwise, and every name.
 * Throws `SyntaxError` on bad JSON and `ArchiveError` (`limit-depth`) on nesting deeper than `maxDepth`.
 */
export function parseLossless(
  text: string,
  { maxDepth = DEFAULT_LIMITS.depth, around = 0, lose }: ParseOptions = {},
): JsonValue {
  const plain = parsePlain(text, maxDepth, around, lose !== undefined)
  return plain ? plain.value : parseTokens(piecesOf(text), lose)
}

/**
 * The value, unless it may have lost something. Parsing token by token takes several times as long and is rarely needed: most
 * files hold no number at all, and most numbers are short integers. Two trees of a large text are never there at once.
 */
function parsePlain(
  text: string,
  maxDepth: number,
  around: number,
  countsMembers: boolean,
): { value: JsonValue } | undefined {
  const value: JsonValue = JSON.parse(text)
  const { members, hasNumber, hasElement, hasBackslash, hasIndex } = survey(value, maxDepth, around)
  const suspect =
    hasBackslash ||
    (hasNumber && memberNumber.test(text)) ||
    (hasElement && elementNumber.test(text)) ||
    (countsMembers && (hasIndex || repeatsMember(text, members)))
  return suspect ? undefined : { value }
}

/** Characters whose tokens are in memory together: they take ten times as much. */
const PIECE = 2 ** 16

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}

export const tooDeep = (maxDepth: number) =>
  new ArchiveError('limit-depth', `JSON is nested deeper than ${maxDepth} levels`).over({
    allowed: maxDepth,
  })

/** Whether the text has more members than were found in its objects. */
const repeatsMember = (text: string, found: number): boolean =>
  countMembersAtMost(text) > found && countMembers(text) > found

// Numbers that may print differently: a fraction, an exponent, sixteen or more digits, minus zero. The pattern for
// elements also matches prose, which only costs time.
const memberNumber = /"\s*:\s*-?(?:\d+[.eE]|\d{16}|0(?<=-0))/
const elementNumber = /(?:^|[[,])\s*-?(?:\d+[.eE]|\d{16}|0(?<=-0))/

interface Survey {
  /** Members of all objects. */
  members: number
  /** A member has a number as its value. */
  hasNumber: boolean
  /** A number is an element of an array, or the whole text. */
  hasElement: boolean
  /**
   * A name has a backslash. V8 in Node.js 24 may confuse an escaped name with another one it saw before: after
   * {"a":1,"\\":2} it reads {"a":1,"\n":2} as the same (nodejs/node#63785).
   */
  hasBackslash: boolean
  /** A name is an integer, which objects list before all other names. */
  hasIndex: boolean
}

// Level by level instead of recursively, because hostile JSON is nested deeper than the stack. This visits every value
// of every file, and for-in is the fastest way to do it.
function survey(root: JsonValue, maxDepth: number, around: number): Survey {
  const found: Survey = {
    members: 0,
    hasNumber: false,
    hasElement: typeof root === 'number',
    hasBackslash: false,
    hasIndex: false,
  }
  // Most objects have the names of the one before.
  const names: string[] = []
  let level = typeof root === 'object' && root !== null ? [root] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth + around) throw tooDeep(maxDepth)
    const next: typeof level = []
    for (const parent of level) {
      if (Array.isArray(parent)) {
        for (const child of parent) {
          if (typeof child === 'object' && child !== null) next.push(child)
          else if (typeof child === 'number') found.hasElement = true
        }
      } else {
        let i = 0
        for (const name in parent) {
          if (name !== names[i]) {
            names[i] = name
            if (name.includes('\\')) found.hasBackslash = true
            if (isIndex(name)) found.hasIndex = true
          }
          i++
          const child = (parent as JsonObject)[name]
          if (typeof child === 'object' && child !== null) next.push(child)
          else if (typeof child === 'number') found.hasNumber = true
        }
        found.members += i
      }
    }
    level = next
  }
  return found
}

const COLON = ':'
const QUOTE = 0x22
const SPACE = 0x20

/**
 * The number of members of all objects in valid JSON, or a few more: a colon in a string may look like one after a
 * name. Cheap compared with parsing.
 */
export function countMembersAtMost(text: string): number {
  let count = 0
  for (let at = text.indexOf(COLON); at >= 0; at = text.indexOf(COLON, at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before === QUOTE || before <= SPACE) count++
  }
  return count
}

/** The number of members of all objects in valid JSON, counting each duplicate. */
export function countMembers(text: string): number {
  const colon = /\s*:/y
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfText(text, at)
    colon.lastIndex = at
    if (colon.test(text)) count++
  }
  return count
}

/** The position after the string that begins at `start`. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

/** Whether an odd number of backslashes comes before. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}
