import { ArchiveError } from '../../errors.ts'
import { countMembers, countMembersAtMost } from './count-members.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isIndex, type Loss } from './lossless-assembler.ts'
import { parseTokens } from './parse-tokens.ts'

export interface ParseOptions {
  /** Levels of nesting; default 512. */
  maxDepth?: number
  /** Levels around what is counted; default 0. */
  around?: number
  /** Is told of what an object cannot hold. */
  lose?: ((loss: Loss) => void) | undefined
}

/**
 * Parses like `JSON.parse`, but keeps the text of numbers that would print otherwise, and every name.
 * Throws `SyntaxError` on bad JSON and `ArchiveError` (`limit-depth`) on nesting deeper than `maxDepth`.
 */
export function parseLossless(
  text: string,
  { maxDepth = 512, around = 0, lose }: ParseOptions = {},
): JsonValue {
  const value: JsonValue = JSON.parse(text)
  // To go token by token takes several times as long, and text that needs it is rare: most files hold no
  // number at all, and most numbers are short integers.
  const { members, hasNumber, hasElement, hasBackslash, hasIndex } = survey(value, maxDepth, around)
  const suspect =
    hasBackslash ||
    (hasNumber && memberNumber.test(text)) ||
    (hasElement && elementNumber.test(text)) ||
    (lose && (hasIndex || repeatsMember(text, members)))
  return suspect ? parseTokens([text], lose) : value
}

export const tooDeep = (maxDepth: number) =>
  new ArchiveError('limit-depth', `JSON is nested deeper than ${maxDepth} levels`)

/** Whether the text has more members than were found in its objects. */
const repeatsMember = (text: string, found: number): boolean =>
  countMembersAtMost(text) > found && countMembers(text) > found

// What may print otherwise: a fraction, an exponent, sixteen digits and more, minus zero. The pattern for
// elements also matches prose, which costs time and nothing else.
const memberNumber = /"\s*:\s*-?(?:\d+[.eE]|\d{16}|0(?<=-0))/
const elementNumber = /(?:^|[[,])\s*-?(?:\d+[.eE]|\d{16}|0(?<=-0))/

interface Survey {
  /** Of all objects. */
  members: number
  /** A number stands somewhere as the value of a member. */
  hasNumber: boolean
  /** A number stands somewhere as an element of an array, or alone. */
  hasElement: boolean
  /**
   * A name has a backslash. V8 in Node.js 24 may take a name that is written with an escape for such a one
   * that it saw before: after {"a":1,"\\":2} it reads {"a":1,"\n":2} as the same (nodejs/node#63785).
   */
  hasBackslash: boolean
  /** A name is an integer: objects list it before the others, wherever it stood. */
  hasIndex: boolean
}

// Level by level instead of recursive, because hostile JSON is nested deeper than the stack. This looks at
// every value of every file: for-in is the fastest way there is.
function survey(root: JsonValue, maxDepth: number, around: number): Survey {
  const found: Survey = {
    ...{ members: 0, hasNumber: false, hasElement: typeof root === 'number' },
    ...{ hasBackslash: false, hasIndex: false },
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
