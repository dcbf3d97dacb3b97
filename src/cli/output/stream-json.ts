import { escapeControlsInJson } from './escape-controls.ts'

/** A JSON value whose arrays may be any iterables, which are consumed while the text is written. */
export type StreamedJson = string | number | boolean | null | object

/** The text of such a value in pieces, indented by two spaces as `JSON.stringify(value, null, 2)` does it. */
export function* streamJson(value: StreamedJson, indent = ''): Generator<string> {
  if (value === null || typeof value !== 'object') {
    yield escapeControlsInJson(JSON.stringify(value))
    return
  }
  const isList = Symbol.iterator in value
  const [open, close] = isList ? '[]' : '{}'
  const inner = `${indent}  `
  let before = open as string
  for (const [name, member] of isList ? unnamed(value as Iterable<StreamedJson>) : named(value)) {
    yield `${before}\n${inner}${name}`
    yield* streamJson(member, inner)
    before = ','
  }
  yield before === ',' ? `\n${indent}${close}` : `${open}${close}`
}

function* unnamed(list: Iterable<StreamedJson>): Generator<[string, StreamedJson]> {
  for (const element of list) yield ['', element]
}

function* named(object: object): Generator<[string, StreamedJson]> {
  for (const [name, member] of Object.entries(object)) {
    if (member !== undefined) yield [`${escapeControlsInJson(JSON.stringify(name))}: `, member]
  }
}
