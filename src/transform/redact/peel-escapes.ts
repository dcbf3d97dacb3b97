/** A text whose escapes are undone, and where each of its characters was before. */
export interface Unescaped {
  text: string
  /** How often escapes were undone: those within others come later. */
  depth: number
  /** Where the character at a place began. */
  startOf: (at: number) => number
  /** Where the character before a place ended. */
  endOf: (at: number) => number
  /** Strings that a program joins were joined: what stands in one of them is found there. */
  isJoined?: boolean
}

/** Escapes within escapes, at most: a log of JSON within another, in a URL. */
export const DEEPEST = 3

/** Names of the letters and two signs from U+00C0 on. */
const LATIN =
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN.split(' ').map((name, i) => [name, String.fromCharCode(0xc0 + i)])),
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  commat: '@',
  dash: '-',
  hyphen: '-',
  period: '.',
  colon: ':',
  sol: '/',
  equals: '=',
  lowbar: '_',
  UnderBar: '_',
  num: '#',
  percnt: '%',
  plus: '+',
  lrm: '',
  rlm: '',
  shy: '',
  zwj: '',
  zwnj: '',
  NoBreak: '',
  ZeroWidthSpace: '',
}
const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Names of tags of HTML, SVG and OpenDocument that may stand within a word. */
export const NAME_OF_TAG =
  '(?:a|abbr|b|bdi|big|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|su[bp]|text:(?:a|span)|tspan|tt|u|var|wbr)'
const TAG = `</?${NAME_OF_TAG}(?:\\s[^<>]{0,300})?/?>|<!--(?:(?!-->)[\\s\\S]){0,300}-->`

/** The tags in a text, which stay where a value is replaced: without attributes and comments, as these may have others. */
export const tagsIn = (text: string): string => (text.match(TAGS) ?? []).map(bare).join('')

function bare(tag: string): string {
  if (tag.startsWith('<!')) return ''
  const name = tag.split(/\s/, 1)[0] ?? ''
  return name === tag ? tag : `${name}${tag.endsWith('/>') ? '/>' : '>'}`
}

const TAGS = new RegExp(TAG, 'gi')

/** Characters without a width. */
const WITHOUT_WIDTH = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0`
const SIGN_WITHOUT_WIDTH = new RegExp(`[${WITHOUT_WIDTH}]`)
/** The same, those behind a letter of ASCII that choose its form, and tags, of which each is two. */
const UNSEEN_SIGNS = String.raw`(?:[${WITHOUT_WIDTH}]|(?<=[!-~])[\ufe00-\ufe0f]|\udb40[\udc00-\udfff])+`
/** The zeros of UTF-16 whose bytes became characters. */
const ZEROS = String.raw`\0(?=[^\0]\0[^\0]\0)|(?<=\0[^\0]\0[^\0])\0`
/** Letters, digits and signs of addresses in their wide forms, and the small at sign. */
const WIDE = String.raw`[\uff0d\uff0e\uff10-\uff19\uff20-\uff3a\uff3f\uff41-\uff5a\ufe6b]`
/** Colors of terminals, and other commands: also as a log has them that lost what begins them. */
const COLORS = String.raw`\x1b\[[\d;:?]{0,20}[A-Za-z]|(?<!\x1b|\\(?:e|033|[xu]0{0,2}1[bB]))\[\d{1,3}(?:;\d{1,3}){0,4}m(?!\])`

/**
 * Escapes of JSON, programs, RTF, shells, Markdown, style sheets and troff, runs of percent-encoded bytes, entities of HTML, the
 * at sign of UTF-7, wide letters, full stops in brackets, colors of terminals, zeros of UTF-16, and what is not seen.
 */
const HEX = '[0-9a-fA-F]'
/**
 * No pseudonym follows: one that begins with digits or a letter would be read as an escape, as in `email=40pxay7ke6@redacted.invalid`
 * and `C:\bxh3hy9yfa@redacted.invalid`.
 */
const NO_PSEUDONYM =
  '(?![0-9a-z]{10}@redacted\\.invalid|192\\.0\\.2\\.|198\\.51\\.100\\.|203\\.0\\.113\\.|2001:db8:)'
const ESCAPES = [
  // Of style sheets, with the space or zeros that end them, of troff, and by name. `\040` is a space of a program.
  String.raw`\\(?:(?:00|000)?(?:40|2[eE]) |0000(?:40|2[eE]) ?|\(at|\[at\]|N\{(?:COMMERCIAL AT|FULL STOP)\})`,
  String.raw`\\${NO_PSEUDONYM}(?:u${HEX}{4}|[ux]\{${HEX}{1,6}\}|e(?=\[)|U000${HEX}{5}|[x']${HEX}{2}|[0-3][0-7]{2}|["\\/bfnrt0_@.:+~ -]|\r?\n)`,
  `(?:%${HEX}{2})+`,
  `&(?:#0{0,9}(?:\\d{1,7}(?!\\d)|[xX]0{0,9}${HEX}{1,6}(?!${HEX}))(?:;|(?!=))|(?:${Object.keys(NAMED).join('|')});)`,
  COLORS,
  '\\+AEA-',
  '\\[\\.\\]',
  WIDE,
  UNSEEN_SIGNS,
  ZEROS,
]
const ESCAPE = new RegExp(ESCAPES.join('|'), 'g')
/** Quoted-printable mail has capital letters, and no escapes for letters and digits of ASCII: `=62` is no `b`. */
const MAIL_ESCAPE = `=${NO_PSEUDONYM}(?:0[9AD]|2[0-9A-F]|3[A-F]|40|5[B-F]|60|7[B-F]|[89A-F][0-9A-F])`
/** A line break that is none, also within JSON. */
const SOFT_BREAK = String.raw`=(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)`
/** Bytes in mail: a line may end between those of a character. */
const MAIL_BYTES = `(?:${MAIL_ESCAPE}(?:${SOFT_BREAK}(?==[89AB][0-9A-F]))?)+`
/** The same, and those of mail. */
const ESCAPE_IN_MAIL = new RegExp([...ESCAPES, SOFT_BREAK, MAIL_BYTES].join('|'), 'g')
/** In mail within mail only what is nothing else: an address may begin with digits behind a sign that was an escape. */
const ESCAPE_IN_INNER_MAIL = new RegExp(
  [
    ...ESCAPES,
    SOFT_BREAK,
    `=3D|=${NO_PSEUDONYM}40(?=[a-z])|(?:=[C-F][0-9A-F](?:=[89AB][0-9A-F])+)+`,
  ].join('|'),
  'g',
)
/**
 * What mail has, and other texts seldom: an escape for =, @, a space at the end of a line, a line break, or letters beyond ASCII,
 * and a long line that ends in =.
 */
const MAIL = new RegExp(
  `=${NO_PSEUDONYM}(?:3D|40(?=[a-z])|20(?=\\r?\\n|$)|[C-F][0-9A-F]=[89AB][0-9A-F])|^[^\\r\\n]{70,75}=\\r?$`,
  'm',
)

/** A line of a calendar or card that goes on in the next, which begins with a space. */
const ESCAPE_IN_CARD = new RegExp([...ESCAPES, '\\r?\\n[ \\t]'].join('|'), 'g')
const CARD = /^BEGIN:V(?:CARD|CALENDAR|EVENT|TODO|JOURNAL)\r?$/m

/** Characters with which escapes begin: most texts have none. */
const SIGN = new RegExp(`[\\\\%&=\\0\\x1b<]|\\+AEA-|\\[\\.\\]|${COLORS}|${WIDE}|${UNSEEN_SIGNS}`)

/**
 * Undoes the escapes of a text: first the outermost, then those within them. Yields nothing if there are none. What may be mail is
 * yielded without the escapes of mail undone, and then with them: `&amp;sig=62` may be a parameter in either.
 *
 * @example [...peelEscapes('a%2540')].map(({ text }) => text) // ['a%40', 'a@']
 */
export function* peelEscapes(text: string): Generator<Unescaped> {
  const outer: Unescaped = { text, depth: 0, startOf: (at) => at, endOf: (at) => at }
  const layers = [outer]
  for (const layer of peelLayers(outer)) {
    layers.push(layer)
    yield layer
  }
  for (const layer of layers) {
    const inner = JOINED_SIGN.test(layer.text) && peelOnce(layer.text, JOINED)
    if (inner) yield { ...within(layer, inner), isJoined: true }
  }
}

/**
 * Where a program joins two strings with the same quotes: with `+`, `&` or `..`, on the next line, or with `.`, which has space on both sides or on
 * none, unlike one that ends a sentence.
 */
const GAP = '[ \\t]{0,3}(?:\\r?\\n[ \\t]{0,40})?'
const JOINED = new RegExp(
  `(["'\`])(?:${GAP}(?:\\+|&|\\.\\.)${GAP}|[ \\t]{0,3}\\r?\\n[ \\t]{1,40}|\\.|(?=\\s)${GAP}\\.(?=\\s)${GAP})\\1`,
  'g',
)
const JOINED_SIGN = new RegExp(JOINED.source)

function* peelLayers(outer: Unescaped): Generator<Unescaped> {
  const { text } = outer
  if (!SIGN.test(text) && !CARD.test(text)) return
  const layers = [outer, ...peelAll(outer)]
  if (layers.some((each) => each.depth < DEEPEST && MAIL.test(each.text))) {
    layers.push(...peelAll(outer, ESCAPE_IN_MAIL))
  }
  yield* layers.slice(1)
  for (const each of layers) {
    const inner = each.text.includes('<') && peelOnce(each.text, TAGS, isTagIn(each))
    if (inner) yield within(each, inner)
  }
}

/**
 * Creates a function that says whether a tag is one: both its ends are escaped, or neither. The attribute in `<b c="&gt;">` does
 * not end the tag.
 */
const isTagIn =
  ({ startOf, endOf }: Unescaped) =>
  (start: number, end: number): boolean => {
    const isEscaped = (at: number) => endOf(at + 1) - startOf(at) > 1
    return isEscaped(start) === isEscaped(end - 1)
  }

function* peelAll(outermost: Unescaped, ofMail = ESCAPE): Generator<Unescaped> {
  let outer = outermost
  let pattern = ofMail
  while (outer.depth < DEEPEST) {
    const isMail = pattern !== ESCAPE && MAIL.test(outer.text)
    const isCard = CARD.test(outer.text)
    const inner = peelOnce(outer.text, isMail ? pattern : isCard ? ESCAPE_IN_CARD : ESCAPE)
    if (!inner) return
    if (isMail) pattern = ESCAPE_IN_INNER_MAIL
    outer = within(outer, inner)
    yield outer
  }
}

/** A text within another, with its places in the outermost. */
const within = (outer: Unescaped, inner: Omit<Unescaped, 'depth'>): Unescaped => ({
  text: inner.text,
  depth: outer.depth + 1,
  startOf: (at) => outer.startOf(inner.startOf(at)),
  endOf: (at) => outer.endOf(inner.endOf(at)),
})

function peelOnce(
  text: string,
  pattern: RegExp,
  isEscape: (start: number, end: number) => boolean = () => true,
): Omit<Unescaped, 'depth'> | undefined {
  const parts: string[] = []
  /** Pieces in turn: where each begins, there and here. */
  const there: number[] = []
  const here: number[] = []
  let [from, length] = [0, 0]
  const add = (part: string, start: number) => {
    parts.push(part)
    there.push(start)
    here.push(length)
    length += part.length
  }
  for (const { 0: written, index } of text.matchAll(pattern)) {
    if (!isEscape(index, index + written.length)) continue
    if (index > from) add(text.slice(from, index), from)
    let at = index
    for (const [character, width] of charactersOf(written)) {
      add(character.replace(SIGN_WITHOUT_WIDTH, ''), at)
      at += width
    }
    from = index + written.length
  }
  if (from === 0) return undefined
  if (from < text.length) add(text.slice(from), from)
  const endOfPiece = (piece: number) => there[piece + 1] ?? text.length
  const pieceAt = (at: number) => lastNotAbove(here, at)
  const isAsWritten = (piece: number) =>
    (parts[piece] as string).length === endOfPiece(piece) - (there[piece] as number)
  const placeOf = (piece: number, at: number) =>
    (there[piece] as number) + at - (here[piece] as number)
  return {
    text: parts.join(''),
    startOf: (at) => {
      const piece = pieceAt(at)
      return isAsWritten(piece) ? placeOf(piece, at) : (there[piece] as number)
    },
    endOf: (at) => {
      const piece = pieceAt(at - 1)
      return isAsWritten(piece) ? placeOf(piece, at) : endOfPiece(piece)
    },
  }
}

/** The last of rising numbers that is not above a bound. */
function lastNotAbove(numbers: readonly number[], bound: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) <= bound) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** Signs that stand for no letter: breaks of lines, ends of strings, zeros, colors, tags, and characters without a width. */
const UNSEEN = new RegExp(
  `^(?:["'\`]|[=\\\\]?\\r?\\n|=\\\\|\\[\\d|[\\0\\x1b<${WITHOUT_WIDTH}]|[\\ufe00-\\ufe0f]|\\udb40)`,
)

/** The at sign or full stop of a style sheet, of troff, and by its name. */
const NAMED_SIGN = /^\\(?:(?:00|000|0000)?(?:40|(2e)) ?$|[([]at|N\{(?:C|(F)))/i

/** The characters of an escape, each with the characters by which it is written. */
function* charactersOf(written: string): Generator<readonly [character: string, width: number]> {
  const { length } = written
  if (/^(?:\+AEA-|\ufe6b)$/.test(written)) {
    yield ['@', length]
  } else if (/^[\uff01-\uff5e]/.test(written)) {
    yield [written.normalize('NFKC'), length]
  } else if (written === '[.]') {
    yield ['.', length]
  } else if (UNSEEN.test(written)) {
    yield ['', length]
  } else if (NAMED_SIGN.test(written)) {
    const [, code, name] = NAMED_SIGN.exec(written) ?? []
    yield [code === undefined && name === undefined ? '@' : '.', length]
  } else if (written.startsWith('\\')) {
    yield [characterOfBackslash(written.slice(1)), length]
  } else if (written.startsWith('&')) {
    yield [characterOfEntity(written.slice(1).replace(';', '')), length]
  } else {
    /** Each byte, and the break of a line behind it. */
    const parts = written.match(/[%=][0-9a-fA-F]{2}(?:=[\r\n\\rn]+)?/g) ?? []
    const bytes = Buffer.from(parts.map((part) => part.slice(1, 3)).join(''), 'hex')
    for (let at = 0; at < bytes.length; ) {
      const end = at + bytesOfCharacter(bytes, at)
      const character = bytes.toString(end > at + 1 ? 'utf8' : 'latin1', at, end)
      yield [character, parts.slice(at, end).join('').length]
      at = end
    }
  }
}

/** A letter, `u`, `U`, `x` or a quote with hexadecimal digits, or octal digits. */
function characterOfBackslash(code: string): string {
  const [, hex] = /^(?:[ux]\{?|['U])([0-9a-fA-F]+)/.exec(code) ?? []
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
  if (/^[0-7]/.test(code)) return characterOf(Number.parseInt(code, 8))
  return LETTERS[code] ?? code
}

const characterOf = (code: number): string =>
  code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)

function characterOfEntity(entity: string): string {
  if (!entity.startsWith('#')) return NAMED[entity] as string
  const code = /^#0*x/i.test(entity)
    ? Number.parseInt(entity.replace(/^#0*x/i, ''), 16)
    : Number(entity.slice(1))
  return characterOf(code)
}

/** How many bytes a character of UTF-8 has; 1 for a byte that is no part of one. */
function bytesOfCharacter(bytes: Buffer, at: number): number {
  const first = bytes[at] as number
  const count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  const rest = bytes.subarray(at + 1, at + count)
  return rest.length === count - 1 && rest.every((byte) => byte >> 6 === 2) ? count : 1
}
