/** A word of a header of mail: its character set, maybe a language, its coding, and the text. */
const WORD = String.raw`=\?([\w-]{3,20})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{1,4000})\?=`
const EACH_WORD = new RegExp(WORD, 'gi')

/** Words that follow each other, in any case of letters: they are one text, without the white space between them, also in JSON. */
export const ENCODED_WORDS = String.raw`${WORD}(?:(?:\s|\\{1,7}[rnt]){1,8}${WORD}){0,200}`

/**
 * The text of encoded words of mail.
 *
 * @example decodeWords('=?utf-8?q?Jos=C3=A9?= =?utf-8?b?IEI=?=') // 'José B'
 * @see https://www.rfc-editor.org/rfc/rfc2047
 */
export const decodeWords = (words: string): string =>
  Array.from(words.matchAll(EACH_WORD), ([, charset = '', coding = '', content = '']) =>
    decoderOf(charset).decode(
      /b/i.test(coding) ? Buffer.from(content, 'base64') : bytesOf(content),
    ),
  ).join('')

/** A text as one word. */
export const encodeWord = (text: string): string =>
  `=?utf-8?b?${Buffer.from(text).toString('base64')}?=`

/** The bytes of a word in a coding that is much like quoted-printable. */
function bytesOf(content: string): Buffer {
  const text = content
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(text, 'latin1')
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    // No character set that is known: its letters are mostly those of ASCII.
    return new TextDecoder('latin1')
  }
}
