import { eachPlain } from './each-plain.ts'
import type { JsonObject } from './json.ts'
import type { Column, Kind } from './kind.ts'
import { CHARACTERS, plainPattern } from './plain-pattern.ts'

/** Reads some members, as far as they are texts, of the records of a file; nothing unless all records are plain. */
export type PlainTexts = (kind: Kind, array: Buffer) => JsonObject[] | undefined

/** For whoever wants these members and no others, with each byte of a text a character. */
export function openPlainTexts(members: readonly string[]): PlainTexts {
  const known = new Map<Kind, { pattern: RegExp; names: readonly string[] }>()
  const patternOf = (kind: Kind) => {
    const names = Object.keys(kind.columns).filter(
      (name) => members.includes(name) && isText(kind.columns[name]),
    )
    const pattern = plainPattern(kind, {
      value: (pattern, name) => (names.includes(name) ? `"(${CHARACTERS})"` : pattern),
    })
    known.set(kind, { pattern, names })
    return { pattern, names }
  }
  return (kind, array) => {
    const { pattern, names } = known.get(kind) ?? patternOf(kind)
    const records: JsonObject[] = []
    const arePlain = eachPlain(pattern, array, (match) => {
      const record: JsonObject = {}
      names.forEach((name, i) => {
        const text = match[i + 1]
        if (text !== undefined) record[name] = text.includes('\\') ? JSON.parse(`"${text}"`) : text
      })
      records.push(record)
    })
    return arePlain ? records : undefined
  }
}

const isText = (column: Column | undefined) =>
  column?.storage === 'text' || column?.storage === 'time'
