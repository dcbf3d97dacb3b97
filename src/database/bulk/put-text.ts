import { type Cells, ESCAPED, JSON_TEXT } from '../../records/cells.ts'
import { BACKSLASH, endOfPlain, QUOTE } from '../../records/json/end-of-plain.ts'

/** Up to this length, copying four bytes at a time is faster than a call of `Buffer.copy`. */
const SHORT = 64

/** Memory that is written to. */
export interface Target {
  readonly bytes: Buffer
  readonly view: DataView
}

/** Writes a text as SQLite stores it: without escapes, and JSON without white space. Returns where it ends. */
export function putText(target: Target, at: number, cells: Cells, cell: number): number {
  const what = cells.what[cell]
  const start = cells.start[cell] as number
  const end = cells.end[cell] as number
  if (what === ESCAPED) return putUnescaped(target, at, cells, start, end)
  if (what === JSON_TEXT) return putMinified(target, at, cells, start, end)
  return copy(target, at, cells, start, end)
}

function copy(target: Target, at: number, source: Source, start: number, end: number): number {
  const length = end - start
  if (length < 4) {
    for (let i = 0; i < length; i++) target.bytes[at + i] = source.memory[start + i] as number
  } else if (length <= SHORT) {
    // Views as constants, and the order of bytes said: V8 otherwise calls a function for each write.
    const { view: to } = target
    const { view: from } = source
    const last = length - 4
    for (let i = 0; i < last; i += 4) to.setInt32(at + i, from.getInt32(start + i, true), true)
    to.setInt32(at + last, from.getInt32(start + last, true), true)
  } else source.memory.copy(target.bytes, at, start, end)
  return at + length
}

type Source = Pick<Cells, 'memory' | 'view'>

const ESCAPES = new Uint8Array(256)
for (const [letter, character] of Object.entries({
  '"': '"',
  '\\': '\\',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
})) {
  ESCAPES[letter.charCodeAt(0)] = character.charCodeAt(0)
}
const UNICODE = 0x75

function putUnescaped(to: Target, at: number, source: Source, start: number, end: number): number {
  let q = at
  for (let p = start; p < end; ) {
    // `endOfPlain` also stops at the quote that ends the text.
    const plain = endOfPlain(source.view, p)
    q = copy(to, q, source, p, plain)
    p = plain
    if (p === end) break
    const letter = source.memory[p + 1] as number
    if (letter === UNICODE) {
      to.bytes[q++] = hexAt(source, p + 4) * 16 + hexAt(source, p + 5)
      p += 6
    } else {
      to.bytes[q++] = ESCAPES[letter] as number
      p += 2
    }
  }
  return q
}

/** A digit from 0 to f. */
function hexAt({ memory }: Source, at: number): number {
  const byte = memory[at] as number
  return byte <= 0x39 ? byte - 0x30 : byte - 0x57
}

const SPACE = 0x20

function putMinified(to: Target, at: number, source: Source, start: number, end: number): number {
  let q = at
  for (let p = start; p < end; ) {
    const byte = source.memory[p] as number
    if (byte === QUOTE) {
      const behind = behindString(source.view, p + 1)
      q = copy(to, q, source, p, behind)
      p = behind
    } else {
      if (byte > SPACE) to.bytes[q++] = byte
      p++
    }
  }
  return q
}

/** The position after the quote that ends a string. */
function behindString(view: DataView, at: number): number {
  for (let p = at; ; p += 2) {
    p = endOfPlain(view, p)
    if (view.getUint8(p) !== BACKSLASH) return p + 1
  }
}
