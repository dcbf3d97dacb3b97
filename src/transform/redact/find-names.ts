import type { NeedleFinder } from '../find-needles.ts'
import { createNumberList, type NumberList } from '../number-list.ts'
import { createTextSet } from '../text-set.ts'
import type { Finding } from './finding.ts'

/** Finds full names in a text. */
export type NameFinder = (text: string) => Iterable<Finding>

/** A hyphen joins parts of a name, as in Anne-Marie, but may also be before one, as in report-Ada. */
const PART = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu

/** A line break within a name: also a hard one, and in a quote or a comment of a program. */
const LINE_BREAK = String.raw`[ \t]{0,8}[=\\]?\r?\n(?:[ \t]{0,8}(?:>|\/\/|\*|#)){0,4}[ \t]{0,8}`
/** What may be between two words of a name: an initial may have its full stop, and one of the words be bold or italic. */
const SEPARATOR = String.raw`\.?[*_]{0,3}(?:\s{1,3}|${LINE_BREAK})[*_]{0,3}|\.?(?:\+{1,3}|[_~])|\.`
const BETWEEN = new RegExp(`^(?:${SEPARATOR})$`)
/** What may be between the last word of a name and those before it, as in `Lovelace, Ada`, and `N:Lovelace;Ada` of a card. */
const BEHIND_FAMILY = /^(?:,[ \t]{0,2}|\\?;[ \t]?)$/
/** Between the cells of a row: of CSV, with quotes or not, of TSV, and of a table of Markdown. */
const BETWEEN_CELLS = /^(?:[,;\t]|(["'])[,;\t] ?\1|[ \t]{0,9}\|[ \t]{0,9})$/
const WITHIN = new RegExp(
  String.raw`(?<=[\p{L}\p{N}\p{M}]['’]?)(?:${SEPARATOR})(?=[\p{L}\p{N}\p{M}])`,
  'gu',
)

/** A name with one space between its words, however it is written. */
export const spacedName = (name: string): string => name.trim().replace(WITHIN, ' ')

/** The line break in a name, with the marks of the next line. */
export const lineBreakIn = (name: string): string => new RegExp(LINE_BREAK).exec(name)?.[0] ?? ''

/** A tab between two words, also as an escape of JSON, but not in a line break. */
const TAB = String.raw`(?<=[\p{L}\p{N}\p{M}])(?<!\\[nr])(?:\t|\\{1,7}t)(?=[\p{L}\p{N}])`
const CELL_END = new RegExp(
  String.raw`(\\{0,7}["'])(?:[,;\t]|\\{1,7}t) ?\1|[,;]| {0,9}\| {0,9}|${TAB}`,
  'u',
)

/** What parts two cells of a row in a name, also with escapes of JSON. */
export const signIn = (name: string): string =>
  CELL_END.exec(name.replace(/&#?\w{1,8};/g, ''))?.[0] ?? ''

/** How a part of a name is joined to the part before: behind a comma, the first words follow the last one. */
type Joint = ' ' | '-' | ','

/** A part as it is compared, without the ending of a genitive. */
interface Clean {
  key: string
  hash: number
  length: number
  /** Where a quote is in it; below 0 if there is none. */
  quote: number
}

interface Part extends Clean {
  joint: Joint
}

/**
 * Creates a finder of full names of two words or more: the time does not depend on their number. The case of letters does not
 * count, nor does the white space between words, which may also be a `+` or `_`, as in URLs, or a line break, also in a quote.
 * With capital letters, the last word may come first, before a comma, and an initial between two words. Texts without `hints`
 * are not taken apart.
 */
export function createNameFinder(
  names: Iterable<string>,
  hints?: NeedleFinder<unknown>,
): NameFinder | undefined {
  const known = createKnownNames(names)
  if (known.size === 0) return undefined
  const clean = remember(cleanPart)
  return function* (text) {
    // Two words have something between them.
    if (!/[\s.+_~,;|]/.test(text)) return
    if (hints && !hasHint(hints, text)) return
    const pattern = new RegExp(PART)
    const next: NextPart = (from) => {
      pattern.lastIndex = from
      const match = pattern.exec(text)
      if (!match) return undefined
      const [found] = match
      const { key, hash, length, quote } = clean(found)
      return { key, hash, length, quote, start: match.index, behind: match.index + found.length }
    }
    for (let part = next(0); part; ) {
      const found = known.mayBegin(part.hash) ? nameAt(known, part, text, next) : undefined
      if (found) yield found
      // Behind a quote another word begins, as in b'Ada Lovelace'.
      const end = part.quote < 0 ? part.behind : part.start + part.quote
      part = next(found?.end ?? end)
    }
  }
}

function hasHint(find: NeedleFinder<unknown>, text: string): boolean {
  let isFound = false
  find(Buffer.from(text), () => {
    isFound = true
    return true
  })
  return isFound
}

/** Names by their parts. */
interface KnownNames {
  readonly size: number
  /** Whether a name may begin with parts and go on, by their hash. */
  mayBegin(hash: number): boolean
  /** Whether the parts are a name. */
  has(parts: readonly Part[], hash: number): boolean
}

/** Keeps the parts of all names as texts, and one bit for the hash of each beginning: there may be hundreds of thousands. */
function createKnownNames(names: Iterable<string>): KnownNames {
  const whole = createTextSet()
  const beginnings = createNumberList()
  const ends = createNumberList()
  for (const name of names) {
    const parts = partsOf(name)
    if (wordsIn(parts).length < 2) continue
    let hash = 0
    for (const order of ordersOf(parts)) {
      order.forEach((part, i) => {
        if (i > 0) beginnings.push(hash)
        hash = i === 0 ? part.hash : hashBehind(hash, part)
      })
      ends.push(hash)
      whole.add(joinParts(order))
    }
  }
  const begins = createBits(beginnings)
  const isEnd = createBits(ends)
  return {
    size: whole.size,
    mayBegin: begins,
    has: (parts, hash) => isEnd(hash) && whole.find(joinParts(parts)) >= 0,
  }
}

/** The parts of a name as one text, which no other parts have. */
const joinParts = (parts: readonly Part[]): string =>
  parts.map(({ key, joint }) => joint + key).join('')

/** All orders in which the words of a name may stand. One that has a comma is also found without it, its end first. */
function ordersOf(parts: readonly Part[]): (readonly Part[])[] {
  const comma = parts.findIndex(({ joint }) => joint === ',')
  if (comma < 0) return [parts, ...familyFirst(parts)]
  const [given, ...others] = parts.slice(comma) as [Part, ...Part[]]
  return [parts, [{ ...given, joint: ' ' }, ...others, ...parts.slice(0, comma)]]
}

/** The parts with the last word first, as in `Cruz, Vera de la`, and with the first word last: `de la Cruz, Vera`. */
function familyFirst(parts: readonly Part[]): Part[][] {
  const words = parts.flatMap(({ joint }, i) => (joint === '-' ? [] : [i]))
  return [...new Set([words.at(-1), words[1]])].flatMap((at) => {
    const [first, ...others] = parts.slice(0, at)
    return first ? [[...parts.slice(at), { ...first, joint: ',' } as Part, ...others]] : []
  })
}

/** The hash of parts with one more behind them. */
const hashBehind = (hash: number, { hash: next, joint }: Pick<Part, 'hash' | 'joint'>): number =>
  Math.imul(hash ^ (next ^ SALTS[joint]), 0x85ebca6b) ^ (next >>> 13)

const SALTS: Readonly<Record<Joint, number>> = { ' ': 0, '-': -1, ',': 0x2545f491 }

/** A test whether numbers are in a list; of others, one in thirty passes. */
function createBits(list: NumberList): (number: number) => boolean {
  const bits = Math.max(12, Math.min(25, Math.ceil(Math.log2(list.length + 1)) + 5))
  const table = new Int32Array(2 ** (bits - 5))
  const bitOf = (number: number) => Math.imul(number, 0x9e3779b1) >>> (32 - bits)
  for (let i = 0; i < list.length; i++) {
    const bit = bitOf(list.at(i))
    table[bit >>> 5] = (table[bit >>> 5] as number) | (1 << bit)
  }
  return (number) => {
    const bit = bitOf(number)
    return ((table[bit >>> 5] as number) & (1 << bit)) !== 0
  }
}

/** The next part of a text from a place. */
type NextPart = (from: number) => Placed | undefined

/** What was read of a name: its parts, their places, and a letter between two words that is not in the name. */
interface Reading {
  parts: readonly Part[]
  places: readonly Placed[]
  hash: number
  last: Placed
  initial?: Placed
}

/** The longest name that begins with a part of a text, if there is one. Its value is the name as people write it. */
function nameAt(
  known: KnownNames,
  first: Placed,
  text: string,
  next: NextPart,
): Finding | undefined {
  let found: Finding | undefined
  // Few names begin alike, so there is seldom more than one way to read on.
  const readings: Reading[] = [
    { parts: [{ ...first, joint: ' ' }], places: [first], hash: first.hash, last: first },
  ]
  for (let reading = readings.pop(); reading; reading = readings.pop()) {
    const { parts, places, hash, last, initial } = reading
    const more = known.mayBegin(hash) ? next(last.behind) : undefined
    if (!more) continue
    // Looked at last: a letter that is in a name is a word of it.
    if (!initial && isInitial(text, last, more)) {
      readings.push({ ...reading, last: more, initial: more })
    }
    for (const joint of jointsBetween(text, last, more, last === initial)) {
      const part = { ...more, joint }
      const now = hashBehind(hash, part)
      const longer = { parts: [...parts, part], places: [...places, more], hash: now, last: more }
      readings.push(initial ? { ...longer, initial } : longer)
      const end = more.start + more.length
      if (end <= (found?.end ?? 0) || !known.has(longer.parts, now)) continue
      const value = spacedValue(text, longer.parts, longer.places)
      found = { type: 'name', start: first.start, end, value }
    }
  }
  return found
}

const isSmall = (text: string, { start }: Placed): boolean => /\p{Ll}/u.test(text[start] as string)

/** Whether a letter behind a word may be none of a name: a capital one, as an `a` is a word. */
const isInitial = (text: string, last: Placed, more: Placed): boolean =>
  more.length === 1 &&
  !isSmall(text, more) &&
  !isSmall(text, last) &&
  jointOf(text.slice(last.start + last.length, more.start)) === ' '

/**
 * How two parts may be joined; not at all with other text between them. In other texts than names, small letters follow a comma:
 * before long, will it go on?
 */
function jointsBetween(
  text: string,
  last: Placed,
  more: Placed,
  isBehindInitial: boolean,
): readonly Joint[] {
  const between = text.slice(last.start + last.length, more.start)
  const joint = jointOf(between)
  if (isBehindInitial) return joint === ' ' && !isSmall(text, more) ? [joint] : []
  const areCapital = !isSmall(text, last) && !isSmall(text, more)
  if (areCapital && BETWEEN_CELLS.test(between)) return [' ', ',']
  return joint === undefined || (joint === ',' && !areCapital) ? [] : [joint]
}

function jointOf(between: string): Joint | undefined {
  if (between === '-') return '-'
  if (BETWEEN.test(between)) return ' '
  return BEHIND_FAMILY.test(between) ? ',' : undefined
}

/** A name as it is in a text; one with other signs or an initial in it with spaces, and with the last word last. */
function spacedValue(text: string, parts: readonly Part[], places: readonly Placed[]): string {
  const written = places.map(({ start, length }) => text.slice(start, start + length))
  const [first, last] = [places[0] as Placed, places.at(-1) as Placed]
  const whole = text.slice(first.start, last.start + last.length)
  if (!/[,;|\t]/.test(whole) && parts.length === whole.match(PART)?.length) return whole
  const comma = parts.findIndex(({ joint }) => joint === ',')
  const from = Math.max(0, comma)
  return [...written.slice(from), ...written.slice(0, from)].reduce((name, word, i) => {
    const part = parts[(i + from) % parts.length] as Part
    return i === 0 ? word : `${name}${part.joint === '-' ? '-' : ' '}${word}`
  }, '')
}

/** The words of a name, as they are compared. */
export const wordsOf = (name: string): string[] => wordsIn(partsOf(name))

const wordsIn = (parts: readonly Part[]): string[] =>
  parts.reduce<string[]>((words, { key, joint }) => {
    if (joint === '-') words.push(`${words.pop()}-${key}`)
    else words.push(key)
    return words
  }, [])

const partsOf = (name: string): Part[] =>
  [...name.matchAll(PART)].map(({ 0: part, index }, i) => ({
    ...cleanPart(part),
    joint: i === 0 ? ' ' : jointBefore(name.slice(Math.max(0, index - 4), index)),
  }))

const jointBefore = (before: string): Joint =>
  HYPHEN.test(before) ? '-' : /,[ \t]{0,2}$/.test(before) ? ',' : ' '

/** A hyphen behind a letter. */
const HYPHEN = /[\p{L}\p{N}\p{M}]-$/u

interface Placed extends Clean {
  start: number
  /** Where it ends with the ending of a genitive. */
  behind: number
}

/** Parts come again and again. */
const MOST_KNOWN = 20_000

function remember(clean: (part: string) => Clean): (part: string) => Clean {
  const known = new Map<string, Clean>()
  return (part) => {
    let cleaned = known.get(part)
    if (cleaned === undefined) {
      cleaned = clean(part)
      if (known.size < MOST_KNOWN && part.length < 40) known.set(part, cleaned)
    }
    return cleaned
  }
}

function cleanPart(part: string): Clean {
  const quote = part.search(/['’]/)
  const bare = quote < 0 ? part : part.replace(/['’]s$/, '')
  const key = (/^[\w'’]*$/.test(bare) ? bare : bare.normalize('NFC')).toLowerCase()
  return { key, hash: hashOf(key), length: bare.length, quote }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995)
  return hash
}
