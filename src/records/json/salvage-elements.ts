import { ArchiveError } from '../../errors.ts'
import type { Bytes } from '../../streams.ts'
import { ByteWindow } from './byte-window.ts'
import type { JsonValue } from './json.ts'
import type { Loss } from './lossless-assembler.ts'
import { parseExactly } from './parse-lossless.ts'
import { ANY_RECORD, signatureOf } from './record-signature.ts'
import { isSpace, scanElement, scanFrom } from './scan-element.ts'
import { mostParts, tooManyParts } from './split-elements.ts'

/** An element of a damaged array, or a part of it that no element could be made of. `index` is from 0. */
export type Salvaged = { index: number; value: JsonValue } | { index: number; lost: LostPart }

/** Bytes of a file, from the first to the one after the last. */
export interface LostPart {
  from: number
  to: number
  reason: string
  /** What stands there, unless it is long. */
  text: string | undefined
}

export interface SalvageOptions {
  depth: number
  record: number
  /** Is told of what an object cannot hold. */
  lose?: ((index: number, loss: Loss) => void) | undefined
}

/** What to find next: the bracket that opens the array, an element, what separates two, or nothing more. */
type Expected = 'start' | 'first' | 'element' | 'separator' | 'end'

/** What follows upon a byte that is in its place. */
const NEXT: Readonly<Record<Expected, Readonly<Record<string, Expected>>>> = {
  start: { '[': 'first' },
  first: { ']': 'end' },
  element: {},
  separator: { ',': 'element', ']': 'end' },
  end: {},
}

const WRONG = {
  start: 'expected an array of records',
  separator: 'expected a comma or the end of the array',
  end: 'something follows the array',
} as const

/** Bytes of what was lost that are kept. */
const KEPT = 64 * 1024

/** Times that the bytes of a file are looked at, at most: each damage may have it read on in vain. */
const MOST_LOOKS = 16

/**
 * The elements of a JSON array that may be damaged anywhere, cut, or no array at all. After a damage reading goes
 * on with what begins as the records before it did. Never throws on what it reads.
 */
export async function* salvageElements(
  bytes: Bytes,
  { depth, record, lose }: SalvageOptions,
): AsyncGenerator<Salvaged> {
  const window = new ByteWindow(bytes)
  const most = mostParts({ record })
  let signature: RegExp | undefined
  let expected: Expected = 'start'
  let index = 0
  let looked = 0

  /** Reads the element at the beginning of the window, or says what is wrong with it. */
  const read = async (): Promise<{ value: JsonValue } | { wrong: string }> => {
    const scan = scanFrom(0)
    let state = scanElement(window.bytes, scan)
    while (state === 'more' && (await window.more())) {
      if (scan.at > record || scan.parts > most) break
      state = scanElement(window.bytes, scan)
    }
    looked += scan.at
    if (scan.at > record) return { wrong: `a record of more than ${record} bytes` }
    if (scan.parts > most) return { wrong: tooManyParts({ record }).message }
    if (state === 'broken') return { wrong: `no JSON at byte ${window.offset + scan.at}` }
    if (scan.depth > 0 || scan.quoted) return { wrong: 'the file ends within it' }
    const text = window.bytes.toString('utf8', 0, scan.at)
    try {
      const at = index
      const options = { maxDepth: depth, lose: lose && ((loss: Loss) => lose(at, loss)) }
      const value = parseExactly(text, options)
      signature ??= signatureOf(window.bytes.toString('latin1', 0, scan.at), value)
      window.drop(scan.at)
      return { value }
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof ArchiveError) {
        return { wrong: error.message }
      }
      throw error
    }
  }

  /** Leaves out what stands before the next record, which may be the end of the file. */
  const skip = async (reason: string, after: number): Promise<LostPart> => {
    const from = window.offset
    const seen = from + window.bytes.length
    const again = looked <= MOST_LOOKS * seen + 2 ** 20
    const skipped = await window.skipTo(again ? (signature ?? ANY_RECORD) : undefined, after, KEPT)
    const to = window.offset
    const text = skipped.length === to - from ? skipped.toString('utf8') : undefined
    return { from, to, reason, text }
  }

  await window.skipMark()
  for (let byte = await window.peek(); byte !== undefined; byte = await window.peek()) {
    const next: Expected | undefined = isSpace(byte)
      ? expected
      : NEXT[expected][String.fromCharCode(byte)]
    if (next) {
      window.drop(1)
      expected = next
      continue
    }
    const inPlace: boolean = expected === 'first' || expected === 'element'
    const found = inPlace ? await read() : { wrong: WRONG[expected as keyof typeof WRONG] }
    if ('value' in found) {
      yield { index: index++, value: found.value }
      expected = 'separator'
      continue
    }
    const lost = await skip(found.wrong, inPlace ? 1 : 0)
    yield { index, lost }
    // A wrong byte between two records is none of them.
    if (inPlace || lost.to - lost.from > 1) index++
    expected = (await window.peek()) === undefined ? 'end' : 'element'
  }
  if (expected !== 'end') {
    const { offset } = window
    yield { index, lost: { from: offset, to: offset, reason: 'the file ends too early', text: '' } }
  }
}
