const UTF8 = [
  String.raw`[\x00-\x7f]`,
  String.raw`[\xc2-\xdf][\x80-\xbf]`,
  String.raw`\xe0[\xa0-\xbf][\x80-\xbf]`,
  String.raw`[\xe1-\xec\xee\xef][\x80-\xbf]{2}`,
  String.raw`\xed[\x80-\x9f][\x80-\xbf]`,
  String.raw`\xf0[\x90-\xbf][\x80-\xbf]{2}`,
  String.raw`[\xf1-\xf3][\x80-\xbf]{3}`,
  String.raw`\xf4[\x80-\x8f][\x80-\xbf]{2}`,
].join('|')
const PIECE = new RegExp(`((?:${UTF8})+)|[\\x80-\\xff]`, 'g')

/**
 * Decodes a name from its bytes, given as latin1. A byte that is not UTF-8 becomes `%ff` or the like, so that two names
 * never become the same through U+FFFD.
 */
export function decodeName(bytes: string): { name: string; isUtf8: boolean } {
  let isUtf8 = true
  if (!/[\x80-\xff]/.test(bytes)) return { name: bytes, isUtf8 }
  const name = bytes.replace(PIECE, (piece: string, valid: string | undefined) => {
    if (valid !== undefined) return Buffer.from(valid, 'latin1').toString('utf8')
    isUtf8 = false
    return `%${piece.charCodeAt(0).toString(16)}`
  })
  return { name, isUtf8 }
}
