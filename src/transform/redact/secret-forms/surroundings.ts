/** What stands around secrets. */

/** A secret that is found by the text around it. */
export interface SecretContext {
  name: string
  /** Every match contains one of these, in upper or lower case. */
  signs: readonly string[]
  /** How a match goes on from its sign, in bytes as characters of Latin-1, also within JSON: if the sign alone is common. Sticky. */
  hint?: RegExp
  /** The value is the first group. */
  pattern: RegExp
}

/** Two words of a name, as they are written in settings and programs. */
export const twoWords = (second: string) => (first: string) =>
  ['', '_', '-'].map((between) => first + between + second)

/** What a setting or variable with a password ends in. */
export const PASSWORD_NAMES = [
  'password',
  'password_confirmation',
  'passwd',
  'passphrase',
  'pwd',
  '_pass',
  'psk',
]

/**
 * What is between a name and its value, with quotes or not: a sign, and in YAML the name of an anchor or type. On the next line it is
 * only in quotes.
 */
export const IS = String.raw`["'\x60]?\]?[^\S\r\n]{0,40}(?:=>|[=:])(?:[^\S\r\n]{0,3}|\s{1,20}(?=["'\x60]))(?:(?:&|!!)\w{1,30} )?(?:[bru]?["'\x60])?`
/** How a text goes on behind a name that has a value, in a hint. */
export const IS_NEXT = String.raw`["'\x60]?\]?[^\S\r\n]{0,40}[=:\\\x80-\xff]`
export const signsOf = (name: string) =>
  ['=', ':', ' =', ' :', '  ', '"', "'"].map((sign) => name + sign)
/** Two digits and a letter: a name of something else seldom has them. */
export const RANDOM = String.raw`(?=[A-Za-z.~%+/_=-]{0,127}\d[A-Za-z.~%+/_=-]{0,127}\d)(?=[\d.~%+/_=-]{0,127}[A-Za-z])`
/** What ends a key: also a full stop, and the ending of a name of a file. */
export const END = String.raw`(?=["'\x60;,&\s\\<)}\]\0]|$|-->|\.{1,3}(?!\w)|\.[a-z0-9]{1,5}(?![\w.([]))`
/** A sign of a password in an argument or element: neither a mask nor an escape or color of a terminal has it. */
export const SIGN = String.raw`[^\s"'\x60$<>[\]\\\x1b]`
/** A password, which has a letter and a digit, and is no quote that is escaped. */
export const MIXED = String.raw`(?!&#|%2[27])(?=[^\s\d"'\x60$<>]{0,127}\d)(?=[^\sa-zA-Z"'\x60$<>]{0,127}[a-zA-Z])`
/** The same where it may as well be a word, which has one digit at its end at most, or the name of a variable. */
export const NO_WORD = String.raw`${MIXED}(?![:!]|[A-Za-z_-]{1,60}\d?(?:[^\w-]|$))`
