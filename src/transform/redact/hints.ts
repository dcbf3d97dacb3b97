import { createNeedleFinder, ESCAPES, isAt, SHORTEST_NEEDLE } from '../find-needles.ts'
import type { DetectOptions } from './detect.ts'
import { wordsOf } from './find-names.ts'
import { PASSWORD_HINT, SECRET_SIGNS, SECRETS } from './secrets.ts'

/**
 * Finds all places of a text in UTF-8, also within JSON, at which there may be a value, in rising order. Where there is none,
 * there is no value either: the detectors need not read the text around it.
 */
export type HintFinder = (bytes: Buffer) => number[]

/** Bytes of letters beyond ASCII; an escape of JSON may stand for one. */
const OTHER = '\\\\\\x80-\\xff'

const EMAIL_HINTS = [
  new RegExp(`@[a-z0-9${OTHER}][\\w${OTHER}-]*\\.`, 'gi'),
  new RegExp(`%40[a-z0-9${OTHER}]`, 'gi'),
]

const IP_HINTS = [
  /\d\.\d{1,3}\.\d{1,3}\.\d/g,
  /:(?::|[0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}:)/gi,
]

const ALWAYS = [
  ESCAPES,
  // Characters that are equal to others once they are normalized, or in another case: K, ſ, and Han of compatibility.
  /\xe2\x84\xaa|\xc5\xbf|\xef[\xa4-\xab]|\xf0\xaf[\xa0-\xa8]/g,
]

/** Whether there is more to a needle than the needle. */
type Confirm = (bytes: Uint8Array, at: number) => boolean
type Needle = readonly [text: string, confirm: Confirm]

const always: Confirm = () => true

/** Creates a search for hints; undefined if nothing can be said without the detectors. */
export function createHintFinder({
  what,
  names = [],
  own,
}: Omit<DetectOptions, 'keep'>): HintFinder | undefined {
  if (own && !own.hints) return undefined
  const ofNames = what.has('names') ? names.map(hintsOfName) : []
  const needles: Needle[] = [
    ...(own?.hints ?? []).map((text): Needle => [text, always]),
    ...ofNames.flatMap(({ needle }) => (needle ? [needle] : [])),
    ...(what.has('secrets') ? SECRET_NEEDLES : []),
  ]
  const short = [...new Set(ofNames.flatMap(({ pattern }) => pattern ?? []))]
  const patterns = [
    ...ALWAYS,
    ...(what.has('secrets') ? [PASSWORD_HINT] : []),
    ...(what.has('emails') ? EMAIL_HINTS : []),
    ...(what.has('ips') ? IP_HINTS : []),
    ...(short.length > 0 ? [new RegExp(`(?:${short.join('|')})${AFTER_WORD}`, 'g')] : []),
  ]
  const findNeedles = createNeedleFinder(needles)
  return (bytes) => {
    const found: number[] = []
    const text = bytes.toString('latin1')
    for (const pattern of patterns) {
      for (const { index } of text.matchAll(pattern)) found.push(index)
    }
    findNeedles(bytes, (at, confirm) => {
      if (confirm(bytes, at)) found.push(at)
      return false
    })
    return found.sort((a, b) => a - b)
  }
}

const SECRET_NEEDLES: readonly Needle[] = [
  ...SECRET_SIGNS.map((text): Needle => [text, always]),
  ...SECRETS.map(({ prefix }): Needle => {
    const exact = Buffer.from(prefix)
    const isExact: Confirm = (bytes, at) => exact.every((byte, i) => bytes[at + i] === byte)
    // A bot of Telegram has a number, unlike many a login.
    const isBot: Confirm = (bytes, at) => /^bot\d{8}/.test(latin1(bytes, at, at + 11))
    return [prefix, prefix === 'bot' ? isBot : isExact]
  }),
]

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.subarray(start, end)).toString('latin1')

/** The characters that must follow the first of two words: white space, a full stop, an apostrophe or a hyphen; also escaped. */
const AFTER_WORD = "[\\s.\\\\'\\x80-\\xff-]"

/**
 * A part of a name that is in every text with that name, letters of ASCII or others without case and accents, and next to it
 * another word. Failing that, a pattern of its first word in all cases and forms, as bytes.
 */
function hintsOfName(name: string): { needle?: Needle; pattern?: string } {
  const words = wordsOf(name)
  const runs = words.flatMap((word, at) => runsIn(word).map((run) => ({ run, at })))
  const usable = runs.filter(
    ({ run }) => Buffer.byteLength(run) >= SHORTEST_NEEDLE && run.normalize('NFD') === run,
  )
  const [best] = usable.sort((a, b) => b.run.length - a.run.length)
  if (best !== undefined) {
    const { run, at } = best
    const isLast = at === words.length - 1
    const next = words[isLast ? at - 1 : at + 1] ?? ''
    const edge = (isLast ? /[a-z0-9]*$/ : /^[a-z0-9]*/).exec(plainOf(next))?.[0] ?? ''
    const length = Buffer.byteLength(run)
    const neighbor = { edge: Buffer.from(edge), isWhole: edge === next }
    const isWhole = run === words[at]
    return {
      needle: [
        run,
        (bytes, start) => {
          if (isWhole && (isWithin(bytes, start) || isAlphanumeric(bytes[start + length])))
            return false
          return isLast
            ? isNameBefore(bytes, start - 1, neighbor)
            : isNameAfter(bytes, start + length, neighbor)
        },
      ],
    }
  }
  const pattern = (words[0]?.match(/\P{M}\p{M}*/gu) ?? []).map((letter) => {
    const cases = [letter, letter.toUpperCase()]
    const forms = new Set(cases.flatMap((each) => [each.normalize('NFC'), each.normalize('NFD')]))
    return `(?:${[...forms].map(asBytes).join('|')})`
  })
  return { pattern: pattern.join('') }
}

/** A word with something else in the place of letters with an accent of their own: they may be written as one with it. */
const plainOf = (word: string): string => word.replace(/.\p{M}+/gu, '\u00e9')

const runsIn = (word: string): string[] =>
  [...plainOf(word).matchAll(/[a-z0-9]+|[\p{Lo}]+/gu)].map(([run]) => run)

/** The word next to a part of a name: what is known of its near end, or the whole. */
interface Neighbor {
  edge: Uint8Array
  isWhole: boolean
}

const isAlphanumeric = (byte = 0): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
const isOfWord = (byte = 0): boolean => isAlphanumeric(byte) || byte === 0x27 || byte === 0x2d
/** Whether a word goes on before a place; a letter behind a backslash may be an escape. */
const isWithin = (bytes: Uint8Array, at: number): boolean =>
  isAlphanumeric(bytes[at - 1]) && bytes[at - 2] !== BACKSLASH && !isEndOfEscape(bytes, at)
/** Whether the four digits of an escape such as `\u0009` end at a place. */
const isEndOfEscape = (bytes: Uint8Array, at: number): boolean =>
  bytes[at - 6] === BACKSLASH && bytes[at - 5] === 0x75
const isBetween = (byte = 0): boolean => byte === 0x20 || byte === 0x2e || (byte >= 9 && byte <= 13)
const BACKSLASH = 0x5c
/** Letters and spaces beyond ASCII are not looked into, nor are their escapes; but pictures are neither. */
const isUnknown = (bytes: Uint8Array, at: number): boolean =>
  (bytes[at] ?? 0) >= 0x80
    ? !isPicture(bytes, at) && !isPicture(bytes, at - 3)
    : bytes[at] === BACKSLASH && bytes[at + 1] === 0x75
/** The first bytes of U+1F300 to U+1F6FF. */
const isPicture = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xf0 &&
  bytes[at + 1] === 0x9f &&
  (bytes[at + 2] ?? 0) >= 0x8c &&
  (bytes[at + 2] ?? 0) <= 0x9b
/** White space as JSON writes it: \t, \n, \r. */
const isEscapedSpace = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === BACKSLASH && [0x74, 0x6e, 0x72].includes(bytes[at + 1] ?? 0)

/** Whether the rest of a word is followed by another that begins with these bytes. */
function isNameAfter(bytes: Uint8Array, from: number, { edge, isWhole }: Neighbor): boolean {
  let at = from
  while (isOfWord(bytes[at])) at++
  for (;;) {
    if (isBetween(bytes[at])) at++
    else if (isEscapedSpace(bytes, at)) at += 2
    else break
  }
  if (isUnknown(bytes, at)) return true
  return isAt(edge, bytes, at) && !(isWhole && isAlphanumeric(bytes[at + edge.length]))
}

/** Whether the rest of a word, from its end, has another before it that ends in these bytes. */
function isNameBefore(bytes: Uint8Array, from: number, { edge, isWhole }: Neighbor): boolean {
  const isEdge = (last: number) => isAt(edge, bytes, last - edge.length + 1)
  let at = from
  while (isOfWord(bytes[at])) at--
  for (;;) {
    if (isBetween(bytes[at]) || isEscapedSpace(bytes, at)) at--
    // The letter of an escape, unless it is the end of the word.
    else if (isEscapedSpace(bytes, at - 1) && !isEdge(at)) at -= 2
    else break
  }
  if (isUnknown(bytes, at)) return true
  return isEdge(at) && !(isWhole && isWithin(bytes, at - edge.length + 1))
}

const asBytes = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
