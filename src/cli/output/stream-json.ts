import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControlsInJson } from './escape-controls.ts'

/** A JSON value whose arrays may be iterables, which are consumed while the text is written. */
export type StreamedJson = string | number | boolean | null | object

/** The text of a value in pieces, indented as by `JSON.stringify(value, null, 2)`. */
export function* streamJson(value: StreamedJson, indent = safe``): Generator<SafeText> {
  if (value === null || typeof value !== 'object') {
    yield escapeControlsInJson(JSON.stringify(value))
    return
  }
  const isList = Symbol.iterator in value
  const [open, close] = isList ? [safe`[`, safe`]`] : [safe`{`, safe`}`]
  const inner = safe`${indent}  `
  let before = open
  for (const [name, member] of isList ? unnamed(value as Iterable<StreamedJson>) : named(value)) {
    yield safe`${before}\n${inner}${name}`
    yield* streamJson(member, inner)
    before = safe`,`
  }
  yield before === ',' ? safe`\n${indent}${close}` : safe`${open}${close}`
}

function* unnamed(list: Iterable<StreamedJson>): Generator<[SafeText, StreamedJson]> {
  for (const element of list) yield [safe``, element]
}

function* named(object: object): Generator<[SafeText, StreamedJson]> {
  for (const [name, member] of Object.entries(object)) {
    if (member !== undefined) yield [safe`${escapeControlsInJson(JSON.stringify(name))}: `, member]
  }
}
