import { eachPlain } from './each-plain.ts'
import type { JsonObject } from './json.ts'
import { type Column, type Kind, perKind } from './kind.ts'
import { CHARACTERS, plainPattern } from './plain-pattern.ts'
import { SURVEYED } from './survey-records.ts'

type Texts = Record<(typeof SURVEYED)[number], string | null> & JsonObject

/**
 * The members of the records of a file that a survey looks at, with each byte of a text a character, or null for what is
 * no text; nothing unless all records are plain.
 */
export function plainTexts(kind: Kind, array: Buffer): Texts[] | undefined {
  const { pattern, groups } = patternOf(kind)
  const records: Texts[] = []
  const arePlain = eachPlain(pattern, array, (match) => {
    // Named one by one, so that V8 knows where in a record they are.
    records.push({
      url: textIn(match, groups.url),
      user: textIn(match, groups.user),
      created_at: textIn(match, groups.created_at),
      repository: textIn(match, groups.repository),
      issue: textIn(match, groups.issue),
      pull_request: textIn(match, groups.pull_request),
    })
  })
  return arePlain ? records : undefined
}

function textIn(match: RegExpExecArray, group: number): string | null {
  const text = group > 0 ? match[group] : undefined
  if (text === undefined) return null
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text
}

/** With the number of the group of each member, from 1; 0 for none. */
const patternOf = perKind((kind) => {
  const surveyed: readonly string[] = SURVEYED
  const names = Object.keys(kind.columns).filter(
    (name) => surveyed.includes(name) && isText(kind.columns[name]),
  )
  const groups = Object.fromEntries(SURVEYED.map((name) => [name, names.indexOf(name) + 1]))
  return {
    groups: groups as Record<(typeof SURVEYED)[number], number>,
    pattern: plainPattern(kind, {
      value: (pattern, name) => (names.includes(name) ? `"(${CHARACTERS})"` : pattern),
    }),
  }
})

const isText = (column: Column | undefined) =>
  column?.storage === 'text' || column?.storage === 'time'
