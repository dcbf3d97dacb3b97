import { escapePattern } from '../../base/text.ts'
import { createNeedleFinder, type NeedleFinder } from '../find-needles.ts'
import { createPatternFinder, type SignedPattern } from '../find-patterns.ts'
import { createWordFinder } from '../find-words.ts'
import { type Word, wordOf } from '../words.ts'
import type { DetectOptions } from './detect.ts'
import { encodedHints } from './encoded-texts.ts'
import { isHostBefore } from './find-logins.ts'
import { wordsOf } from './find-names.ts'
import { createHiddenHints } from './hidden-hints.ts'
import { SECRETS } from './secret-forms/secret-forms.ts'
import { isUnmistakable, PASSWORD_HINT, SECRET_SIGNS } from './secrets.ts'

/**
 * Finds all places of a text in UTF-8, also within JSON, at which there may be a value, in rising order. Where there is none,
 * there is no value either: the detectors need not read the text around it.
 */
export type HintFinder = (bytes: Buffer) => number[]

/** Bytes of letters beyond ASCII; an escape of JSON may stand for one. */
const OTHER = '\\\\\\x80-\\xff'

const EMAIL_HINTS: readonly SignedPattern[] = [
  { pattern: new RegExp(`@[a-z0-9${OTHER}][\\w${OTHER}-]*\\.`, 'i'), signs: '@' },
  { pattern: new RegExp(`%40[a-z0-9${OTHER}]`, 'i'), signs: '%' },
  // With a comment, and in words.
  { pattern: /@\([^()\r\n@]{0,180}\)/, signs: '@' },
  {
    pattern: /[([{<](?:(?:at|At|AT|@)[)\]}>]|(?:dot|Dot|DOT)[ )\]}>])/,
    signs: '([{<',
  },
]
/** A space is too common for a sign. */
const EMAIL_NEEDLES = Array.from(' )]}>', (end): Needle => [` dot${end}`, () => true])

const IP_HINTS: readonly SignedPattern[] = [
  // In the name of a host, and as one number.
  { pattern: /(?<=ec2|ip)-\d{1,3}-\d{1,3}-\d/i, signs: '-' },
  { pattern: /@(?=0x[0-9a-f]{8}|[1-9]\d{7})(?<=:\/\/[^\s/@]{0,80}@)/i, signs: '@' },
  { pattern: /(?<=\d)\.\d{1,3}\.\d{1,3}\.\d/, signs: '.' },
  {
    pattern:
      /:(?:\/\/(?:0x[0-9a-f]{8}|[1-9]\d{7})|(?<=[0-9a-f]:):|:[0-9a-f]|[0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}:)/i,
    signs: ':',
  },
]

const PASSWORDS: SignedPattern = { pattern: PASSWORD_HINT, signs: '@' }

/** Signs of secrets that are too short for needles. */
const SHORT_SIGNS: readonly SignedPattern[] = [
  { pattern: /(?<=\d)Q~/, signs: 'Q' },
  { pattern: /SK[0-9a-f]{8}/, signs: 'S' },
]

/** The owner of a repository in a short reference, an address of Git, the message of a merge, and the host of pages. */
const LOGIN_HINTS: readonly SignedPattern[] = [
  { pattern: /(?<=[\w.-])\/[\w.-]{1,100}(?:#\d|@[0-9a-f]{7}|\.git)/i, signs: '/' },
  { pattern: /(?<=[\w.-]):[\w-]{1,100}\//, signs: ':' },
  { pattern: /(?<=pull request )#\d{1,9} from [\w-]{1,100}\//, signs: '#' },
  { pattern: /(?<=[\w-])\.git(?:hub|lab)\.io/i, signs: '.' },
]

/** White space between strings, also within JSON, and the quote of the second one, which may be escaped. */
const SPACE = String.raw`(?:[ \t\r\n]|\\{1,8}[tnr]){0,60}`
/** Behind the first of two strings that are one below the other. */
const LINE_END = String.raw`[ \t]{0,3}(?:\r?\n|\\{1,8}(?:r\\{1,8})?n)(?:[ \t]|\\{1,8}t)`
const QUOTE = String.raw`(?:\\{0,15}["'\x60]|\\{1,8}[ux]|&[#aq]|%2)`
const JOINED = new RegExp(
  String.raw`["'\x60](?:${SPACE}(?:[+&]|\.\.)${SPACE}|${LINE_END}${SPACE}|\.|(?=[\s\\])${SPACE}\.(?=[\s\\])${SPACE})${QUOTE}`,
)

const ALWAYS: readonly SignedPattern[] = [
  // Strings that a program joins, also within JSON.
  { pattern: JOINED, signs: `"'\`` },
  // Comments of HTML at a word: most have a line of their own, also within JSON.
  {
    pattern: /<!--(?:(?<=[\w.@:/-]<!--)(?<!\\[nrt]<!--)|(?=(?:(?!-->)[\s\S]){0,300}-->[\w.@:/-]))/,
    signs: '<',
  },
  // Cards and calendars, whose lines may go on in the next.
  { pattern: /BEGIN:V(?:CARD|CALENDAR|EVENT|TODO|JOURNAL)/, signs: 'B' },
  // What only mail has: all of its escapes are undone then.
  {
    pattern:
      /=(?:3D|40[a-z]|\?[\w-]{3,20}(?:\*[\w-]{1,20})?\?[BbQq]\?|20(?:["\r\n\xfe\xff]|\\[rn]|$)|[C-F][0-9A-F]=[89AB][0-9A-F]|(?<!==)(?:\r?\n|(?:\\r)?\\n))/,
    signs: '=',
  },
  // Characters that are equal to others once they are normalized, or in another case: K, ſ, and Han of compatibility.
  {
    pattern: /\xe2\x84\xaa|\xc5\xbf|\xef[\xa4-\xab]|\xf0\xaf[\xa0-\xa8]/,
    signs: '\xe2\xc5\xef\xf0',
  },
]

/** Whether there is more to a needle than the needle. It receives the bytes as characters of Latin-1 as well. */
type Confirm = (bytes: Uint8Array, at: number, latin1: string) => boolean
type Needle = readonly [text: string, confirm: Confirm]

const always: Confirm = () => true

const isShort = (login: string) => /^\w$/.test(login)
/** `@ada` is not in `@adam`, but `@ada-` may end a sentence. */
const endsBehind =
  (length: number): Confirm =>
  (bytes, at) =>
    !/[0-9A-Za-z]/.test(String.fromCharCode(bytes[at + length] ?? 0))

/** Text that may come between a host and a login. */
const FOLDERS = /(?:\/api\/v3)?(?:\/(?:orgs|apps|sponsors|organizations|users|repos))?$/

/** A login behind a slash is in a URL if a host comes before it. */
const inUrl =
  (length: number, hosts: ReadonlySet<string>): Confirm =>
  (bytes, at, text) => {
    if (!endsBehind(length)(bytes, at, text)) return false
    const before = text.slice(Math.max(0, at - LONGEST_HOST), at)
    return isHostBefore(before, before.search(FOLDERS), hosts)
  }

/** Bytes of a host and of the folders behind it. */
const LONGEST_HOST = 300

/** Creates a search for the places where there may be a name. */
export const createNameHints = (names: Iterable<string>): NeedleFinder<unknown> =>
  createWordFinder(needlesOf(names), { unfold: wordsOfRun, initials: true })

/** Creates a search for hints; undefined if nothing can be said without the detectors. */
export function createHintFinder(
  {
    what,
    names = [],
    logins = [],
    hosts = new Set(),
    own,
    secrets = new Map(),
  }: Omit<DetectOptions, 'keep'>,
  findNames = createNameHints(what.has('names') ? names : []),
): HintFinder | undefined {
  if (own && !own.hints) return undefined
  const patterns: SignedPattern[] = [
    ...ALWAYS,
    ...(what.has('secrets') ? [PASSWORDS, ...SHORT_SIGNS] : []),
    ...(what.has('emails') ? EMAIL_HINTS : []),
    ...(what.has('ips') ? IP_HINTS : []),
    ...(logins.length > 0 ? LOGIN_HINTS : []),
    // One letter is too short for a needle.
    ...logins.filter(isShort).map((login) => ({
      pattern: new RegExp(`[@/]${login}(?![\\w-])`, 'i'),
      signs: '@/',
    })),
  ]
  const findNeedles = createNeedleFinder([
    ...logins
      .filter((login) => !isShort(login))
      .map((login): Needle => [`@${login}`, endsBehind(login.length + 1)]),
    ...logins
      .filter((login) => login.length > 1)
      .map((login): Needle => [`/${login}`, inUrl(login.length + 1, hosts)]),
    ...(own?.hints ?? []).map((text): Needle => [text, always]),
    ...(what.has('emails') ? EMAIL_NEEDLES : []),
    ...(what.has('secrets') ? SECRET_NEEDLES : []),
    ...secrets.entries().map(([text, { start, end }]): Needle => [text.slice(start, end), always]),
  ])
  const findPatterns = createPatternFinder(patterns)
  const findPlain = (bytes: Buffer, latin1: string): number[] => {
    const found = [...findPatterns(bytes, latin1), ...encodedHints(bytes)]
    const note = (at: number, confirm: Confirm): boolean => {
      if (confirm(bytes, at, latin1)) found.push(at)
      return false
    }
    findNeedles(bytes, note)
    findNames(bytes, (at) => {
      found.push(at)
      return false
    })
    return found
  }
  const hasHint = (bytes: Buffer) => findPlain(bytes, bytes.toString('latin1')).length > 0
  let longest = 0
  for (const texts of [names, own?.hints ?? [], secrets.keys()]) {
    for (const text of texts) longest = Math.max(longest, Buffer.byteLength(text))
  }
  const findHidden = createHiddenHints(hasHint, longest)
  return (bytes) => {
    const latin1 = bytes.toString('latin1')
    return [...findPlain(bytes, latin1), ...findHidden(bytes, latin1)].sort((a, b) => a - b)
  }
}

/** Confirms where a sticky pattern matches. */
const matches =
  (pattern: RegExp): Confirm =>
  (_, at, latin1) => {
    pattern.lastIndex = at
    return pattern.test(latin1)
  }

/** Signs of secrets; behind a word, a string of JSON has a backslash before a quote. */
const SIGN_NEEDLES: readonly Needle[] = SECRET_SIGNS.flatMap(({ sign, hint }) =>
  [...new Set([sign, sign.replace(/"$/, '\\')])].map((text): Needle => [text, matches(hint)]),
)

/** Creates a search for signs of secrets that are found by the text around them, without those behind escapes. */
export function createContextFinder(): HintFinder {
  const findNeedles = createNeedleFinder(SIGN_NEEDLES)
  const findPatterns = createPatternFinder([PASSWORDS])
  return (bytes) => {
    const latin1 = bytes.toString('latin1')
    const found = findPatterns(bytes, latin1)
    findNeedles(bytes, (at, confirm) => {
      if (confirm(bytes, at, latin1)) found.push(at)
      return false
    })
    return found.sort((a, b) => a - b)
  }
}

/** What the rest of a token with a prefix of three characters begins with, in lower case. */
const WORD = 'abcdefghijklmnopqrstuvwxyz0123456789_-./'

const SECRET_NEEDLES: readonly Needle[] = [
  ...SIGN_NEEDLES,
  ...SECRETS.flatMap((secret): Needle[] => {
    const { prefix, body } = secret
    // The rest may be on the next line.
    const broken = isUnmistakable(secret) ? String.raw`|[\w.~+/=-]{0,600}[=\\]{0,8}[\r\n\\]` : ''
    const isForm = matches(new RegExp(`${escapePattern(prefix)}(?:${body}${broken})`, 'y'))
    // A needle of three bytes is searched for with every byte behind it, of which most cannot follow.
    if (prefix.length === 3) return Array.from(WORD, (next) => [prefix + next, isForm])
    return [[prefix, isForm]]
  }),
]

/** The words of names as they are in a run of bytes. The place is the last byte of the second word. */
function* needlesOf(names: Iterable<string>): Generator<readonly [Word[], undefined]> {
  for (const name of names) {
    const words = wordsOf(name)
    const familyFirst = [...words.slice(-1), ...words.slice(0, 1)]
    for (const order of [words, familyFirst]) {
      const run = order.flatMap(wordsOfRun)
      yield [run.map((word) => ({ ...wordOf(Buffer.from(word)), end: 1 })), undefined]
    }
  }
}

/** The words of a run of letters, in the form and case in which names are compared, but without quotes and hyphens. */
const wordsOfRun = (run: string): string[] =>
  [...run.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) =>
    word.normalize('NFC').toLowerCase().replaceAll('ς', 'σ'),
  )
