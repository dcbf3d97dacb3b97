/**
 * A character without a width, a mark of direction, a comment of HTML, a soft break in quoted-printable mail, also in JSON, what is
 * between two words of a header of mail, and a color of a terminal: nothing stands there.
 */
const NOTHING = String.raw`\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf])|<!--(?:(?!-->)[\s\S]){0,100}-->|\?=(?:\s|\\+[rnt]){1,8}=\?[\w-]{3,20}\?q\?|\xef\xbb\xbf|\xc2\xad|=(?:\r?\n|(?:\\+r)?\\+n)|(?:\x1b|(?<!\\)\\+(?:u001b|x1b|033))\[[\d;]{0,20}m`

/** Escapes of JSON, programs, URLs, HTML and quoted-printable for characters that values may have, as characters of Latin-1. */
const ESCAPE = new RegExp(
  [
    String.raw`\\u(?:[0-9a-f]{4}|\{)|\\x[0-9a-f]{2}|\\[0-3][0-7]{2}|%[0-9a-f]{2}`,
    '&(?:#\\d|#x[0-9a-f]|amp;|lt;|gt;|quot;|apos;|commat;|period;|colon;|sol;|nbsp;)',
    '=(?:40|3d|2[bdef]|5f|[89a-f][0-9a-f])',
    NOTHING,
  ].join('|'),
  'gi',
)

const ALL_ESCAPES = new RegExp(
  [
    NOTHING,
    String.raw`(?<!\\)\\+u(d[89ab][0-9a-f]{2})\\+u(d[c-f][0-9a-f]{2})`,
    String.raw`(?<!\\)\\+(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([0-3][0-7]{2})|(["\\/bfnrt]))`,
    '%([0-9a-f]{2})|&#(\\d{1,7});?|&#x([0-9a-f]{1,6});?',
    '&(amp|lt|gt|quot|apos|commat|period|colon|sol|nbsp);',
    '=(40|3d|2[bdef]|5f|[89a-f][0-9a-f])',
  ].join('|'),
  'gi',
)

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  commat: '@',
  period: '.',
  colon: ':',
  sol: '/',
  nbsp: ' ',
}
const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Bytes around an escape that are looked at with it: more than a value has. */
const AROUND = 320

/** A part of the bytes with its escapes undone, and whether it was cut out of a text; undefined where the bytes begin and end. */
export interface Unescaped {
  bytes: Buffer
  isCutBefore: boolean | undefined
  isCutBehind: boolean | undefined
}

/** The surroundings of all escapes, with all of them undone once. */
export function* undoEscapes(bytes: Buffer): Generator<Unescaped> {
  const text = bytes.toString('latin1')
  let [from, to] = [-1, -1]
  for (const { index } of text.matchAll(ESCAPE)) {
    if (index > to) {
      if (from >= 0) yield unescaped(text, from, to)
      from = Math.max(0, index - AROUND)
    }
    to = Math.min(text.length, index + AROUND)
  }
  if (from >= 0) yield unescaped(text, from, to)
}

const unescaped = (text: string, from: number, to: number): Unescaped => ({
  bytes: Buffer.from(text.slice(from, to).replace(ALL_ESCAPES, characterOf), 'latin1'),
  isCutBefore: from > 0 || undefined,
  isCutBehind: to < text.length || undefined,
})

/** The bytes of an escaped character in UTF-8, as characters of Latin-1. */
function characterOf(_match: string, ...groups: (string | undefined)[]): string {
  const [high, low, unit, braced, hexByte, octal, letter, percent, decimal, hex, name, quoted] =
    groups
  const byte = percent ?? quoted
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16))
  if (letter !== undefined) return LETTERS[letter.toLowerCase()] ?? letter
  if (name !== undefined) return NAMED[name.toLowerCase()] as string
  if (high !== undefined && low !== undefined) {
    return utf8(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)))
  }
  if (decimal !== undefined) return utf8Of(Number(decimal))
  if (octal !== undefined) return utf8Of(Number.parseInt(octal, 8))
  const digits = unit ?? braced ?? hexByte ?? hex
  return digits === undefined ? '' : utf8Of(Number.parseInt(digits, 16))
}

const utf8Of = (code: number): string => (code > 0x10ffff ? '' : utf8(String.fromCodePoint(code)))
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

/** Texts in UTF-16 whose characters are those of Latin-1, without their zeros. */
export function* withoutZeros(bytes: Buffer): Generator<Unescaped> {
  if (!bytes.includes(0)) return
  const text = bytes.toString('latin1')
  for (const { 0: run, index } of text.matchAll(WIDE)) {
    const narrow = Buffer.from(run.replaceAll('\0', ''), 'latin1')
    const isCutBefore = index < 2 ? undefined : false
    const isCutBehind = index + run.length > text.length - 2 ? undefined : false
    yield { bytes: narrow, isCutBefore, isCutBehind }
    // The last byte belongs to the next character if the low byte comes first.
    if (!run.endsWith('\0')) yield { bytes: narrow.subarray(0, -1), isCutBefore, isCutBehind }
  }
}

const WIDE = /(?:[^\0]\0){5,}[^\0]?/g
