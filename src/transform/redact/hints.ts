import { createNeedleFinder, ESCAPED, findPatterns, type SignedPattern } from '../find-needles.ts'
import { createWordFinder } from '../find-words.ts'
import { type Word, wordOf } from '../words.ts'
import type { DetectOptions } from './detect.ts'
import { wordsOf } from './find-names.ts'
import { SECRETS } from './secret-forms.ts'
import { PASSWORD_HINT, SECRET_SIGNS } from './secrets.ts'

/**
 * Finds all places of a text in UTF-8, also within JSON, at which there may be a value, in rising order. Where there is none,
 * there is no value either: the detectors need not read the text around it.
 */
export type HintFinder = (bytes: Buffer) => number[]

/** Bytes of letters beyond ASCII; an escape of JSON may stand for one. */
const OTHER = '\\\\\\x80-\\xff'

const EMAIL_HINTS: readonly SignedPattern[] = [
  { pattern: new RegExp(`@[a-z0-9${OTHER}][\\w${OTHER}-]*\\.`, 'gi'), signs: ['@'] },
  { pattern: new RegExp(`%40[a-z0-9${OTHER}]`, 'gi'), signs: ['%40'] },
]

const IP_HINTS: readonly SignedPattern[] = [
  { pattern: /\d\.\d{1,3}\.\d{1,3}\.\d/g, signs: ['.'] },
  { pattern: /:(?::|[0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}:)/gi, signs: [':'] },
]

const ALWAYS: readonly SignedPattern[] = [
  ESCAPED,
  // Characters that are equal to others once they are normalized, or in another case: K, ſ, and Han of compatibility.
  {
    pattern: /\xe2\x84\xaa|\xc5\xbf|\xef[\xa4-\xab]|\xf0\xaf[\xa0-\xa8]/g,
    signs: ['\xe2\x84\xaa', '\xc5\xbf', '\xef', '\xf0\xaf'],
  },
]

/** Whether there is more to a needle than the needle. */
export type Confirm = (bytes: Uint8Array, at: number) => boolean
type Needle = readonly [text: string, confirm: Confirm]

const always: Confirm = () => true

const isShort = (login: string) => /^\w$/.test(login)
/** `@ada` is not in `@adam`, but `@ada-` may end a sentence. */
const endsBehind =
  (length: number): Confirm =>
  (bytes, at) =>
    !/[0-9A-Za-z]/.test(String.fromCharCode(bytes[at + length] ?? 0))

export interface HintOptions extends Omit<DetectOptions, 'keep'> {
  /** Other texts to look for in the same pass, by their words; what confirms one makes it a hint. */
  alongside?: readonly (readonly [Word[], Confirm])[]
}

/** Creates a search for hints; undefined if nothing can be said without the detectors. */
export function createHintFinder({
  what,
  names = [],
  logins = [],
  own,
  alongside = [],
}: HintOptions): HintFinder | undefined {
  if (own && !own.hints) return undefined
  const patterns: SignedPattern[] = [
    ...ALWAYS,
    ...(what.has('secrets') ? [{ pattern: PASSWORD_HINT, signs: ['://'] }] : []),
    ...(what.has('emails') ? EMAIL_HINTS : []),
    ...(what.has('ips') ? IP_HINTS : []),
    // One letter is too short for a needle.
    ...logins.filter(isShort).map((login) => ({
      ...{ pattern: new RegExp(`@${login}(?![\\w-])`, 'gi'), signs: ['@'] },
    })),
  ]
  const findNeedles = createNeedleFinder([
    ...logins
      .filter((login) => !isShort(login))
      .map((login): Needle => [`@${login}`, endsBehind(login.length + 1)]),
    ...(own?.hints ?? []).map((text): Needle => [text, always]),
    ...(what.has('secrets') ? SECRET_NEEDLES : []),
  ])
  const namesToFind = what.has('names') ? names.map(needleOfName) : []
  const findNames = createWordFinder([...namesToFind, ...alongside], { unfold: wordsOfRun })
  return (bytes) => {
    const found = findPatterns(bytes.toString('latin1'), patterns)
    const note = (at: number, confirm: Confirm): boolean => {
      if (confirm(bytes, at)) found.push(at)
      return false
    }
    findNeedles(bytes, note)
    findNames(bytes, note)
    return found.sort((a, b) => a - b)
  }
}

const SECRET_NEEDLES: readonly Needle[] = [
  ...SECRET_SIGNS.map((text): Needle => [text, always]),
  ...SECRETS.map(({ prefix }): Needle => {
    const exact = Buffer.from(prefix)
    const isExact: Confirm = (bytes, at) => exact.every((byte, i) => bytes[at + i] === byte)
    // A bot of Telegram has a number, unlike most logins.
    const isBot: Confirm = (bytes, at) => /^bot\d{8}/.test(latin1(bytes, at, at + 11))
    return [prefix, prefix === 'bot' ? isBot : isExact]
  }),
]

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.subarray(start, end)).toString('latin1')

/** The words of a name as they are in a run of bytes. The place is the last byte of the second word. */
function needleOfName(name: string): readonly [Word[], Confirm] {
  const words = wordsOf(name).flatMap(wordsOfRun)
  return [words.map((word) => ({ ...wordOf(Buffer.from(word)), end: 1 })), always]
}

/** The words of a run of letters, in the form and case in which names are compared, but without quotes and hyphens. */
const wordsOfRun = (run: string): string[] =>
  [...run.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) =>
    word.normalize('NFC').toLowerCase().replaceAll('ς', 'σ'),
  )
